package io.metricsaggregator.telemetry.resource;

import io.metricsaggregator.event.frame.TelemetryRecord;
import io.metricsaggregator.snapshot.telemetry.ResourceCounter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One resource sample of a node. A figure that was not reported is NaN, a counter −1.
 *
 * @param nanos time of the sample, on the clock that orders the node's samples
 * @param intervalSeconds the span that the CPU figures cover
 * @param cpus number of CPUs
 * @param average CPU use over all CPUs, in percent, likewise {@code lowest} and {@code highest} of any CPU
 * @param perCore use of each CPU in percent; empty if only the three figures were reported
 * @param memory memory in use, percent
 * @param disk use of the root file system, percent
 * @param counters bytes since the node's boot, by the ordinal of {@link ResourceCounter}
 * @param gauges values by name, of {@link #GAUGES}
 * @param boot id of the boot that the counters count from; empty if it was not reported
 */
record ResourceSample(
        long nanos,
        double intervalSeconds,
        double cpus,
        double average,
        double lowest,
        double highest,
        List<Double> perCore,
        double memory,
        double disk,
        List<Long> counters,
        Map<String, Double> gauges,
        String boot) {
    private static final ResourceCounter[] COUNTERS = ResourceCounter.values();

    /** Further figures of a host, in the unit that the name ends with; a sample has those that the host reports. */
    static final List<String> GAUGES = List.of(
            "load1",
            "run_queue",
            "memory_total_bytes",
            "memory_available_bytes",
            "pressure_cpu_some_pct",
            "pressure_memory_some_pct",
            "pressure_io_some_pct",
            "cgroup_cpu_limit",
            "cgroup_memory_limit_bytes",
            "cgroup_memory_bytes",
            "cgroup_throttled_pct");

    private static final List<String> REPORT_COUNTERS = List.of(
            "disk_io_read_mb",
            "disk_io_write_mb",
            "net_io_lo_sent_mb",
            "net_io_ext_sent_mb",
            "net_io_lo_recv_mb",
            "net_io_ext_recv_mb");
    private static final int CORES_MAX = 4096;
    private static final double CPUS_MAX = 1 << 20;
    private static final double INTERVAL_MAX_SECONDS = 86_400;
    /** Largest percentage: some producers count 100 % for each CPU. */
    private static final double PERCENT_MAX = 100.0 * CORES_MAX;

    private static final double MIB = 1 << 20;

    /**
     * Reads a {@code resource.sample}.
     *
     * @throws TelemetryRecord.Rejected if a field is missing, of another type or out of range
     */
    static ResourceSample of(TelemetryRecord from) throws TelemetryRecord.Rejected {
        List<Double> cores = List.of();
        double average;
        double lowest;
        double highest;
        if (from.has("cpu_pct")) {
            List<?> list = from.list("cpu_pct");
            if (list.isEmpty() || list.size() > CORES_MAX) {
                throw new TelemetryRecord.Rejected("invalid_cpu_pct");
            }
            double[] values = new double[list.size()];
            for (int i = 0; i < values.length; i++) {
                values[i] = element(list.get(i));
            }
            cores = Arrays.stream(values).boxed().toList();
            double sum = 0;
            for (double each : values) {
                sum += each;
            }
            average = sum / values.length;
            lowest = Arrays.stream(values).min().orElseThrow();
            highest = Arrays.stream(values).max().orElseThrow();
        } else {
            average = percent(from, "cpu_pct_avg");
            lowest = from.has("cpu_pct_min") ? percent(from, "cpu_pct_min") : average;
            highest = from.has("cpu_pct_max") ? percent(from, "cpu_pct_max") : average;
        }
        Long[] counters = new Long[COUNTERS.length];
        for (int i = 0; i < counters.length; i++) {
            counters[i] = from.count(COUNTERS[i].bytesName(), -1);
        }
        String boot = from.text("boot_id");
        return new ResourceSample(
                from.orderNanos(),
                interval(from),
                from.has("cpu_count") || cores.isEmpty() ? cpus(from) : cores.size(),
                average,
                lowest,
                highest,
                cores,
                optional(from, "mem_percent"),
                optional(from, "disk_usage_percent"),
                List.of(counters),
                gauges(from),
                boot == null ? "" : boot);
    }

    /**
     * Reads a {@code perf.report}: the dictionary of lightgbm-benchmark's collector, in MiB and seconds.
     *
     * @throws TelemetryRecord.Rejected if a field is missing, of another type or out of range
     */
    static ResourceSample ofReport(TelemetryRecord from) throws TelemetryRecord.Rejected {
        Long[] counters = new Long[COUNTERS.length];
        for (int i = 0; i < counters.length; i++) {
            String key = REPORT_COUNTERS.get(i);
            counters[i] = from.has(key) ? Math.round(from.positive(key) * MIB) : -1L;
        }
        long nanos = from.wallNanos() == null && from.has("timestamp")
                ? Math.round(from.positive("timestamp") * 1e9)
                : from.orderNanos();
        return new ResourceSample(
                nanos,
                from.has("interval_s") ? interval(from) : 1,
                cpus(from),
                percent(from, "cpu_pct_per_cpu_avg"),
                percent(from, "cpu_pct_per_cpu_min"),
                percent(from, "cpu_pct_per_cpu_max"),
                List.of(),
                optional(from, "mem_percent"),
                optional(from, "disk_usage_percent"),
                List.of(counters),
                Map.of(),
                "");
    }

    /** Refuses a value that would spoil the sums over all nodes. */
    private static double atMost(double value, double most, String key) throws TelemetryRecord.Rejected {
        if (value > most) {
            throw new TelemetryRecord.Rejected("too_large_" + key);
        }
        return value;
    }

    private static double interval(TelemetryRecord from) throws TelemetryRecord.Rejected {
        return atMost(from.positive("interval_s"), INTERVAL_MAX_SECONDS, "interval_s");
    }

    private static double cpus(TelemetryRecord from) throws TelemetryRecord.Rejected {
        return atMost((double) from.count("cpu_count"), CPUS_MAX, "cpu_count");
    }

    private static double percent(TelemetryRecord from, String key) throws TelemetryRecord.Rejected {
        return atMost(from.positive(key), PERCENT_MAX, key);
    }

    private static double element(@Nullable Object value) throws TelemetryRecord.Rejected {
        if (value instanceof Number number && Double.isFinite(number.doubleValue()) && number.doubleValue() >= 0) {
            return atMost(number.doubleValue(), PERCENT_MAX, "cpu_pct");
        }
        throw new TelemetryRecord.Rejected("invalid_cpu_pct");
    }

    private static double optional(TelemetryRecord from, String key) throws TelemetryRecord.Rejected {
        return from.has(key) ? from.positive(key) : Double.NaN;
    }

    private static Map<String, Double> gauges(TelemetryRecord from) throws TelemetryRecord.Rejected {
        Map<String, Double> gauges = new LinkedHashMap<>();
        for (String name : GAUGES) {
            if (from.has(name)) {
                gauges.put(name, from.positive(name));
            }
        }
        return gauges;
    }
}
