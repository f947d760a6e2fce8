package io.metricsaggregator.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.snapshot.figures.DeviceEnergy;
import io.metricsaggregator.snapshot.figures.EnergyScope;
import io.metricsaggregator.snapshot.figures.EnergySettings;
import io.metricsaggregator.snapshot.figures.EnergyWindow;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The worked numbers of ratios and costs. */
class EnergyFiguresTest {
    private static EnergyWindow twoGpus(double coveredSeconds) {
        DeviceEnergy a = new DeviceEnergy("a", EnergyScope.GPU, "counter", 850, 2, 0, 3, null);
        DeviceEnergy b = new DeviceEnergy("b", EnergyScope.GPU, "counter", 850, coveredSeconds, 0, 3, null);
        return new EnergyWindow(0, 2_000_000_000L, null, 2, List.of(a, b));
    }

    private static EnergyFigures figures(
            @Nullable EnergyWindow energy, WindowWork work, @Nullable Double idle, EnergySettings settings) {
        return new EnergyFigures("tracked", energy, work, idle, settings);
    }

    private static EnergySettings price(double usdPerHour) {
        return new EnergySettings(null, null, 1, 1, usdPerHour);
    }

    @Test
    void energy_is_divided_by_what_was_done_in_the_same_window() {
        WindowWork work = new WindowWork(2, 10L, 500.0, 1500.0, 8.0, 0.5);
        EnergyFigures figures = figures(twoGpus(2), work, 300.0, EnergySettings.NONE);
        assertThat(figures.joulesPerOutputToken()).isCloseTo(3.4, within(1e-12));
        assertThat(figures.outputTokensPerJoule()).isCloseTo(0.294, within(5e-4));
        assertThat(figures.joulesPerRequest()).isCloseTo(170, within(1e-12));
        assertThat(figures.joulesPerToken()).isCloseTo(0.85, within(1e-12));
        assertThat(figures.tokensPerSecondPerWatt()).isCloseTo(250.0 / 850, within(1e-12));
        assertThat(figures.goodPerSecondPerWatt()).isCloseTo(4.0 / 850, within(1e-12));
        assertThat(figures.energyDelay()).isCloseTo(85, within(1e-12));
        assertThat(figures.joulesAboveIdle()).isCloseTo(1700 - 600, within(1e-12));
        assertThat(figures.usdPerRequest()).isNull();
        assertThat(figures.tokensPerSecondPerKilowatt()).isNull();
    }

    @Test
    void a_window_of_which_one_gpu_covers_less_than_95_percent_has_no_ratios() {
        WindowWork work = new WindowWork(2, 10L, 500.0, null, null, 0.5);
        assertThat(figures(twoGpus(1.9), work, null, EnergySettings.NONE).joulesPerRequest())
                .isNotNull();
        EnergyFigures figures = figures(twoGpus(1.89), work, null, EnergySettings.NONE);
        assertThat(figures.joulesPerRequest()).isNull();
        assertThat(figures.tokensPerSecondPerWatt()).isNull();
        assertThat(figures.energyDelay()).isNull();
    }

    @Test
    void a_price_needs_no_measured_energy() {
        WindowWork work = new WindowWork(10, 20L, 120_000.0, 480_000.0, null, null);
        EnergyFigures figures = figures(null, work, null, price(98.32));
        assertThat(figures.usdPerMillionOutputTokens()).isCloseTo(2.2759, within(5e-5));
        assertThat(figures.usdPerMillionTokens()).isCloseTo(0.4552, within(5e-5));
        assertThat(figures.usdPerRequest()).isCloseTo(98.32 / 3600 * 10 / 20, within(1e-12));
    }

    @Test
    void provisioned_power_is_shared_by_the_nodes_it_is_for() {
        WindowWork work = new WindowWork(10, 20L, 120_000.0, null, null, null);
        EnergySettings settings = new EnergySettings(null, 132.0, 9, 18, null);
        assertThat(settings.kilowatts()).isCloseTo(66, within(1e-12));
        assertThat(figures(null, work, null, settings).tokensPerSecondPerKilowatt())
                .isEqualTo(181.8);
    }

    @Test
    void no_request_and_no_token_give_no_ratio_rather_than_an_infinite_one() {
        EnergyFigures figures = figures(twoGpus(2), new WindowWork(2, 0L, 0.0, 0.0, 0.0, null), null, price(1));
        assertThat(figures.joulesPerRequest()).isNull();
        assertThat(figures.joulesPerOutputToken()).isNull();
        assertThat(figures.usdPerMillionOutputTokens()).isNull();
        assertThat(figures.outputTokensPerJoule()).isZero();
    }
}
