package io.metricsaggregator.snapshot;

import org.jspecify.annotations.Nullable;

/**
 * The energy of one device in one window.
 *
 * @param id UUID of a GPU, or target and number; node and zone of a processor; {@code other} for all devices beyond the rows
 * @param scope what the energy covers
 * @param source the metric it comes from, such as {@code DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION}; {@code none} for a device that is known and not measured
 * @param joules energy of the covered time
 * @param coveredSeconds part of the window in which the energy is known
 * @param resets how often the counter started again in the window; the time around a reset is covered by the power if that is exposed, else by nothing
 * @param samples samples in the window
 * @param power distribution of the power in the window; null in a live snapshot and without samples
 */
public record DeviceEnergy(
        String id,
        EnergyScope scope,
        String source,
        double joules,
        double coveredSeconds,
        long resets,
        long samples,
        @Nullable Power power) {

    /** The source of a device that is known and not measured. */
    public static final String NO_SOURCE = "none";

    /**
     * Power between neighbouring samples, W. Percentiles are values of the sorted list at n/2 and 0.95 n, as in MLCommons' {@code power.json}.
     *
     * @param count number of such values, at least 1
     */
    public record Power(long count, double mean, double p50, double p95, double max, double min) {}

    /** One row for two devices of a scope: it covers what both cover, and has no distribution of power. */
    public DeviceEnergy plus(DeviceEnergy other) {
        return new DeviceEnergy(
                "other",
                scope,
                source,
                joules + other.joules,
                Math.min(coveredSeconds, other.coveredSeconds),
                resets + other.resets,
                samples + other.samples,
                null);
    }

    /** Mean power over the covered time, W; null if nothing is covered. */
    public @Nullable Double watts() {
        return coveredSeconds <= 0 ? null : (Double) (joules / coveredSeconds);
    }
}
