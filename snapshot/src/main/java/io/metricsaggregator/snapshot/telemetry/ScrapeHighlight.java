package io.metricsaggregator.snapshot.telemetry;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The well-known figures of one scraped server or GPU: growth of counters, last values of gauges.
 *
 * @param name the server's instance, or the GPU's instance, device and slice
 * @param figures those that the exporter exposes, in display order
 */
public record ScrapeHighlight(String name, Map<Figure, Double> figures) {
    /** A figure of a server (vLLM, Triton) or of a GPU (DCGM, Triton). */
    public enum Figure {
        /** Requests running. */
        RUNNING("running"),
        /** Requests waiting. */
        WAITING("waiting"),
        /** KV cache in use, 0 to 1. */
        KV_CACHE_USAGE("kv_cache_usage"),
        /** Requests preempted. */
        PREEMPTIONS("preemptions"),
        /** Tokens generated. */
        GENERATION_TOKENS("generation_tokens"),
        /** Prompt tokens processed. */
        PROMPT_TOKENS("prompt_tokens"),
        /** Requests pending in Triton. */
        PENDING("pending"),
        /** Requests that Triton completed. */
        REQUESTS("requests"),
        /** Requests that failed in Triton. */
        FAILURES("failures"),
        /** Power draw, watts. */
        POWER_WATTS("power_w"),
        /** GPU in use, percent. */
        UTILIZATION_PERCENT("util_pct"),
        /** Temperature, °C. */
        TEMPERATURE_CELSIUS("temp_c"),
        /** Frame buffer in use, MiB. */
        MEMORY_USED_MIB("memory_used_mib"),
        /** Frame buffer free, MiB. */
        MEMORY_FREE_MIB("memory_free_mib"),
        /** Share of the time in which the tensor pipe was active, 0 to 1. */
        TENSOR_ACTIVE("tensor_active"),
        /** Share of the time in which the memory interface was active, 0 to 1. */
        DRAM_ACTIVE("dram_active"),
        /** GPU in use, 0 to 1. */
        UTILIZATION_RATIO("util_ratio");

        private static final Map<String, Figure> BY_NAME =
                Stream.of(values()).collect(Collectors.toMap(Figure::wireName, Function.identity()));

        private final String wireName;

        Figure(String wireName) {
            this.wireName = wireName;
        }

        /** The name in a snapshot. */
        public String wireName() {
            return wireName;
        }

        /** The figure of that name; null for none. */
        static @Nullable Figure of(String wireName) {
            return BY_NAME.get(wireName);
        }
    }
}
