package io.metricsaggregator.telemetry.energy;

import io.metricsaggregator.snapshot.figures.EnergyScope;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The metrics that energy is computed from, the preferred first. */
enum EnergyMetric {
    /** DCGM's counter, mJ since the driver was loaded. */
    DCGM_ENERGY("DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", EnergyScope.GPU, false, 1e-3),
    /** Triton's counter, J. */
    NV_ENERGY("nv_energy_consumption", EnergyScope.GPU, false, 1),
    /** DCGM's gauge, W. */
    DCGM_POWER("DCGM_FI_DEV_POWER_USAGE", EnergyScope.GPU, true, 1),
    /** Triton's gauge, W. */
    NV_POWER("nv_gpu_power_usage", EnergyScope.GPU, true, 1),
    /** The kernel's counter as a host sampler reads it, µJ; the scope is the zone's. */
    RAPL("rapl", EnergyScope.PACKAGE, false, 1e-6),
    /** The node exporter's counter of packages, J. */
    NODE_PACKAGE("node_rapl_package_joules_total", EnergyScope.PACKAGE, false, 1),
    /** The node exporter's counter of memory, J. */
    NODE_DRAM("node_rapl_dram_joules_total", EnergyScope.DRAM, false, 1);

    private static final Map<String, EnergyMetric> BY_NAME = new HashMap<>();

    static {
        for (EnergyMetric each : values()) {
            BY_NAME.put(each.series, each);
        }
    }

    private final String series;
    private final EnergyScope scope;
    private final boolean power;
    private final double unit;

    EnergyMetric(String series, EnergyScope scope, boolean power, double unit) {
        this.series = series;
        this.scope = scope;
        this.power = power;
        this.unit = unit;
    }

    /** The metric that a scraped series holds; null for any other series. */
    static @Nullable EnergyMetric ofSeries(String name) {
        EnergyMetric found = BY_NAME.get(name);
        return found == RAPL ? null : found;
    }

    String series() {
        return series;
    }

    EnergyScope scope() {
        return scope;
    }

    /** Whether it is a gauge in W; else a counter. */
    boolean isPower() {
        return power;
    }

    /** J or W of one unit of the metric. */
    double unit() {
        return unit;
    }
}
