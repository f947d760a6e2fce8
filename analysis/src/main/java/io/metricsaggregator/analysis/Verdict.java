package io.metricsaggregator.analysis;

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
import org.jspecify.annotations.Nullable;

/**
 * Whether a run can be relied on, and what held it back, each with its evidence. Thresholds are stated where they are used; a check
 * for which nothing was measured says so rather than passing.
 *
 * @param validity the worst of what was found
 * @param limit what held the run back
 * @param findings what was looked at, the worst first
 */
public record Verdict(Validity validity, Limit limit, List<Finding> findings) {

    public Verdict {
        findings = List.copyOf(findings);
    }

    /** Whether figures can be relied on. */
    public enum Validity {
        VALID,
        /** They can, by who has read the findings. */
        QUESTIONABLE,
        /** They cover less than the run. */
        INVALID
    }

    /** What held a run back. */
    public enum Limit {
        /** Samples were issued later than they were scheduled, or nobody tells and its host lacks CPU: the client is part of what was measured. */
        CLIENT,
        /** What was offered piled up: the server took less. */
        SERVER,
        /** The run changed while it was measured: its figures are an average of different things. */
        NOT_STATIONARY,
        /** Neither is seen: what was offered was served. */
        NONE,
        /** There is too little to say. */
        UNKNOWN
    }

    private static final double SLIP_SHARE = 0.1;
    private static final double SLIP_FLOOR_NANOS = 10e6;
    /** In flight is looked at once a slice: less than this is its chance. */
    private static final double LITTLE_SHARE = 0.25;

    /** Judges a run by its last snapshot. */
    public static Verdict of(MetricsSnapshot snapshot) {
        List<Finding> findings = new ArrayList<>();
        completeness(findings, snapshot);
        losses(findings, snapshot);
        Finding merged = MergedTimes.of(snapshot);
        if (merged != null) {
            findings.add(merged);
        }
        Finding daemon = DaemonLag.of(snapshot);
        if (daemon != null) {
            findings.add(daemon);
        }
        Finding tokens = TokenCounts.of(snapshot);
        if (tokens != null) {
            findings.add(tokens);
        }
        Finding telemetry = TelemetryCoverage.of(snapshot);
        if (telemetry != null) {
            findings.add(telemetry);
        }
        Finding outages = OutageText.finding(snapshot);
        if (outages != null) {
            findings.add(outages);
        }
        @Nullable Trend throughput = outages != null ? null : Trend.of(snapshot, "completed");
        @Nullable Trend latency = outages != null ? null : Trend.of(snapshot, "latency_p50_ns");
        @Nullable Trend inFlight = outages != null ? null : Trend.of(snapshot, "in_flight_max");
        boolean steady = outages != null ? unjudged(findings) : stationary(findings, throughput, latency);
        @Nullable Boolean late = client(findings, snapshot);
        ClientHost host = ClientHost.of(snapshot);
        if (host != null) {
            findings.add(host.finding());
        }
        if (outages == null) {
            littlesLaw(findings, snapshot);
        }
        boolean piled = inFlight != null && inFlight.changed() && inFlight.change() > 0;
        if (inFlight != null) {
            findings.add(new Finding(
                    piled ? Finding.Weight.REMARK : Finding.Weight.GOOD,
                    "samples in flight",
                    piled ? "they piled up: " + inFlight.text() : "no growth: " + inFlight.text()));
        }
        findings.sort((a, b) -> b.weight().compareTo(a.weight()));
        Validity validity = findings.stream().anyMatch(each -> each.weight() == Finding.Weight.BAD)
                ? Validity.INVALID
                : findings.stream().anyMatch(each -> each.weight() == Finding.Weight.REMARK)
                        ? Validity.QUESTIONABLE
                        : Validity.VALID;
        // Its schedule tells better than its host whether the client kept up.
        boolean client = late == null ? host != null && host.scarce() : late;
        return new Verdict(validity, limit(client, piled, steady, throughput != null && late != null), findings);
    }

    private static Limit limit(boolean client, boolean piled, boolean steady, boolean known) {
        if (client) {
            return Limit.CLIENT;
        }
        if (piled) {
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
                && snapshot.counterValue("total_samples_issued") == 0;
        if (otherKinds && snapshot.state() == SessionState.INTERRUPTED) {
            findings.add(new Finding(
                    Finding.Weight.UNKNOWN,
                    "the end",
                    "a signal ended it, as it does runs without a session: there is no other end"));
            return;
        }
        boolean complete = snapshot.state() == SessionState.COMPLETE && snapshot.pendingTasks() == 0;
        String state = snapshot.state().wireName();
        findings.add(new Finding(
                complete ? Finding.Weight.GOOD : Finding.Weight.BAD,
                "the end",
                complete
                        ? "the session ended, and everything was counted"
                        : snapshot.pendingTasks() > 0
                                ? String.format(
                                        Locale.ROOT, "%s with %,d texts uncounted", state, snapshot.pendingTasks())
                                : state + ": " + whyIncomplete(snapshot)));
        if (extensions != null) {
            unfinished(findings, extensions.inFlight());
        }
        SessionGap gap = SessionGap.of(snapshot);
        if (gap != null) {
            findings.add(
                    new Finding(Finding.Weight.BAD, "the session", gap.explained() + ". To mend it, " + gap.remedy()));
        } else if (snapshot.counterValue("tracked_samples_completed") == 0 && !otherKinds) {
            findings.add(new Finding(Finding.Weight.BAD, "samples", "no tracked sample completed"));
        }
    }

    /** Samples in flight at the end. Those of the warm-up are in no figure: a load generator may leave them behind. */
    private static void unfinished(List<Finding> findings, SnapshotExtensions.InFlight left) {
        long untracked = left.count() - left.tracked();
        if (left.tracked() > 0) {
            findings.add(new Finding(
                    Finding.Weight.REMARK,
                    "samples without an end",
                    String.format(
                            Locale.ROOT,
                            "%,d tracked samples were still in flight; they are in no latency",
                            left.tracked())));
        }
        if (untracked > 0) {
            findings.add(new Finding(
                    Finding.Weight.GOOD,
                    "samples without an end",
                    String.format(
                            Locale.ROOT,
                            "%,d samples issued outside the tracked windows never completed; no figure includes them",
                            untracked)));
        }
    }

    private static String whyIncomplete(MetricsSnapshot snapshot) {
        return snapshot.counterValue("session_interrupts") > 0
                ? "the producer aborted the session (session.interrupted)"
                : "the session did not end";
    }

    private static void losses(List<Finding> findings, MetricsSnapshot snapshot) {
        SnapshotExtensions extensions = snapshot.extensions();
        if (extensions == null) {
            findings.add(new Finding(Finding.Weight.UNKNOWN, "losses", "this daemon keeps no ledger"));
            return;
        }
        Ledger ledger = Ledger.of(snapshot);
        long lost = extensions.workers().stream()
                .mapToLong(SnapshotExtensions.WorkerRow::sequenceLost)
                .sum();
        List<String> evidence = new ArrayList<>();
        note(evidence, lost, "numbered records never arrived");
        note(evidence, snapshot.counterValue("batches_malformed"), "batches were lost whole");
        note(evidence, ledger.malformed(), "records were malformed");
        note(evidence, snapshot.counterValue("inflight_evicted"), "samples in flight were given up");
        note(evidence, snapshot.counterValue("frames_truncated"), "connections ended within a frame");
        note(evidence, snapshot.counterValue("journal_frames_skipped"), "frames killed the daemon and were skipped");
        if (!ledger.balanced()) {
            evidence.add("the ledger does not add up");
        }
        if (!evidence.isEmpty()) {
            findings.add(new Finding(Finding.Weight.BAD, "losses", String.join("; ", evidence)));
        } else {
            findings.add(new Finding(
                    Finding.Weight.GOOD,
                    "losses",
                    String.format(Locale.ROOT, "none seen in %,d records", ledger.received())));
        }
        long orphan = ledger.orphan();
        if (orphan > 0) {
            findings.add(new Finding(
                    Finding.Weight.REMARK,
                    "orphans",
                    String.format(
                            Locale.ROOT,
                            "%,d records belong to samples that were never issued: the daemon came late, or records were lost",
                            orphan)));
        }
    }

    private static void note(List<String> evidence, long count, String what) {
        if (count > 0) {
            evidence.add(String.format(Locale.ROOT, "%,d %s", count, what));
        }
    }

    /** Whether the client kept its schedule; null if it did not tell one. */
    private static @Nullable Boolean client(List<Finding> findings, MetricsSnapshot snapshot) {
        SeriesMetric slip = snapshot.series("schedule_slip_ns");
        SeriesMetric latency = snapshot.series("sample_latency_ns");
        Double late = slip == null || slip.count() == 0 ? null : slip.percentile("99.0");
        Double median = latency == null || latency.count() == 0 ? null : latency.percentile("50.0");
        if (late == null || median == null) {
            findings.add(new Finding(
                    Finding.Weight.UNKNOWN,
                    "the client's schedule",
                    "the producer does not tell when samples were to be issued"));
            return null;
        }
        double limit = Math.max(SLIP_FLOOR_NANOS, SLIP_SHARE * median);
        boolean over = late > limit;
        findings.add(new Finding(
                over ? Finding.Weight.REMARK : Finding.Weight.GOOD,
                "the client's schedule",
                String.format(
                        Locale.ROOT,
                        "samples were issued %s late (p99); %s would be much for a median latency of %s",
                        Figures.duration(late),
                        Figures.duration(limit),
                        Figures.duration(median))));
        return over;
    }

    /**
     * Little's law: what is in flight on average is the rate times the latency. Where that is far off, times or samples are
     * missing.
     */
    private static void littlesLaw(List<Finding> findings, MetricsSnapshot snapshot) {
        Slices slices =
                snapshot.extensions() == null ? null : snapshot.extensions().slices();
        long[] inFlight = slices == null ? null : slices.column("in_flight");
        SeriesMetric latency = snapshot.series("sample_latency_ns");
        Double mean = latency == null ? null : latency.mean();
        boolean allTracked =
                snapshot.counterValue("total_samples_issued") == snapshot.counterValue("tracked_samples_issued");
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
        double expected = snapshot.counterValue("total_samples_completed")
                / ((double) inFlight.length * slices.widthNanos())
                * mean;
        if (seen > 1) {
            double residual = Math.abs(seen - expected) / seen;
            findings.add(new Finding(
                    residual > LITTLE_SHARE ? Finding.Weight.REMARK : Finding.Weight.GOOD,
                    "Little's law",
                    String.format(
                            Locale.ROOT,
                            "%.1f samples in flight on average, rate times latency gives %.1f (%.0f%% apart)",
                            seen,
                            expected,
                            100 * residual)));
        }
    }

    /** What an outage took away would be blamed on the server or the client. */
    private static boolean unjudged(List<Finding> findings) {
        findings.add(new Finding(
                Finding.Weight.UNKNOWN,
                "samples in flight, stationarity, Little's law",
                "not judged: samples that an outage orphaned would look like a slow server"));
        return true;
    }

    private static boolean stationary(List<Finding> findings, @Nullable Trend throughput, @Nullable Trend latency) {
        if (throughput == null) {
            findings.add(new Finding(
                    Finding.Weight.UNKNOWN,
                    "stationarity",
                    "fewer than " + Trend.SLICES_MIN + " slices of time: too short to tell"));
            return true;
        }
        boolean changed = throughput.changed() || (latency != null && latency.changed());
        findings.add(new Finding(
                changed ? Finding.Weight.REMARK : Finding.Weight.GOOD,
                "stationarity",
                "completions a slice: " + throughput.text()
                        + (latency == null ? "" : "; median latency: " + latency.text())));
        return !changed;
    }

    /** The finding that weighs most against the run, with its evidence; empty if nothing does. */
    public Optional<String> worst() {
        return findings.stream()
                .filter(each -> each.weight() == Finding.Weight.BAD || each.weight() == Finding.Weight.REMARK)
                .findFirst()
                .map(each -> each.what() + ": " + each.evidence());
    }

    /** What it comes to, in a few words. */
    public String summary() {
        String held = switch (limit) {
            case CLIENT -> "limited by the client";
            case SERVER -> "limited by the server";
            case NOT_STATIONARY -> "not stationary";
            case NONE -> "what was offered was served";
            case UNKNOWN -> "what limits it cannot be told";
        };
        return validity + ", " + held;
    }
}
