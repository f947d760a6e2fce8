package io.metricsaggregator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HelpTest {
    @Test
    void the_program_and_each_of_its_commands_print_their_help() {
        assertThat(Main.execute("--help")).isZero();
        for (String command : Main.commands("").getSubcommands().keySet()) {
            assertThat(Main.execute("help", command)).as(command).isZero();
            assertThat(Main.execute(command, "--help")).as(command).isZero();
        }
    }
}
