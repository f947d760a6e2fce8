package io.metricsaggregator.fleet;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.runs.KeptLabels;
import io.metricsaggregator.runs.LiveMerge;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.NodeState;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.SuccessSeries;
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import io.metricsaggregator.snapshot.figures.Rate;
import io.metricsaggregator.snapshot.histogram.SeriesAdder;
import io.metricsaggregator.snapshot.histogram.SeriesPart;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds up the last snapshots of all nodes: counters and series of every node that was ever seen, rates of live nodes, and samples in flight of those
 * that are not lost. Belongs to the main loop.
 */
final class FleetSum {
    private static final Logger LOG = LoggerFactory.getLogger(FleetSum.class);
    private static final int NAMES_MAX = 2048;

    private final FleetIdentity identity;
    private final Merge merge;
    private final Map<String, SeriesAdder> series = new LinkedHashMap<>();
    private final Map<String, Boolean> counterNames = new LinkedHashMap<>();
    private final FleetSlices slices = new FleetSlices();
    private final KeptLabels labels = new KeptLabels();
    private final Deflater deflater = new Deflater(Deflater.BEST_SPEED);
    private long counter;

    FleetSum(FleetIdentity identity) {
        this(identity, LiveMerge::of);
    }

    /** A sum whose rows are merged otherwise; for tests of a merge that fails. */
    FleetSum(FleetIdentity identity, Merge merge) {
        this.identity = identity;
        this.merge = merge;
    }

    /** Merges rows and optional figures; throws what a defect in it throws. */
    interface Merge {
        SnapshotExtensions of(List<SnapshotExtensions> all, LiveMerge.Known known);
    }

    /** Why a snapshot cannot be added, in words; null if it can. A snapshot that can be added decides the precision of its new series. */
    @Nullable
    String objection(NodeFrame frame) {
        for (SeriesPart part : frame.series().values()) {
            String name = part.series().name();
            SeriesAdder sum = series.get(name);
            String reason = sum == null ? null : sum.objection(part);
            if (reason != null) {
                return reason;
            }
            if (counterNames.containsKey(name)) {
                return name + " is a series, and a counter of other nodes";
            }
        }
        for (String name : frame.counters().keySet()) {
            if (series.containsKey(name)) {
                return name + " is a counter, and a series of other nodes";
            }
        }
        long more = frame.series().keySet().stream()
                        .filter(name -> !series.containsKey(name))
                        .count()
                + frame.counters().keySet().stream()
                        .filter(name -> !counterNames.containsKey(name))
                        .count();
        if (series.size() + counterNames.size() + more > NAMES_MAX) {
            return "with it the fleet would have more than " + NAMES_MAX + " metrics";
        }
        for (SeriesPart part : frame.series().values()) {
            series.computeIfAbsent(part.series().name(), SeriesAdder::new).reserve(part);
        }
        frame.counters().keySet().forEach(name -> counterNames.put(name, true));
        return null;
    }

    /** Notes the first snapshot of a node, which may have begun long before. */
    void joined(NodeFrame first) {
        slices.joined(first);
    }

    /** Makes the next snapshot. */
    MetricsSnapshot next(NodeTable table, SessionState state, long nowNanos, long wallNanos, List<String> exposures) {
        List<FleetNode> nodes = table.counted();
        Map<String, Long> counters = new LinkedHashMap<>();
        counterNames.keySet().forEach(name -> counters.put(name, 0L));
        series.values().forEach(SeriesAdder::clear);
        List<SnapshotExtensions> extensions = new ArrayList<>();
        IdentityHashMap<SnapshotExtensions, LabelBreakdown.Value> totals = new IdentityHashMap<>();
        long pending = 0;
        for (FleetNode node : nodes) {
            NodeFrame frame = node.frame();
            if (frame != null) {
                frame.counters().forEach((name, value) -> counters.merge(name, value, (a, b) -> add(name, a, b)));
                frame.series().values().forEach(this::add);
                extensions.add(frame.extensions());
                if (!node.isStripped()) {
                    totals.put(frame.extensions(), total(frame));
                }
                pending += Math.max(0, frame.pendingTasks());
            }
        }
        for (SuccessSeries each : SuccessSeries.values()) {
            addSuccesses(each, nodes);
        }
        SnapshotExtensions.InFlight inFlight = inFlight(nodes, nowNanos);
        slices.tick(nowNanos, counters, series, inFlight.count());
        SnapshotExtensions merged = merged(
                nodes,
                extensions,
                () -> new LiveMerge.Known(
                        identity.info(nodes, extensions, wallNanos, exposures, nowNanos),
                        inFlight,
                        rates(nodes, nowNanos),
                        slices.slices(),
                        table.rows(nowNanos),
                        labels,
                        totals::get));
        if (labels.overLimit() > 0) {
            counters.merge(CounterName.LABELS_OVER_LIMIT.wire(), labels.overLimit(), FleetSum::plus);
        }
        List<Metric> metrics = new ArrayList<>();
        counters.forEach((name, value) -> metrics.add(new CounterMetric(name, value)));
        series.values().stream()
                .filter(SeriesAdder::hasParts)
                .forEach(each -> metrics.add(each.sum((what, a, b) -> plus(a, b), deflater)));
        return new MetricsSnapshot(++counter, nowNanos, state, pending, metrics, merged);
    }

    private static LabelBreakdown.Value total(NodeFrame frame) {
        SeriesPart inputs = frame.series().get(SeriesName.ISL.wire());
        return LiveMerge.total(
                frame.counters(), inputs == null ? 0 : inputs.series().total().longValue(), frame.extensions());
    }

    /** Merges rows and optional figures. A node whose own cannot be merged with those of the nodes before it loses them, not the fleet its snapshot. */
    private SnapshotExtensions merged(
            List<FleetNode> nodes, List<SnapshotExtensions> extensions, Supplier<LiveMerge.Known> known) {
        try {
            return merge.of(extensions, known.get());
        } catch (RuntimeException e) {
            LOG.warn("rows of nodes cannot be merged", e);
        }
        List<SnapshotExtensions> good = new ArrayList<>();
        for (int i = 0; i < extensions.size(); i++) {
            good.add(extensions.get(i));
            try {
                merge.of(good, known.get());
            } catch (RuntimeException e) {
                good.remove(good.size() - 1);
                nodes.get(i).strip("its rows cannot be merged: " + e);
            }
        }
        return merge.of(good, known.get());
    }

    /** Adds up the durations of successes anew: a node without failures has them in the series of all alone. Without one that is unknown, none. */
    private void addSuccesses(SuccessSeries durations, List<FleetNode> nodes) {
        String name = durations.succeeded().wire();
        boolean needed = nodes.stream()
                .anyMatch(each -> each.frame() != null && each.frame().hasFailures(durations));
        if (!needed && !series.containsKey(name)) {
            return;
        }
        SeriesAdder sum = series.computeIfAbsent(name, SeriesAdder::new);
        sum.clear();
        List<SeriesPart> parts = new ArrayList<>();
        for (FleetNode node : nodes) {
            NodeFrame frame = node.frame();
            SeriesPart part = frame == null ? null : frame.successes(durations);
            if (part != null) {
                parts.add(part);
            } else if (frame != null && frame.isMixed(durations)) {
                return;
            }
        }
        parts.forEach(sum::add);
    }

    private void add(SeriesPart part) {
        series.computeIfAbsent(part.series().name(), SeriesAdder::new).add(part);
    }

    private static long add(String name, long a, long b) {
        return LiveMerge.isLongest(name) ? Math.max(a, b) : plus(a, b);
    }

    private static long plus(long a, long b) {
        long sum = a + b;
        return ((a ^ sum) & (b ^ sum)) >= 0 ? sum : a < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }

    private static SnapshotExtensions.InFlight inFlight(List<FleetNode> nodes, long nowNanos) {
        long count = 0;
        long tracked = 0;
        long failed = 0;
        long peak = 0;
        long oldest = 0;
        boolean afterwards = false;
        for (FleetNode node : nodes) {
            NodeFrame frame = node.frame();
            if (frame != null) {
                SnapshotExtensions.InFlight own = frame.extensions().inFlight();
                peak += own.peak();
                if (node.state(nowNanos) != NodeState.LOST) {
                    count += own.count();
                    tracked += own.tracked();
                    failed += own.failed();
                    oldest = Math.max(oldest, own.oldestAgeNanos());
                    afterwards |= own.sentAfterwards() && !node.isEnded();
                }
            }
        }
        return new SnapshotExtensions.InFlight(count, tracked, failed, peak, oldest, afterwards);
    }

    private static List<Rate> rates(List<FleetNode> nodes, long nowNanos) {
        Map<Integer, Rate> byWindow = new TreeMap<>();
        for (FleetNode node : nodes) {
            NodeFrame frame = node.frame();
            if (frame != null && node.state(nowNanos) == NodeState.LIVE) {
                frame.extensions().rates().stream()
                        .limit(8)
                        .forEach(rate -> byWindow.merge(rate.windowSeconds(), rate, FleetSum::add));
            }
        }
        return List.copyOf(byWindow.values()).subList(0, Math.min(8, byWindow.size()));
    }

    private static Rate add(Rate a, Rate b) {
        return new Rate(
                a.windowSeconds(),
                Math.max(a.coveredSeconds(), b.coveredSeconds()),
                a.recordsPerSecond() + b.recordsPerSecond(),
                a.issuedPerSecond() + b.issuedPerSecond(),
                a.completedPerSecond() + b.completedPerSecond(),
                a.failedPerSecond() + b.failedPerSecond(),
                a.bytesPerSecond() + b.bytesPerSecond(),
                a.goodPerSecond() + b.goodPerSecond());
    }
}
