package io.metricsaggregator.snapshot;

import io.metricsaggregator.snapshot.figures.DeviceEnergy;
import io.metricsaggregator.snapshot.figures.EnergyScope;
import io.metricsaggregator.snapshot.figures.EnergyUse;
import io.metricsaggregator.snapshot.figures.EnergyWindow;
import java.util.List;

/** An energy with every field of its records. */
final class EnergyFixture {
    private EnergyFixture() {}

    static EnergyUse energy() {
        DeviceEnergy gpu = new DeviceEnergy(
                "GPU-1",
                EnergyScope.GPU,
                "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION",
                850.5,
                2,
                1,
                3,
                new DeviceEnergy.Power(3, 425, 420, 430, 440, 410));
        DeviceEnergy dram = new DeviceEnergy("n1/intel-rapl:0:1", EnergyScope.DRAM, "rapl", 12, 2, 0, 3, null);
        return new EnergyUse(
                new EnergyWindow(1_000, 2_000_001_000L, 1_700_000_000_000_000_000L, 2, List.of(gpu, dram)),
                null,
                new EnergyWindow(1_500, 1_600, null, 1e-7, List.of(dram)),
                120.25,
                List.of("processors of n1: energy_uj is readable by root only"));
    }
}
