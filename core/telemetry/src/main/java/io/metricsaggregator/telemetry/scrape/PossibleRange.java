package io.metricsaggregator.telemetry.scrape;

import io.metricsaggregator.telemetry.triton.TritonWindow;
import java.util.Map;

/**
 * The range of scraped shares and percentages. An exporter that prints another value did not measure it: DCGM reports a utilisation of some hundred
 * million per cent now and then, and one such value decides a mean and a maximum.
 */
final class PossibleRange {
    /** Rounding errors of exporters are no reason to leave a value out. */
    private static final double TOLERANCE = 1.01;

    private static final Map<String, Double> MOST = Map.ofEntries(
            Map.entry("DCGM_FI_DEV_GPU_UTIL", 100.0),
            Map.entry("DCGM_FI_DEV_MEM_COPY_UTIL", 100.0),
            Map.entry("DCGM_FI_DEV_ENC_UTIL", 100.0),
            Map.entry("DCGM_FI_DEV_DEC_UTIL", 100.0),
            Map.entry("nv_gpu_utilization", 1.0),
            Map.entry("vllm:kv_cache_usage_perc", 1.0),
            Map.entry("vllm:gpu_cache_usage_perc", 1.0),
            Map.entry("vllm:cpu_cache_usage_perc", 1.0),
            Map.entry("vllm:gpu_prefix_cache_hit_rate", 1.0),
            Map.entry("sglang:token_usage", 1.0),
            Map.entry("sglang:cache_hit_rate", 1.0));

    private PossibleRange() {}

    /** Whether a value lies outside the range of its metric; false for metrics without one, NaN, infinities and DCGM's blank values. */
    static boolean excludes(String name, double value) {
        Double most = name.startsWith("DCGM_FI_PROF_") && name.endsWith("_ACTIVE") ? (Double) 1.0 : MOST.get(name);
        return most != null
                && Double.isFinite(value)
                && !TritonWindow.isBlank(value)
                && (value < 0 || value > most * TOLERANCE);
    }
}
