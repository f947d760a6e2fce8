package io.metricsaggregator.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.snapshot.figures.DeviceEnergy;
import io.metricsaggregator.snapshot.figures.EnergyScope;
import io.metricsaggregator.snapshot.figures.EnergyUse;
import io.metricsaggregator.snapshot.figures.EnergyWindow;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The energy of merged runs. */
class EnergyMergeTest {
    private static EnergyUse energy(String gpu, double joules, double seconds, @Nullable Double idle) {
        DeviceEnergy device = new DeviceEnergy(gpu, EnergyScope.GPU, "counter", joules, seconds, 0, 3, null);
        EnergyWindow window = new EnergyWindow(0, Math.round(seconds * 1e9), null, seconds, List.of(device));
        return new EnergyUse(window, window, window, idle, List.of());
    }

    @Test
    void runs_with_different_gpus_add_up_and_have_no_steady_window() {
        EnergyUse sum = EnergyMerge.add(List.of(energy("a", 850, 2, 60.0), energy("b", 400, 2, 40.0)), 2);
        EnergyWindow tracked = Objects.requireNonNull(sum.tracked());
        assertThat(tracked.joules()).isCloseTo(1250, within(1e-9));
        assertThat(tracked.watts()).isCloseTo(625, within(1e-9));
        assertThat(tracked.isComplete()).isTrue();
        assertThat(sum.idleWatts()).isEqualTo(100);
        assertThat(sum.steady()).isNull();
    }

    @Test
    void a_gpu_that_was_measured_for_half_of_the_longest_window_makes_the_sum_incomplete() {
        EnergyUse sum = EnergyMerge.add(List.of(energy("a", 850, 2, null), energy("b", 400, 1, null)), 2);
        assertThat(Objects.requireNonNull(sum.run()).isComplete()).isFalse();
        assertThat(sum.idleWatts()).isNull();
    }

    @Test
    void runs_that_share_a_gpu_or_lack_energy_have_no_sum_but_a_reason() {
        EnergyUse shared = EnergyMerge.add(List.of(energy("a", 850, 2, 1.0), energy("a", 400, 2, 1.0)), 2);
        assertThat(shared.run()).isNull();
        assertThat(shared.notMeasured()).singleElement().asString().contains("a belongs to more than one run");
        EnergyUse lacking = EnergyMerge.add(List.of(energy("a", 850, 2, 1.0)), 2);
        assertThat(lacking.run()).isNull();
        assertThat(lacking.notMeasured()).singleElement().asString().contains("1 of 2 runs have none");
    }
}
