package io.metricsaggregator.export;

import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Exports the samples by label: counters and gauges with the labels {@code key} and {@code value}. */
final class LabelExport {
    private static final double SECONDS = 1e-9;

    private LabelExport() {}

    static void add(LabelBreakdown breakdown, String prefix, DistinctMetrics out) {
        for (LabelBreakdown.Key key : breakdown.keys()) {
            for (LabelBreakdown.Value each : key.values()) {
                Map<String, String> labels = Map.of("key", key.name(), "value", each.value());
                counter(out, prefix + "label_issued", "samples issued, by label", labels, each.issued());
                counter(
                        out,
                        prefix + "label_completed",
                        "samples completed, failed ones included, by label",
                        labels,
                        each.completed());
                counter(out, prefix + "label_failed", "completions after an error, by label", labels, each.failed());
                known(out, prefix + "label_input_tokens", "prompt tokens, by label", labels, each.knownInputTokens());
                known(
                        out,
                        prefix + "label_output_tokens",
                        "output tokens of successes, by label",
                        labels,
                        each.knownOutputTokens());
                out.add(new Exported.Gauge(
                        prefix + "label_in_flight", "samples in flight, by label", labels, (double) each.inFlight()));
                latency(out, prefix, labels, each.latency());
                known(out, prefix + "label_good", "samples that met the objectives, by label", labels, each.good());
                if (each.timePerToken() != null) {
                    out.add(new Exported.Gauge(
                            prefix + "label_tpot_p50_seconds",
                            "median time per output token, by label",
                            labels,
                            each.timePerToken().p50Nanos() * SECONDS));
                }
                if (each.progress() != null) {
                    ProgressExport.add(each.progress(), prefix, labels, out);
                }
            }
            Double share = key.maxOverMean();
            if (share != null) {
                out.add(new Exported.Gauge(
                        prefix + "label_max_over_mean",
                        "completions of the value with the most over the mean of all values",
                        Map.of("key", key.name()),
                        share));
            }
        }
    }

    private static void latency(
            DistinctMetrics out,
            String prefix,
            Map<String, String> labels,
            LabelBreakdown.@Nullable Durations latency) {
        if (latency != null) {
            out.add(new Exported.Gauge(
                    prefix + "label_latency_p50_seconds",
                    "median latency of successes, by label",
                    labels,
                    latency.p50Nanos() * SECONDS));
            out.add(new Exported.Gauge(
                    prefix + "label_latency_p99_seconds",
                    "99th percentile of the latency of successes, by label",
                    labels,
                    latency.p99Nanos() * SECONDS));
        }
    }

    private static void known(
            DistinctMetrics out, String name, String help, Map<String, String> labels, @Nullable Long value) {
        if (value != null) {
            counter(out, name, help, labels, value);
        }
    }

    private static void counter(DistinctMetrics out, String name, String help, Map<String, String> labels, long value) {
        out.add(new Exported.Counter(name, help, labels, (double) value));
    }
}
