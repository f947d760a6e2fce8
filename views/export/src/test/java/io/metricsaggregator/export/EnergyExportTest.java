package io.metricsaggregator.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.snapshot.figures.DeviceEnergy;
import io.metricsaggregator.snapshot.figures.EnergyScope;
import io.metricsaggregator.snapshot.figures.EnergyUse;
import io.metricsaggregator.snapshot.figures.EnergyWindow;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Energy as exported gauges. */
class EnergyExportTest {
    @Test
    void energy_is_exported_by_window_and_scope_and_by_gpu_and_nothing_stands_for_what_was_not_measured() {
        DeviceEnergy gpu = new DeviceEnergy("GPU-1", EnergyScope.GPU, "counter", 850, 2, 1, 3, null);
        DeviceEnergy silent = new DeviceEnergy("GPU-2", EnergyScope.GPU, DeviceEnergy.NO_SOURCE, 0, 0, 0, 0, null);
        EnergyWindow run = new EnergyWindow(0, 2_000_000_000L, null, 2, List.of(gpu, silent));
        DistinctMetrics out = new DistinctMetrics();
        EnergyExport.add(new EnergyUse(run, null, null, null, List.of()), out);
        assertThat(out.finish().metrics())
                .filteredOn(Exported.Gauge.class::isInstance)
                .map(Exported.Gauge.class::cast)
                .filteredOn(each -> each.name().startsWith("metrics_aggregator_energy"))
                .extracting(Exported.Gauge::name, Exported.Gauge::labels, Exported.Gauge::value)
                .containsExactlyInAnyOrder(
                        tuple("metrics_aggregator_energy_joules", Map.of("window", "run", "scope", "gpu"), 850.0),
                        tuple("metrics_aggregator_energy_mean_watts", Map.of("window", "run", "scope", "gpu"), 425.0),
                        tuple("metrics_aggregator_energy_covered_seconds", Map.of("window", "run"), 0.0),
                        tuple("metrics_aggregator_energy_complete", Map.of("window", "run"), 0.0),
                        tuple("metrics_aggregator_energy_resets", Map.of("window", "run"), 1.0),
                        tuple("metrics_aggregator_energy_gpu_joules", Map.of("gpu", "GPU-1"), 850.0),
                        tuple("metrics_aggregator_energy_gpu_mean_watts", Map.of("gpu", "GPU-1"), 425.0));
    }

    private static org.assertj.core.groups.Tuple tuple(Object... values) {
        return org.assertj.core.groups.Tuple.tuple(values);
    }
}
