package io.metricsaggregator.export;

import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Exports the samples by label: counters and gauges with the labels {@code key} and {@code value}. */
final class LabelExport {
    private static final double SECONDS = 1e-9;

    private LabelExport() {}

    static void add(LabelBreakdown breakdown, DistinctMetrics out) {
        for (LabelBreakdown.Key key : breakdown.keys()) {
            for (LabelBreakdown.Value each : key.values()) {
                Map<String, String> labels = Map.of("key", key.name(), "value", each.value());
                out.counter("label_issued", "samples issued, by label", labels, each.issued());
                out.counter(
                        "label_completed",
                        "samples completed, failed ones included, by label",
                        labels,
                        each.completed());
                out.counter("label_failed", "completions after an error, by label", labels, each.failed());
                out.counter("label_input_tokens", "prompt tokens, by label", labels, each.knownInputTokens());
                out.counter(
                        "label_output_tokens",
                        "output tokens of successes, by label",
                        labels,
                        each.knownOutputTokens());
                out.gauge("label_in_flight", "samples in flight, by label", labels, each.inFlight());
                latency(out, labels, each.latency());
                out.counter("label_good", "samples that met the objectives, by label", labels, each.good());
                if (each.timePerToken() != null) {
                    out.gauge(
                            "label_tpot_p50_seconds",
                            "median time per output token, by label",
                            labels,
                            each.timePerToken().p50Nanos() * SECONDS);
                }
                if (each.progress() != null) {
                    ProgressExport.add(each.progress(), labels, out);
                }
            }
            out.gauge(
                    "label_max_over_mean",
                    "completions of the value with the most over the mean of all values",
                    Map.of("key", key.name()),
                    key.maxOverMean());
        }
    }

    private static void latency(
            DistinctMetrics out, Map<String, String> labels, LabelBreakdown.@Nullable Durations latency) {

        if (latency != null) {
            out.gauge(
                    "label_latency_p50_seconds",
                    "median latency of successes, by label",
                    labels,
                    latency.p50Nanos() * SECONDS);
            out.gauge(
                    "label_latency_p99_seconds",
                    "99th percentile of the latency of successes, by label",
                    labels,
                    latency.p99Nanos() * SECONDS);
        }
    }
}
