package io.metricsaggregator.fleet;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.NodeRow;
import io.metricsaggregator.snapshot.Nodes;
import io.metricsaggregator.snapshot.OptionalFigures;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.SuccessSeries;
import io.metricsaggregator.snapshot.figures.SelfCost;
import io.metricsaggregator.snapshot.histogram.SeriesPart;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of a node, checked, and reduced to what the sum needs. Immutable.
 *
 * @param counter number of the snapshot
 * @param timestampNanos the node's monotonic clock
 * @param state state of the node's session
 * @param pendingTasks texts that the node has not counted
 * @param counters its counters by name, in their order
 * @param series its series by name, in their order
 * @param extensions with the node's name in front of names and with times on the fleet's clock; without slices
 * @param latencyP99Nanos 99th percentile of the latency; null without samples
 * @param sessionStartWallNanos start of the session by the node's wall clock; 0 if unknown
 * @param intervalNanos time between its snapshots; 0 if unknown
 */
record NodeFrame(
        long counter,
        long timestampNanos,
        SessionState state,
        long pendingTasks,
        Map<String, Long> counters,
        Map<String, SeriesPart> series,
        SnapshotExtensions extensions,
        @Nullable Long latencyP99Nanos,
        long sessionStartWallNanos,
        long intervalNanos) {
    private static final int METRICS_MAX = 1024;
    private static final int NAME_MAX = 256;
    private static final int TEXTS_MAX = 1 << 16;
    /** Most bytes of inflated histograms of one node. */
    private static final long COUNTS_MAX_BYTES = 16 << 20;

    /**
     * Reduces a snapshot.
     *
     * @param extensions those of the snapshot
     * @param name name of the node
     * @param before the frame before, whose parts are kept where nothing was recorded since; null without one
     * @throws RefusedNodeException if the snapshot cannot be added to others
     */
    static NodeFrame of(
            MetricsSnapshot snapshot,
            SnapshotExtensions extensions,
            String name,
            long shiftNanos,
            @Nullable NodeFrame before,
            Inflater inflater)
            throws RefusedNodeException {
        if (snapshot.metrics().size() > METRICS_MAX) {
            throw new RefusedNodeException("more than " + METRICS_MAX + " metrics");
        }
        Map<String, Long> counters = new LinkedHashMap<>();
        for (CounterMetric each : snapshot.counters()) {
            requireName(each.name());
            counters.put(each.name(), each.value());
        }
        Map<String, SeriesPart> series = new LinkedHashMap<>();
        long bytes = 0;
        for (SeriesMetric each : snapshot.series()) {
            requireName(each.name());
            if (counters.containsKey(each.name())) {
                throw new RefusedNodeException(each.name() + " is a counter and a series");
            }
            SeriesPart part = part(each, before, inflater);
            bytes += part.counts() == null ? 0 : part.counts().bytes();
            if (bytes > COUNTS_MAX_BYTES) {
                throw new RefusedNodeException("histograms of more than " + (COUNTS_MAX_BYTES >> 20) + " MiB");
            }
            series.put(each.name(), part);
        }
        requireShort(extensions.run());
        SelfCost self = extensions.self();
        boolean fleet = extensions.optional().nodes() != null;
        return new NodeFrame(
                snapshot.counter(),
                snapshot.timestampNanos(),
                snapshot.state(),
                snapshot.pendingTasks(),
                counters,
                series,
                new NodeExtensions(name, fleet, shiftNanos).of(extensions),
                latency(snapshot),
                sessionStart(snapshot, extensions),
                self == null ? 0 : Math.max(0, self.tickIntervalNanos()));
    }

    private static SeriesPart part(SeriesMetric series, @Nullable NodeFrame before, Inflater inflater)
            throws RefusedNodeException {
        try {
            return SeriesPart.of(series, before == null ? null : before.series.get(series.name()), inflater);
        } catch (MalformedMessageException e) {
            throw new RefusedNodeException(String.valueOf(e.getMessage()));
        }
    }

    /** Refuses texts that would make every snapshot of the fleet large. */
    private static void requireShort(RunInfo run) throws RefusedNodeException {
        long characters = 0;
        for (Map<String, String> each : List.of(run.settings(), run.environment(), run.labels())) {
            for (Map.Entry<String, String> entry : each.entrySet()) {
                characters += entry.getKey().length() + entry.getValue().length();
            }
        }
        if (characters > TEXTS_MAX) {
            throw new RefusedNodeException(
                    "settings, environment and labels of more than " + TEXTS_MAX + " characters");
        }
    }

    /** The same frame without rows and optional figures, which could not be merged with those of other nodes. */
    NodeFrame bare() {
        SnapshotExtensions from = extensions;
        SnapshotExtensions bare = SnapshotExtensions.of(from.run(), from.inFlight(), from.slices())
                .rates(from.rates())
                .build();
        return new NodeFrame(
                counter,
                timestampNanos,
                state,
                pendingTasks,
                counters,
                series,
                bare.withOptional(OptionalFigures.NONE.withNodes(from.optional().nodes())),
                latencyP99Nanos,
                sessionStartWallNanos,
                intervalNanos);
    }

    private static void requireName(String name) throws RefusedNodeException {
        if (name.isEmpty() || name.length() > NAME_MAX) {
            throw new RefusedNodeException("a metric whose name has " + name.length() + " characters");
        }
    }

    /** The p99 latency of successes; null without any. */
    private static @Nullable Long latency(MetricsSnapshot snapshot) {
        SeriesMetric all = find(snapshot, SeriesName.SAMPLE_LATENCY_NS);
        SeriesMetric failed = find(snapshot, SeriesName.FAILED_SAMPLE_LATENCY_NS);
        SeriesMetric own = find(snapshot, SeriesName.SUCCEEDED_SAMPLE_LATENCY_NS);
        SeriesMetric shown = own != null ? own : failed == null ? all : null;
        Double p99 = shown == null ? null : shown.percentile("99.0");
        return p99 == null ? null : (Long) Math.round(p99);
    }

    private static @Nullable SeriesMetric find(MetricsSnapshot snapshot, SeriesName name) {
        SeriesMetric found = snapshot.series(name);
        return found == null || found.count() == 0 ? null : found;
    }

    private static long sessionStart(MetricsSnapshot snapshot, SnapshotExtensions extensions) {
        boolean started = extensions.slices().length() > 0;
        return started
                ? extensions.slices().startNanos() + (extensions.run().wallNanos() - snapshot.timestampNanos())
                : 0;
    }

    /** The durations of successes, without failures those of all if no sample in flight is among them; null without any, or if they are unknown. */
    @Nullable
    SeriesPart successes(SuccessSeries durations) {
        SeriesPart own = series.get(durations.succeeded().wire());
        if (own != null && own.count() > 0) {
            return own;
        }
        SeriesPart all = series.get(durations.all().wire());
        boolean alone = all != null && !hasFailures(durations) && all.count() == counterValue(durations.count());
        return alone ? all : null;
    }

    /** Whether there are durations of successes and of other samples, and nothing tells them apart. */
    boolean isMixed(SuccessSeries durations) {
        SeriesPart all = series.get(durations.all().wire());
        SeriesPart failed = series.get(durations.failed().wire());
        boolean some = counters.containsKey(durations.count().wire())
                ? counterValue(durations.count()) > 0
                : all != null && all.count() > (failed == null ? 0 : failed.count());
        return some && successes(durations) == null;
    }

    /** Whether samples failed, as far as the snapshot tells. */
    boolean hasFailures(SuccessSeries durations) {
        SeriesPart failed = series.get(durations.failed().wire());
        return failed == null ? counterValue(CounterName.TRACKED_SAMPLES_FAILED) > 0 : failed.count() > 0;
    }

    /** A counter; 0 if the snapshot does not have it. */
    long counterValue(CounterName name) {
        return counters.getOrDefault(name.wire(), 0L);
    }

    /** Rows of the nodes below, if the node is a fleet itself; empty for a daemon. */
    List<NodeRow> below() {
        Nodes nodes = extensions.optional().nodes();
        return nodes == null ? List.of() : nodes.rows();
    }

    /** Number of nodes that the node waits for, if it is a fleet; 0 if it was not told or is a daemon. */
    int expected() {
        Nodes nodes = extensions.optional().nodes();
        Long expected = nodes == null ? null : nodes.expected();
        return expected == null ? 0 : (int) Math.min(Integer.MAX_VALUE, Math.max(0, expected));
    }

    /** Whether the node is a fleet itself. */
    boolean isFleet() {
        return extensions.optional().nodes() != null;
    }
}
