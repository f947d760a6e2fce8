package io.metricsaggregator.snapshot.figures;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
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

    public static final DeviceEnergy BLANK = new DeviceEnergy("", EnergyScope.GPU, "", 0, 0, 0, 0, null);

    /** A device; the scope of a GPU is left out. */
    public static DeviceEnergy pass(Fields f, DeviceEnergy v) throws MalformedMessageException {
        String id = f.text("id", v.id());
        EnergyScope zone = v.scope() == EnergyScope.GPU ? null : v.scope();
        EnergyScope scope = f.absentWord("scope", zone, EnergyScope.ALL, EnergyScope::wire);
        String source = f.text("source", v.source());
        double joules = f.real("energy_j", v.joules());
        f.derived("mean_w", v.watts());
        return new DeviceEnergy(
                id,
                scope == null ? EnergyScope.GPU : scope,
                source,
                joules,
                f.real("covered_s", v.coveredSeconds()),
                f.count("resets", v.resets()),
                f.count("samples", v.samples()),
                f.absent("power_w", v.power(), Power::pass, Power.BLANK));
    }

    /**
     * Power between neighbouring samples, W. Percentiles are values of the sorted list at n/2 and 0.95 n, as in MLCommons' {@code power.json}.
     *
     * @param count number of such values, at least 1
     */
    public record Power(long count, double mean, double p50, double p95, double max, double min) {
        private static final Power BLANK = new Power(0, 0, 0, 0, 0, 0);

        private static Power pass(Fields f, Power v) throws MalformedMessageException {
            return new Power(
                    f.count("n", v.count()),
                    f.real("mean", v.mean()),
                    f.real("p50", v.p50()),
                    f.real("p95", v.p95()),
                    f.real("max", v.max()),
                    f.real("min", v.min()));
        }
    }

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
