package io.metricsaggregator.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.snapshot.figures.EnergySettings;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Stated power and price on the command line. */
class EnergyOptionsTest {
    private static EnergySettings parsed(String... arguments) {
        EnergyOptions options = new EnergyOptions();
        CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create()
                .addMixin("energy", CommandLine.Model.CommandSpec.forAnnotatedObject(options));
        new CommandLine(spec).parseArgs(arguments);
        return options.build();
    }

    @Test
    void a_price_may_end_with_its_unit() {
        EnergySettings price = new EnergySettings(null, null, 1, 1, 12.5);
        assertThat(parsed("--price", "12.5/h")).isEqualTo(price);
        assertThat(parsed("--price", "12.5")).isEqualTo(price);
    }

    @Test
    void power_is_stated_for_a_part_of_the_nodes() {
        assertThat(parsed("--provisioned-power-kw", "132", "--nodes", "9/18", "--idle-power", "900"))
                .isEqualTo(new EnergySettings(900.0, 132.0, 9, 18, null));
    }

    @Test
    void values_out_of_range_are_refused_by_the_name_of_their_option() {
        assertThatThrownBy(() -> parsed("--price", "12.5/d")).hasMessageContaining("--price '12.5/d'");
        assertThatThrownBy(() -> parsed("--price", "-1")).hasMessageContaining("--price -1.0");
        assertThatThrownBy(() -> parsed("--nodes", "19/18")).hasMessageContaining("--nodes '19/18'");
        assertThatThrownBy(() -> parsed("--idle-power", "0")).hasMessageContaining("--idle-power 0.0");
    }
}
