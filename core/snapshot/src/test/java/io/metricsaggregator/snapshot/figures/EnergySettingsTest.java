package io.metricsaggregator.snapshot.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Stated power and price as settings of a run. */
class EnergySettingsTest {
    @Test
    void settings_are_read_as_they_were_written() {
        EnergySettings settings = new EnergySettings(120.5, 132.0, 9, 18, 98.32);
        assertThat(EnergySettings.of(settings.encode())).isEqualTo(settings);
        assertThat(settings.encode().keySet()).isEqualTo(EnergySettings.NAMES);
        assertThat(EnergySettings.NONE.encode()).isEmpty();
    }

    @Test
    void unreadable_settings_of_another_version_count_as_not_stated() {
        assertThat(EnergySettings.of(Map.of(
                        "price_usd_per_hour",
                        "free",
                        "power_nodes",
                        "3/2",
                        "idle_power_w",
                        "-1",
                        "provisioned_power_kw",
                        "NaN")))
                .isEqualTo(EnergySettings.NONE);
    }

    @Test
    void later_settings_replace_only_what_they_state() {
        EnergySettings run = new EnergySettings(100.0, 132.0, 9, 18, 1.0);
        assertThat(run.with(new EnergySettings(null, null, 1, 1, 2.5)))
                .isEqualTo(new EnergySettings(100.0, 132.0, 9, 18, 2.5));
    }

    @Test
    void values_that_are_no_power_and_no_price_are_refused() {
        assertThatThrownBy(() -> new EnergySettings(0.0, null, 1, 1, null)).hasMessageContaining("idle power 0.0");
        assertThatThrownBy(() -> new EnergySettings(null, null, 2, 1, null)).hasMessageContaining("nodes 2/1");
        assertThatThrownBy(() -> new EnergySettings(null, null, 1, 1, Double.NaN))
                .hasMessageContaining("price NaN");
    }
}
