package io.metricsaggregator.analysis;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.Percentile;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.snapshot.Ledger;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.Slices;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The judgement of a run: whether its figures are valid, which factor limited it, and the checks behind both. Each threshold is a
 * constant beside its check. A check without data yields {@link Finding.Weight#UNKNOWN}; it never passes.
 *
 * @param validity INVALID with a {@link Finding.Weight#BAD} finding, QUESTIONABLE with a {@link Finding.Weight#REMARK}, else VALID
 * @param limit the limiting factor
 * @param findings one per check, by descending weight
 */
public record Verdict(Validity validity, Limit limit, List<Finding> findings) {

    public Verdict {
        findings = List.copyOf(findings);
    }

    /** Whether the figures of the run are valid. */
    public enum Validity {
        /** The figures cover the whole run and describe one steady system. */
        VALID,
        /** The figures are usable only together with the findings. */
        QUESTIONABLE,
        /** The figures cover less than the run. */
        INVALID
    }

    /** The factor that limited the throughput of a run. */
    public enum Limit {
        /** The client issued samples late; or it reports no schedule and its host lacked CPU. Its delay is part of the measured times. */
        CLIENT,
        /** Samples in flight grew, KV memory was short, or an endpoint did not answer: the server served less than the offered load. */
        SERVER,
        /** Completions or latency changed during the run, so its figures average different states. */
        NOT_STATIONARY,
        /** No limit was found: the server served the offered load. */
        NONE,
        /** The snapshot lacks the data to name one. */
        UNKNOWN
    }

    private static final String SCHEDULE = "the client's schedule";
    private static final String OVER_TIME = "samples in flight, stationarity, Little's law";
    /** Checks without whose data no limiting factor is named. */
    private static final Set<String> LIMIT_CHECKS = Set.of(SCHEDULE, Stationarity.NAME, OVER_TIME);

    private static final double SLIP_SHARE = 0.1;
    private static final double SLIP_FLOOR_NANOS = 10e6;
    /** Samples in flight are sampled once per slice; a smaller relative difference is sampling error. */
    private static final double LITTLE_SHARE = 0.25;

    /** Judges a run by its last snapshot, of any schema version. */
    public static Verdict of(MetricsSnapshot snapshot) {
        List<Finding> findings = new ArrayList<>();
        completeness(findings, snapshot);
        losses(findings, snapshot);
        findings.addAll(FleetText.findings(snapshot));
        add(findings, MergedTimes.of(snapshot));
        findings.addAll(ImportedText.findings(snapshot));
        add(findings, DaemonLag.of(snapshot));
        add(findings, TokenCounts.of(snapshot));
        add(findings, LabelSkew.of(snapshot));
        Finding stalls = StallText.finding(snapshot);
        add(findings, stalls);
        add(findings, TelemetryCoverage.of(snapshot));
        Finding outages = OutageText.finding(snapshot);
        add(findings, outages);
        String unjudged = unjudgedOverTime(snapshot, outages);
        @Nullable Trend throughput = unjudged != null ? null : Trend.of(snapshot, "completed");
        @Nullable Trend latency = unjudged != null ? null : Trend.of(snapshot, "latency_p50_ns");
        @Nullable Trend inFlight = unjudged != null ? null : Trend.of(snapshot, "in_flight_max");
        Stationarity stationarity = unjudged != null
                ? Stationarity.notJudged(OVER_TIME, unjudged)
                : Stationarity.of(snapshot, throughput, latency);
        findings.add(stationarity.finding());
        boolean steady = stationarity.holds();
        @Nullable Boolean late = client(findings, snapshot);
        ClientHost host = ClientHost.of(snapshot);
        if (host != null) {
            findings.add(host.finding());
        }
        if (unjudged == null) {
            littlesLaw(findings, snapshot);
        }
        boolean piled = inFlight != null && inFlight.changed() && inFlight.change() > 0;
        if (inFlight != null) {
            findings.add(new Finding(
                    piled ? Finding.Weight.REMARK : Finding.Weight.GOOD,
                    "samples in flight",
                    piled ? "grew: " + inFlight.text() : "did not grow: " + inFlight.text()));
        }
        boolean heldBack = memory(findings, snapshot) || piled;
        findings.sort((a, b) -> b.weight().compareTo(a.weight()));
        Validity validity = findings.stream().anyMatch(each -> each.weight() == Finding.Weight.BAD)
                ? Validity.INVALID
                : findings.stream().anyMatch(each -> each.weight() == Finding.Weight.REMARK)
                        ? Validity.QUESTIONABLE
                        : Validity.VALID;
        // A schedule is direct evidence of a late client; the CPU of its host is indirect.
        boolean client = late == null ? host != null && host.scarce() : late;
        boolean server = heldBack || stalls != null;
        return new Verdict(validity, limit(client, server, steady, throughput != null && late != null), findings);
    }

    private static void add(List<Finding> findings, @Nullable Finding finding) {
        if (finding != null) {
            findings.add(finding);
        }
    }

    /** Adds a finding on the servers' KV memory if they expose it; true if it held requests back. */
    private static boolean memory(List<Finding> findings, MetricsSnapshot snapshot) {
        ServerMemory memory = ServerMemory.of(snapshot);
        if (memory != null) {
            findings.add(memory.finding());
        }
        return memory != null && memory.heldBack();
    }

    private static Limit limit(boolean client, boolean heldBack, boolean steady, boolean known) {
        if (client) {
            return Limit.CLIENT;
        }
        if (heldBack) {
            return Limit.SERVER;
        }
        if (!steady) {
            return Limit.NOT_STATIONARY;
        }
        return known ? Limit.NONE : Limit.UNKNOWN;
    }

    private static void completeness(List<Finding> findings, MetricsSnapshot snapshot) {
        SnapshotExtensions extensions = snapshot.extensions();
        boolean otherKinds = extensions != null
                && !extensions.telemetry().isEmpty()
                && snapshot.counter(CounterName.TOTAL_SAMPLES_ISSUED) == 0;
        if (otherKinds && snapshot.state() == SessionState.INTERRUPTED) {
            findings.add(new Finding(
                    Finding.Weight.UNKNOWN,
                    "the end",
                    "a signal ended the run, which is the normal end without a session"));
            return;
        }
        boolean complete = snapshot.state() == SessionState.COMPLETE && snapshot.pendingTasks() == 0;
        String state = snapshot.state().wireName();
        findings.add(new Finding(
                complete ? Finding.Weight.GOOD : Finding.Weight.BAD,
                "the end",
                complete
                        ? "the session ended and every text was counted"
                        : snapshot.pendingTasks() > 0
                                ? String.format(
                                        Locale.ROOT, "%s with %,d texts not counted", state, snapshot.pendingTasks())
                                : state + ": " + whyIncomplete(snapshot)));
        if (extensions != null) {
            unfinished(findings, extensions.inFlight(), ImportedText.endUnknown(snapshot));
        }
        SessionGap gap = SessionGap.of(snapshot);
        if (gap != null) {
            findings.add(new Finding(Finding.Weight.BAD, "the session", gap.explained() + ". Remedy: " + gap.remedy()));
        } else if (snapshot.counter(CounterName.TRACKED_SAMPLES_COMPLETED) == 0 && !otherKinds) {
            findings.add(new Finding(Finding.Weight.BAD, "samples", "no tracked sample completed"));
        }
    }

    /** Adds a finding for samples in flight at the end. Warm-up samples count in no figure, so they do not weigh. */
    private static void unfinished(List<Finding> findings, SnapshotExtensions.InFlight left, long endUnknown) {
        long untracked = left.count() - left.tracked();
        long unfinished = left.tracked() - Math.min(endUnknown, Math.min(left.tracked(), left.failed()));
        if (unfinished > 0) {
            findings.add(new Finding(
                    Finding.Weight.REMARK,
                    "unfinished samples",
                    String.format(
                            Locale.ROOT,
                            "%,d tracked samples were still in flight; no latency includes them",
                            unfinished)));
        }
        if (untracked > 0) {
            findings.add(new Finding(
                    Finding.Weight.GOOD,
                    "unfinished samples",
                    String.format(
                            Locale.ROOT,
                            "%,d samples issued outside the tracked windows never completed; no figure includes them",
                            untracked)));
        }
    }

    private static String whyIncomplete(MetricsSnapshot snapshot) {
        if (StallText.hasInterrupted(snapshot)) {
            return "no endpoint answered (--interrupt-on-stall)";
        }
        return snapshot.counter(CounterName.SESSION_INTERRUPTS) > 0
                ? "the producer aborted the session (session.interrupted)"
                : "the session did not end";
    }

    private static void losses(List<Finding> findings, MetricsSnapshot snapshot) {
        SnapshotExtensions extensions = snapshot.extensions();
        if (extensions == null) {
            findings.add(new Finding(Finding.Weight.UNKNOWN, "losses", "the snapshot has no record ledger"));
            return;
        }
        Ledger ledger = Ledger.of(snapshot);
        long lost = extensions.workers().stream()
                .mapToLong(SnapshotExtensions.WorkerRow::sequenceLost)
                .sum();
        List<String> evidence = new ArrayList<>();
        note(evidence, lost, "numbered records never arrived");
        note(evidence, snapshot.counter(CounterName.BATCHES_MALFORMED), "malformed batches were discarded");
        note(evidence, ledger.malformed(), "records were malformed");
        note(evidence, snapshot.counter(CounterName.INFLIGHT_EVICTED), "samples in flight were evicted");
        note(evidence, snapshot.counter(CounterName.FRAMES_TRUNCATED), "connections ended in the middle of a frame");
        note(
                evidence,
                snapshot.counter(CounterName.JOURNAL_FRAMES_SKIPPED),
                "journal frames were skipped because they crashed the daemon");
        if (!ledger.balanced()) {
            evidence.add("the record ledger is not balanced");
        }
        if (!evidence.isEmpty()) {
            findings.add(new Finding(Finding.Weight.BAD, "losses", String.join("; ", evidence)));
        } else {
            findings.add(new Finding(
                    Finding.Weight.GOOD,
                    "losses",
                    String.format(Locale.ROOT, "none in %,d records", ledger.received())));
        }
        long orphan = ledger.orphan();
        if (orphan > 0) {
            findings.add(new Finding(
                    Finding.Weight.REMARK,
                    "orphans",
                    String.format(
                            Locale.ROOT,
                            "%,d records belong to samples without an issue event: the daemon started late, or records"
                                    + " were lost",
                            orphan)));
        }
    }

    private static void note(List<String> evidence, long count, String what) {
        if (count > 0) {
            evidence.add(String.format(Locale.ROOT, "%,d %s", count, what));
        }
    }

    /** Whether the client issued samples late; null if the snapshot has no schedule or no latency. */
    private static @Nullable Boolean client(List<Finding> findings, MetricsSnapshot snapshot) {
        SeriesMetric slip = snapshot.series(SeriesName.SCHEDULE_SLIP_NS);
        SeriesMetric latency = snapshot.series(SeriesName.SAMPLE_LATENCY_NS);
        Double late = slip == null || slip.count() == 0 ? null : slip.percentile(Percentile.P99);
        Double median = latency == null || latency.count() == 0 ? null : latency.percentile(Percentile.P50);
        if (late == null || median == null) {
            findings.add(new Finding(
                    Finding.Weight.UNKNOWN,
                    SCHEDULE,
                    late == null ? "the producer sends no scheduled_ns" : "no sample latency was measured"));
            return null;
        }
        double limit = Math.max(SLIP_FLOOR_NANOS, SLIP_SHARE * median);
        boolean over = late > limit;
        findings.add(new Finding(
                over ? Finding.Weight.REMARK : Finding.Weight.GOOD,
                SCHEDULE,
                String.format(
                        Locale.ROOT,
                        "samples were issued %s late (p99); the limit is %s at a median latency of %s",
                        Figures.duration(late),
                        Figures.duration(limit),
                        Figures.duration(median))));
        return over;
    }

    /**
     * Checks Little's law: the mean number of samples in flight equals completion rate times mean latency. A large difference means that
     * timestamps or samples are missing. Adds nothing where warm-up samples or too few slices make the law inapplicable.
     */
    private static void littlesLaw(List<Finding> findings, MetricsSnapshot snapshot) {
        Slices slices =
                snapshot.extensions() == null ? null : snapshot.extensions().slices();
        long[] inFlight = slices == null ? null : slices.column("in_flight");
        SeriesMetric latency = snapshot.series(SeriesName.SAMPLE_LATENCY_NS);
        Double mean = latency == null ? null : latency.mean();
        boolean allTracked = snapshot.counter(CounterName.TOTAL_SAMPLES_ISSUED)
                == snapshot.counter(CounterName.TRACKED_SAMPLES_ISSUED);
        if (slices == null
                || inFlight == null
                || mean == null
                || !allTracked
                || inFlight.length < 3 * Trend.SLICES_MIN) {
            return;
        }
        double sum = 0;
        for (long each : inFlight) {
            sum += each;
        }
        double seen = sum / inFlight.length;
        double expected = snapshot.counter(CounterName.TOTAL_SAMPLES_COMPLETED)
                / ((double) inFlight.length * slices.widthNanos())
                * mean;
        if (seen > 1) {
            double residual = Math.abs(seen - expected) / seen;
            findings.add(new Finding(
                    residual > LITTLE_SHARE ? Finding.Weight.REMARK : Finding.Weight.GOOD,
                    "Little's law",
                    String.format(
                            Locale.ROOT,
                            "%.1f samples in flight on average; rate times latency is %.1f (%.0f%% apart)",
                            seen,
                            expected,
                            100 * residual)));
        }
    }

    /** Why nothing over time can be judged; null if it can. */
    private static @Nullable String unjudgedOverTime(MetricsSnapshot snapshot, @Nullable Finding outages) {
        if (!ImportedText.hasTimeline(snapshot)) {
            return "not judged: the imported file has no issue times";
        }
        return outages == null ? null : "not judged: samples that the outage orphaned would look like a slow server";
    }

    /** The worst finding that is at least a remark, as {@code what: evidence}; empty if all checks passed or lacked data. */
    public Optional<String> worst() {
        return findings.stream()
                .filter(each -> each.weight() == Finding.Weight.BAD || each.weight() == Finding.Weight.REMARK)
                .findFirst()
                .map(each -> each.what() + ": " + each.evidence());
    }

    /** The judgement in one line: {@code VALID. Limiting factor: unknown (the producer sends no scheduled_ns).} */
    public String summary() {
        String factor = switch (limit) {
            case CLIENT -> "the client";
            case SERVER -> "the server";
            case NOT_STATIONARY -> "unknown (the run is not stationary)";
            case NONE -> "none (the server served the offered load)";
            case UNKNOWN -> "unknown (" + missingEvidence() + ")";
        };
        return validity + ". Limiting factor: " + factor + ".";
    }

    /** Why no limiting factor is named: the evidence of the check that lacked data. */
    private String missingEvidence() {
        return findings.stream()
                .filter(each -> each.weight() == Finding.Weight.UNKNOWN && LIMIT_CHECKS.contains(each.what()))
                .map(Finding::evidence)
                .reduce((stationarity, schedule) -> schedule)
                .orElse("the snapshot lacks the data");
    }
}
