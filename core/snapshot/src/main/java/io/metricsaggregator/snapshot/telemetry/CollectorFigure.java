package io.metricsaggregator.snapshot.telemetry;

/**
 * The figures that lightgbm-benchmark's collector (src/common/perf.py) logs for a node, under its own names. Percentages are 0 to 100, {@code …_mb} are MiB since boot.
 */
public enum CollectorFigure {
    MAX_CPU_AVERAGE("max_t_cpu_pct_per_cpu_avg"),
    CPU_UTILIZATION("cpu_avg_utilization_pct"),
    CPU_AT_100("cpu_avg_utilization_at100_pct"),
    CPU_OVER_80("cpu_avg_utilization_over80_pct"),
    CPU_OVER_40("cpu_avg_utilization_over40_pct"),
    CPU_OVER_20("cpu_avg_utilization_over20_pct"),
    MAX_CPU_LOWEST("max_t_cpu_pct_per_cpu_min"),
    MAX_CPU_HIGHEST("max_t_cpu_pct_per_cpu_max"),
    NODE_CPU_HOURS("node_cpu_hours"),
    NODE_UNUSED_CPU_HOURS("node_unused_cpu_hours"),
    MAX_MEMORY("max_t_mem_percent"),
    MAX_DISK_USAGE("max_t_disk_usage_percent"),
    DISK_READ("total_disk_io_read_mb"),
    DISK_WRITE("total_disk_io_write_mb"),
    NET_LO_SENT("total_net_io_lo_sent_mb"),
    NET_EXT_SENT("total_net_io_ext_sent_mb"),
    NET_LO_RECEIVED("total_net_io_lo_recv_mb"),
    NET_EXT_RECEIVED("total_net_io_ext_recv_mb");

    private final String wireName;

    CollectorFigure(String wireName) {
        this.wireName = wireName;
    }

    /** The collector's own name of the figure. */
    public String wireName() {
        return wireName;
    }
}
