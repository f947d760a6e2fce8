package io.metricsaggregator.snapshot;

import static io.metricsaggregator.snapshot.SnapshotCodec.integer;

import io.metricsaggregator.codec.MalformedMessageException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts a {@link SelfCost} to and from a map. */
final class SelfCostCodec {
    private SelfCostCodec() {}

    static Map<String, @Nullable Object> of(SelfCost self) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("ingest_lag_p50_ns", self.lagP50Nanos());
        tree.put("ingest_lag_p99_ns", self.lagP99Nanos());
        tree.put("ingest_lag_max_ns", self.lagMaxNanos());
        tree.put("ingest_lag_max_recent_ns", self.lagMaxRecentNanos());
        tree.put("reads", self.reads());
        tree.put("waiting_bytes", self.waitingBytes());
        tree.put("cpu_ns", self.cpuNanos());
        tree.put("events_cpu_ns", self.eventsCpuNanos());
        tree.put("events_allocated_bytes", self.eventsAllocatedBytes());
        tree.put("gc_pauses", self.gcPauses());
        tree.put("gc_ns", self.gcNanos());
        tree.put("heap_bytes", self.heapBytes());
        tree.put("values_bytes", self.valuesBytes());
        tree.put("spilled_bytes", self.spilledBytes());
        tree.put("resident_bytes", self.residentBytes());
        tree.put("tick_interval_ns", self.tickIntervalNanos());
        tree.put("ticks_lengthened", self.ticksLengthened());
        tree.put("tick_late_p99_ns", self.tickLateP99Nanos());
        tree.put("tick_late_max_ns", self.tickLateMaxNanos());
        tree.put("freeze_ns", self.freezeNanos());
        tree.put("render_ns", self.renderNanos());
        return tree;
    }

    static SelfCost read(Map<?, ?> tree) throws MalformedMessageException {
        return new SelfCost(
                figure(tree, "ingest_lag_p50_ns"),
                figure(tree, "ingest_lag_p99_ns"),
                figure(tree, "ingest_lag_max_ns"),
                figure(tree, "ingest_lag_max_recent_ns"),
                figure(tree, "reads"),
                figure(tree, "waiting_bytes"),
                figure(tree, "cpu_ns"),
                figure(tree, "events_cpu_ns"),
                figure(tree, "events_allocated_bytes"),
                figure(tree, "gc_pauses"),
                figure(tree, "gc_ns"),
                figure(tree, "heap_bytes"),
                figure(tree, "values_bytes"),
                figure(tree, "spilled_bytes"),
                figure(tree, "resident_bytes"),
                figure(tree, "tick_interval_ns"),
                figure(tree, "ticks_lengthened"),
                figure(tree, "tick_late_p99_ns"),
                figure(tree, "tick_late_max_ns"),
                figure(tree, "freeze_ns"),
                figure(tree, "render_ns"));
    }

    private static long figure(Map<?, ?> tree, String name) throws MalformedMessageException {
        return integer("self." + name, tree.get(name));
    }
}
