package io.metricsaggregator.runs;

import io.metricsaggregator.report.HdrExport;
import io.metricsaggregator.snapshot.Additions;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.Goodput;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.Outage;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SessionInfo;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SlowSample;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The last snapshots of several daemons that measured at the same time, as one. Counters add up; durations of the whole, which ran
 * side by side, are the longest; series add up as {@link SeriesMerge} has it.
 */
public final class SnapshotMerge {
    private static final Set<String> LONGEST =
            Set.of("tracked_duration_ns", "total_duration_ns", "legacy_loadgen_window_duration_ns");

    private final List<MetricsSnapshot> parts;

    private SnapshotMerge(List<MetricsSnapshot> parts) {
        this.parts = List.copyOf(parts);
    }

    /**
     * Merges snapshots.
     *
     * @param parts at least one
     * @throws IllegalArgumentException if a run is there twice, or a series is of two kinds
     */
    public static MetricsSnapshot merge(List<MetricsSnapshot> parts) {
        if (parts.isEmpty()) {
            throw new IllegalArgumentException("there is nothing to merge");
        }
        Set<String> ids = new HashSet<>();
        for (MetricsSnapshot part : parts) {
            Additions additions = part.additions();
            if (additions != null && !ids.add(additions.run().runId())) {
                throw new IllegalArgumentException("run " + additions.run().runId() + " is there twice");
            }
        }
        return new SnapshotMerge(parts).merge();
    }

    private MetricsSnapshot merge() {
        Map<String, List<Metric>> byName = new LinkedHashMap<>();
        for (MetricsSnapshot part : parts) {
            for (Metric metric : part.metrics()) {
                byName.computeIfAbsent(metric.name(), name -> new ArrayList<>()).add(metric);
            }
        }
        List<Metric> merged = new ArrayList<>();
        byName.forEach((name, metrics) -> merged.add(metric(name, metrics)));
        boolean complete = parts.stream().allMatch(part -> part.state() == SessionState.COMPLETE);
        return new MetricsSnapshot(
                parts.stream().mapToLong(MetricsSnapshot::counter).max().orElse(0),
                parts.stream().mapToLong(MetricsSnapshot::timestampNanos).max().orElse(0),
                complete ? SessionState.COMPLETE : SessionState.INTERRUPTED,
                parts.stream().mapToLong(MetricsSnapshot::pendingTasks).sum(),
                merged,
                additions());
    }

    private static Metric metric(String name, List<Metric> metrics) {
        if (metrics.stream().allMatch(CounterMetric.class::isInstance)) {
            long value = 0;
            for (Metric each : metrics) {
                long one = ((CounterMetric) each).value();
                value = LONGEST.contains(name) ? Math.max(value, one) : Math.addExact(value, one);
            }
            return new CounterMetric(name, value);
        }
        if (!metrics.stream().allMatch(SeriesMetric.class::isInstance)) {
            throw new IllegalArgumentException(name + " is a counter in one run and a series in another");
        }
        return SeriesMerge.merge(
                name, metrics.stream().map(SeriesMetric.class::cast).toList());
    }

    private @Nullable Additions additions() {
        List<Additions> all = new ArrayList<>();
        for (MetricsSnapshot part : parts) {
            if (part.additions() == null) {
                return null;
            }
            all.add(part.additions());
        }
        return new Additions(
                run(all),
                new Additions.InFlight(
                        all.stream().mapToLong(each -> each.inFlight().count()).sum(),
                        all.stream()
                                .mapToLong(each -> each.inFlight().tracked())
                                .sum(),
                        all.stream().mapToLong(each -> each.inFlight().failed()).sum(),
                        all.stream().mapToLong(each -> each.inFlight().peak()).sum(),
                        all.stream()
                                .mapToLong(each -> each.inFlight().oldestAgeNanos())
                                .max()
                                .orElse(0)),
                List.of(),
                workers(all),
                errors(all),
                malformed(all),
                SlicesMerge.merge(all.stream().map(Additions::slices).toList()),
                slowest(all),
                goodput(all),
                observations(all),
                null,
                session(all),
                outages(all));
    }

    /** Of all runs, by time. */
    private static List<Outage> outages(List<Additions> all) {
        return all.stream()
                .flatMap(each -> each.outages().stream())
                .sorted(Comparator.comparingLong(Outage::fromWallNanos))
                .toList();
    }

    /** Of all runs: what is true of the whole; null if one of them does not say. */
    private static @Nullable SessionInfo session(List<Additions> all) {
        boolean started = true;
        boolean tracking = true;
        boolean interrupted = false;
        Set<@Nullable Long> sizes = new HashSet<>();
        for (Additions each : all) {
            SessionInfo own = each.session();
            if (own == null) {
                return null;
            }
            started &= own.started();
            tracking &= own.tracking();
            interrupted |= own.interrupted();
            sizes.add(own.superPassSize());
        }
        return new SessionInfo(
                started,
                tracking,
                interrupted,
                sizes.size() == 1 ? sizes.iterator().next() : null);
    }

    /** As many of the slowest as one run has, on the merged run's time, in which every run starts at 0. */
    private static List<SlowSample> slowest(List<Additions> all) {
        List<SlowSample> merged = new ArrayList<>();
        for (String by : List.of(SlowSample.LATENCY, SlowSample.TTFT)) {
            List<SlowSample> of = new ArrayList<>();
            int most = 0;
            for (Additions each : all) {
                List<SlowSample> own = each.slowest().stream()
                        .filter(one -> one.by().equals(by))
                        .toList();
                most = Math.max(most, own.size());
                own.forEach(one -> of.add(since(one, each.slices().startNanos())));
            }
            of.stream()
                    .sorted(Comparator.comparingLong(SlowSample::nanos)
                            .reversed()
                            .thenComparing(SlowSample::id)
                            .thenComparingLong(SlowSample::issuedNanos))
                    .limit(most)
                    .forEach(merged::add);
        }
        return merged;
    }

    private static SlowSample since(SlowSample sample, long startNanos) {
        return new SlowSample(
                sample.by(),
                sample.id(),
                sample.worker(),
                sample.nanos(),
                sample.failed(),
                sample.scheduledNanos() == null ? null : Long.valueOf(sample.scheduledNanos() - startNanos),
                sample.issuedNanos() - startNanos,
                sample.firstNanos() == null ? null : Long.valueOf(sample.firstNanos() - startNanos),
                sample.lastNanos() == null ? null : Long.valueOf(sample.lastNanos() - startNanos),
                sample.completedNanos() - startNanos);
    }

    /** Kinds that one of the runs has; those of several cannot be added up from what snapshots say. */
    private static Map<String, Object> observations(List<Additions> all) {
        Map<String, Object> merged = new LinkedHashMap<>();
        all.forEach(each -> each.observations().forEach(merged::putIfAbsent));
        merged.keySet().removeAll(ofSeveral(all));
        return merged;
    }

    private static Set<String> ofSeveral(List<Additions> all) {
        Set<String> once = new LinkedHashSet<>();
        Set<String> several = new LinkedHashSet<>();
        all.forEach(each -> each.observations().keySet().forEach(kind -> {
            if (!once.add(kind)) {
                several.add(kind);
            }
        }));
        return several;
    }

    private static Additions.RunInfo run(List<Additions> all) {
        List<String> ids = all.stream().map(each -> each.run().runId()).toList();
        List<String> exposures = new ArrayList<>();
        List<String> words = new ArrayList<>();
        words.add(
                "merged of " + ids.size() + " runs: " + String.join(", ", ids)
                        + "; counters add up, durations of the whole are the longest, the peak in flight is at most the sum of theirs");
        ofSeveral(all)
                .forEach(kind -> words.add("what several of the runs know of " + kind
                        + " is left out: it does not add up; see" + " each of them"));
        Map<String, String> environment = new LinkedHashMap<>();
        Map<String, String> settings = new LinkedHashMap<>();
        for (Additions each : all) {
            exposures.addAll(each.run().exposures());
            words.addAll(each.run().recomputed());
            each.run().environment().forEach((name, value) -> environment.merge(name, value, SnapshotMerge::both));
            each.run().settings().forEach((name, value) -> settings.merge(name, value, SnapshotMerge::both));
        }
        return new Additions.RunInfo(
                Additions.RunInfo.SCHEMA_VERSION,
                "merged-" + Integer.toHexString(ids.hashCode()),
                all.get(0).run().version(),
                all.stream()
                        .mapToLong(each -> each.run().startedWallNanos())
                        .min()
                        .orElse(0),
                all.stream().mapToLong(each -> each.run().wallNanos()).max().orElse(0),
                exposures,
                words,
                environment,
                settings);
    }

    private static String both(String one, String other) {
        return one.equals(other) || List.of(one.split(" / ")).contains(other) ? one : one + " / " + other;
    }

    /** Workers of two runs may share a name: then the run's id stands in front. */
    private static List<Additions.WorkerRow> workers(List<Additions> all) {
        Map<String, Integer> uses = new LinkedHashMap<>();
        all.forEach(each -> each.workers().forEach(row -> uses.merge(row.worker(), 1, Integer::sum)));
        List<Additions.WorkerRow> rows = new ArrayList<>();
        for (Additions each : all) {
            for (Additions.WorkerRow row : each.workers()) {
                String name = uses.getOrDefault(row.worker(), 0) > 1
                        ? each.run().runId() + "/" + (row.worker().isEmpty() ? "unnamed" : row.worker())
                        : row.worker();
                rows.add(new Additions.WorkerRow(
                        name,
                        row.records(),
                        row.issued(),
                        row.completed(),
                        row.failed(),
                        row.sequenceGaps(),
                        row.sequenceLost(),
                        row.sequenceRepeated(),
                        row.sequenceUnknownStart(),
                        row.sequenceRestarts()));
            }
        }
        return rows;
    }

    private static List<Additions.ErrorRow> errors(List<Additions> all) {
        Map<List<String>, Additions.ErrorRow> rows = new LinkedHashMap<>();
        for (Additions each : all) {
            for (Additions.ErrorRow row : each.errors()) {
                rows.merge(
                        List.of(row.event(), row.type()),
                        row,
                        (a, b) -> new Additions.ErrorRow(
                                a.event(),
                                a.type(),
                                a.count() + b.count(),
                                a.message(),
                                Math.min(a.firstNanos(), b.firstNanos()),
                                Math.max(a.lastNanos(), b.lastNanos())));
            }
        }
        return List.copyOf(rows.values());
    }

    private static List<Additions.MalformedRow> malformed(List<Additions> all) {
        Map<String, Long> rows = new LinkedHashMap<>();
        all.forEach(each -> each.malformed().forEach(row -> rows.merge(row.reason(), row.count(), Long::sum)));
        return rows.entrySet().stream()
                .map(each -> new Additions.MalformedRow(each.getKey(), each.getValue()))
                .toList();
    }

    /** Null unless all runs had the same objectives. */
    private static @Nullable Goodput goodput(List<Additions> all) {
        Goodput sum = all.get(0).goodput();
        for (Additions each : all.subList(1, all.size())) {
            Goodput next = each.goodput();
            if (sum == null || next == null || sum.targetShare() != next.targetShare()) {
                return null;
            }
            List<Goodput.Constraint> limits = new ArrayList<>();
            for (Goodput.Constraint limit : sum.constraints()) {
                Goodput.Constraint same = next.constraints().stream()
                        .filter(other -> other.name().equals(limit.name()) && other.limitNanos() == limit.limitNanos())
                        .findFirst()
                        .orElse(null);
                if (same == null
                        || next.constraints().size() != sum.constraints().size()) {
                    return null;
                }
                limits.add(new Goodput.Constraint(limit.name(), limit.limitNanos(), limit.met() + same.met()));
            }
            sum = new Goodput(
                    limits,
                    sum.targetShare(),
                    sum.judged() + next.judged(),
                    sum.good() + next.good(),
                    sum.unjudged() + next.unjudged());
        }
        return sum;
    }

    /** Whether a snapshot carries what merging needs. */
    public static boolean canMerge(MetricsSnapshot snapshot) {
        return snapshot.metrics().stream()
                .allMatch(metric -> !(metric instanceof SeriesMetric series)
                        || series.count() == 0
                        || HdrExport.histogram(series) != null);
    }
}
