package io.metricsaggregator.export;

import io.metricsaggregator.snapshot.figures.Progress;
import io.metricsaggregator.snapshot.figures.ProgressState;
import java.util.Map;

/** Exports how long the endpoints have not answered; {@code endpoint_stalls} and {@code stalled_seconds} are counters of the snapshot. */
final class ProgressExport {
    private static final double SECONDS = 1e-9;

    private ProgressExport() {}

    static void add(Progress progress, DistinctMetrics out) {
        // Absent rather than 0 with nothing in flight: nothing is waited for.
        out.gauge(
                "endpoint_idle_seconds",
                "time since the last chunk, completion or error, with samples in flight",
                Map.of(),
                DistinctMetrics.seconds(progress.idleNanos()));
        out.gauge(
                "endpoint_longest_idle_seconds",
                "the longest wait for an answer so far",
                Map.of(),
                progress.longestIdleNanos() * SECONDS);
        out.gauge(
                "endpoint_stalled",
                "1 if no endpoint has answered for as long as --endpoint-idle, else 0",
                Map.of(),
                progress.state() == ProgressState.STALLED ? 1.0 : 0.0);
    }

    /** Exports the wait of one value of a label. */
    static void add(Progress.Target target, Map<String, String> labels, DistinctMetrics out) {
        out.gauge(
                "label_idle_seconds",
                "time since the last chunk, completion or error, with samples in flight, by label",
                labels,
                DistinctMetrics.seconds(target.idleNanos()));
        out.counter(
                "label_endpoint_stalls",
                "spans without an answer as long as --endpoint-idle, by label",
                labels,
                target.endpointStalls());
        out.counter(
                "label_stalled_seconds",
                "sum of the lengths of those spans, by label",
                labels,
                target.stalledNanos() * SECONDS);
    }
}
