package io.metricsaggregator.snapshot.telemetry;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import io.metricsaggregator.snapshot.fields.Forms;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The well-known figures of one scraped server, GPU or host: growth of counters, last values of gauges.
 *
 * @param name the server's or host's instance, with its job where targets of several jobs have the instance, or the GPU's instance, device and slice
 * @param figures those that the exporter exposes, in display order
 */
public record ScrapeHighlight(String name, Map<Figure, Double> figures) {
    static final ScrapeHighlight BLANK = new ScrapeHighlight("", Map.of());

    private static final Fields.Keys KEYS = Forms.keys((key, tree) -> tree != null && Figure.of(key) != null);

    static ScrapeHighlight pass(Fields f, ScrapeHighlight v) throws MalformedMessageException {
        String name = f.laterText("name", v.name);
        Map<String, @Nullable Double> byName = new LinkedHashMap<>();
        v.figures.forEach((figure, value) -> byName.put(figure.wireName(), value));
        Map<Figure, Double> figures = new LinkedHashMap<>();
        f.others(byName, KEYS, Forms.REAL).forEach((key, value) -> {
            Figure figure = Figure.of(key);
            if (figure != null && value != null) {
                figures.put(figure, value);
            }
        });
        return new ScrapeHighlight(name, figures);
    }

    /** A figure of a server (vLLM, Triton), of a GPU (DCGM, Triton) or of a host (node_exporter). */
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
        UTILIZATION_RATIO("util_ratio"),
        /** Clock of the multiprocessors, MHz. */
        SM_CLOCK_MHZ("sm_clock_mhz"),
        /** Clock of the memory, MHz. */
        MEMORY_CLOCK_MHZ("memory_clock_mhz"),
        /** Temperature of the memory, °C. */
        MEMORY_TEMPERATURE_CELSIUS("memory_temp_c"),
        /** Number of the last XID error; 0 for none. */
        XID("xid"),
        /** Growth of the counter of NVLink traffic, in the unit of the driver. */
        NVLINK_TRAFFIC("nvlink_traffic"),
        /** Share of the time in which the graphics or compute engine was active, 0 to 1. */
        ENGINE_ACTIVE("engine_active"),
        /** Time throttled for power, in the unit of the exporter: µs, with newer drivers ns. */
        POWER_VIOLATION("power_violation"),
        /** Time throttled for temperature, in the same unit. */
        THERMAL_VIOLATION("thermal_violation"),
        /** Share of a host's CPU time that was neither idle nor waiting for disks, 0 to 1. */
        CPU_RATIO("cpu_ratio"),
        /** Memory available on a host, bytes. */
        MEMORY_AVAILABLE_BYTES("memory_available_bytes"),
        /** Time in which some task of a host waited for a CPU, seconds. */
        WAITED_CPU_SECONDS("waited_cpu_s"),
        /** Time in which some task of a host waited for memory, seconds. */
        WAITED_MEMORY_SECONDS("waited_memory_s"),
        /** Time in which some task of a host waited for disks, seconds. */
        WAITED_IO_SECONDS("waited_io_s"),
        /** Bytes that a host received, over all devices but {@code lo}. */
        RECEIVED_BYTES("received_bytes"),
        /** Bytes that a host sent, over all devices but {@code lo}. */
        SENT_BYTES("sent_bytes");

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
