package io.metricsaggregator.report.plot;

import java.util.List;
import java.util.Map;

/**
 * The unit in which a plot shows a series, by the series' name: names of Prometheus end with their unit, and exporters of GPUs and of inference servers
 * document those that do not.
 *
 * @param axis the unit of the axis
 * @param factor the values are multiplied by it
 */
record SeriesUnit(AxisUnit axis, double factor) {
    private static final double KIB = 1024;
    private static final String[] BINARY = {"B", "KiB", "MiB", "GiB", "TiB"};

    /** Units of DCGM's fields by the end of their names, and of series of servers that count things. */
    private static final Map<String, String> DOCUMENTED = Map.ofEntries(
            Map.entry("POWER_USAGE", "W"),
            Map.entry("power_usage", "W"),
            Map.entry("POWER_USAGE_INSTANT", "W"),
            Map.entry("TOTAL_ENERGY_CONSUMPTION", "mJ"),
            Map.entry("energy_consumption", "J"),
            Map.entry("GPU_TEMP", "°C"),
            Map.entry("MEMORY_TEMP", "°C"),
            Map.entry("GPU_UTIL", "%"),
            Map.entry("MEM_COPY_UTIL", "%"),
            Map.entry("ENC_UTIL", "%"),
            Map.entry("DEC_UTIL", "%"),
            Map.entry("SM_CLOCK", "MHz"),
            Map.entry("MEM_CLOCK", "MHz"),
            Map.entry("FB_USED", "MiB"),
            Map.entry("FB_FREE", "MiB"),
            Map.entry("FB_TOTAL", "MiB"),
            Map.entry("FB_RESERVED", "MiB"),
            Map.entry("PIPE_TENSOR_ACTIVE", "1"),
            Map.entry("PIPE_FP16_ACTIVE", "1"),
            Map.entry("PIPE_FP32_ACTIVE", "1"),
            Map.entry("DRAM_ACTIVE", "1"),
            Map.entry("SM_ACTIVE", "1"),
            Map.entry("SM_OCCUPANCY", "1"),
            Map.entry("GR_ENGINE_ACTIVE", "1"),
            Map.entry("PCIE_TX_BYTES", "bytes/s"),
            Map.entry("PCIE_RX_BYTES", "bytes/s"),
            Map.entry("NVLINK_TX_BYTES", "bytes/s"),
            Map.entry("NVLINK_RX_BYTES", "bytes/s"),
            Map.entry("gpu_utilization", "1"),
            Map.entry("cache_usage_perc", "1"),
            Map.entry("cache_usage", "1"),
            Map.entry("requests_running", "requests"),
            Map.entry("requests_waiting", "requests"),
            Map.entry("requests_swapped", "requests"),
            Map.entry("running_reqs", "requests"),
            Map.entry("queue_reqs", "requests"),
            Map.entry("pending_request_count", "requests"),
            Map.entry("request_success", "requests"),
            Map.entry("request_failure", "requests"),
            Map.entry("inference_count", "inferences"),
            Map.entry("exec_count", "executions"));

    /** The last words of names that are their units. */
    private static final List<String> UNITS = List.of(
            "seconds",
            "milliseconds",
            "us",
            "ns",
            "bytes",
            "ratio",
            "perc",
            "celsius",
            "watts",
            "joules",
            "tokens",
            "requests",
            "preemptions",
            "errors",
            "queries",
            "hits");

    /**
     * The unit of a scraped series.
     *
     * @param rate whether its values are rates per second
     * @param largest its largest value, which chooses KiB, MiB or GiB
     */
    static SeriesUnit of(String name, boolean rate, double largest) {
        String bare = withoutEnd(name, "_total");
        for (Map.Entry<String, String> each : DOCUMENTED.entrySet()) {
            if (bare.endsWith(each.getKey())) {
                return known(each.getValue(), rate, largest);
            }
        }
        if (bare.endsWith("_count")) {
            return known("values", rate, largest);
        }
        String quantity = withoutEnd(bare, "_sum");
        for (String unit : UNITS) {
            if (quantity.endsWith("_" + unit) || quantity.endsWith(":" + unit)) {
                return known(unit, rate, largest);
            }
        }
        return known("", rate, largest);
    }

    private static String withoutEnd(String name, String end) {
        return name.endsWith(end) ? name.substring(0, name.length() - end.length()) : name;
    }

    /** The unit of a custom metric, as its producer names it. */
    static SeriesUnit named(String unit, boolean rate, double largest) {
        return known(
                switch (unit) {
                    case "s", "sec", "second" -> "seconds";
                    case "ms", "millisecond" -> "milliseconds";
                    case "byte", "B", "By" -> "bytes";
                    default -> unit;
                },
                rate,
                largest);
    }

    private static SeriesUnit known(String unit, boolean rate, double largest) {
        return switch (unit) {
            case "seconds" -> durations(rate, 1);
            case "milliseconds" -> durations(rate, 1e-3);
            case "us" -> durations(rate, 1e-6);
            case "ns" -> durations(rate, 1e-9);
            case "bytes" -> bytes(rate, largest);
            case "bytes/s" -> bytes(true, largest);
            case "1", "ratio", "perc" ->
                rate ? new SeriesUnit(AxisUnit.of("1/s"), 1) : new SeriesUnit(AxisUnit.PERCENT, 100);
            case "celsius" -> new SeriesUnit(AxisUnit.of("°C"), 1);
            case "watts" -> new SeriesUnit(AxisUnit.of("W"), 1);
            case "joules", "J" -> rate ? new SeriesUnit(AxisUnit.of("W"), 1) : new SeriesUnit(AxisUnit.of("J"), 1);
            case "mJ" -> rate ? new SeriesUnit(AxisUnit.of("W"), 1e-3) : new SeriesUnit(AxisUnit.of("J"), 1e-3);
            case "" -> new SeriesUnit(AxisUnit.of(rate ? "events/s" : ""), 1);
            default -> new SeriesUnit(AxisUnit.of(rate ? unit + "/s" : unit), 1);
        };
    }

    /** Durations as milliseconds; the growth of a sum of durations, such as the time spent in requests, as seconds per second. */
    private static SeriesUnit durations(boolean rate, double seconds) {
        return rate ? new SeriesUnit(AxisUnit.of("s/s"), seconds) : new SeriesUnit(AxisUnit.MILLIS, 1e3 * seconds);
    }

    /** Bytes in the binary unit that makes the largest value at least 1. */
    private static SeriesUnit bytes(boolean rate, double largest) {
        int power = 0;
        double factor = 1;
        while (power < BINARY.length - 1 && largest * factor >= KIB) {
            factor /= KIB;
            power++;
        }
        return new SeriesUnit(AxisUnit.of(BINARY[power] + (rate ? "/s" : "")), factor);
    }
}
