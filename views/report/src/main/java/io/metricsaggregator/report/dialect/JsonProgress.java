package io.metricsaggregator.report.dialect;

import io.metricsaggregator.snapshot.figures.Progress;
import io.metricsaggregator.snapshot.figures.Stall;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The part {@code progress} of the JSON report: how long the endpoints have not answered. */
final class JsonProgress {
    private JsonProgress() {}

    static Map<String, @Nullable Object> of(Progress progress) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("state", progress.state().wire());
        tree.put("idle_ns", progress.idleNanos());
        tree.put("limit_ns", progress.limitNanos());
        tree.put("longest_idle_ns", progress.longestIdleNanos());
        tree.put("endpoint_stalls", progress.endpointStalls());
        tree.put("stalled_ns", progress.stalledNanos());
        tree.put("interrupted_by", progress.interruptedBy());
        tree.put("stalls", progress.stalls().stream().map(JsonProgress::stall).toList());
        return tree;
    }

    private static Map<String, @Nullable Object> stall(Stall stall) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("since_start_ns", stall.sinceStartNanos());
        tree.put("duration_ns", stall.durationNanos());
        tree.put("in_flight", stall.inFlight());
        tree.put("issued_during", stall.issuedDuring());
        Stall.End end = stall.end();
        tree.put("end", end == null ? null : end.wire());
        return tree;
    }

    /** Adds the entries of a target to its row. */
    static void put(Map<String, @Nullable Object> row, Progress.Target target) {
        row.put("state", target.state().wire());
        row.put("idle_ns", target.idleNanos());
        row.put("longest_idle_ns", target.longestIdleNanos());
        row.put("endpoint_stalls", target.endpointStalls());
        row.put("stalled_ns", target.stalledNanos());
    }
}
