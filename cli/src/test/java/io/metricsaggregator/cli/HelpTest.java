package io.metricsaggregator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.cli.console.GroupedHelp;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class HelpTest {
    private static String help(String command, boolean everything) {
        CommandLine commands = Main.commands(command).setHelpFactory(new GroupedHelp(everything));
        StringWriter text = new StringWriter();
        commands.setOut(new PrintWriter(text));
        assertThat(command.isEmpty() ? commands.execute("--help") : commands.execute(command, "--help"))
                .isZero();
        return text.toString();
    }

    @Test
    void the_program_and_each_of_its_commands_print_their_help() {
        assertThat(Main.execute("--help")).isZero();
        for (String command : Main.commands("").getSubcommands().keySet()) {
            assertThat(Main.execute("help", command)).as(command).isZero();
            assertThat(Main.execute(command, "--help")).as(command).isZero();
            assertThat(Main.execute(command, "--help-all")).as(command).isZero();
        }
    }

    @Test
    void the_help_of_run_fits_on_a_screen_and_the_rest_is_one_option_away() {
        String usual = help("run", false);
        assertThat(usual.lines()).hasSizeLessThanOrEqualTo(60);
        assertThat(usual)
                .contains(
                        "--in=ENDPOINT",
                        "--output-dir",
                        "--config=FILE",
                        "All options: metrics-aggregator run --help-all")
                .doesNotContain("--hdr-sig-figs");
        String everything = help("run", true);
        for (CommandLine.Model.OptionSpec option : Main.commands("run")
                .getSubcommands()
                .get("run")
                .getCommandSpec()
                .options()) {
            assertThat(everything).contains(option.longestName());
        }
    }

    @Test
    void commands_that_test_programs_of_others_come_last_under_a_heading() {
        String text = help("", false);
        int heading = text.indexOf("To test programs of others");
        assertThat(heading).isPositive();
        for (String command :
                new String[] {"produce", "exporter", "serve-synthetic", "check-producer", "check-subscriber"}) {
            assertThat(text.indexOf("\n  " + command + " ")).as(command).isGreaterThan(heading);
        }
        assertThat(text.indexOf("\n  compare ")).isBetween(0, heading);
    }

    @Test
    void subscribers_leave_options_of_bound_sockets_to_the_full_help() {
        for (String command : new String[] {"watch", "tail", "wait"}) {
            assertThat(help(command, false))
                    .contains("--timeout", "--curve-key")
                    .doesNotContain("--socket-mode", "--allow-uid");
            assertThat(help(command, true)).contains("--socket-mode", "--allow-uid");
        }
    }

    @Test
    void no_help_breaks_a_line_within_a_value() {
        for (String command : Main.commands("").getSubcommands().keySet()) {
            String text = help(command, true);
            for (String value : new String[] {"http:", "ipc:", "tcp:", "session."}) {
                assertThat(text.lines())
                        .as("%s: lines that end with %s", command, value)
                        .noneMatch(line -> line.strip().endsWith(value));
            }
            assertThat(text.lines()).as("width of the help of %s", command).allMatch(line -> line.length() <= 80);
        }
        assertThat(help("run", true))
                .contains("ipc:///tmp/events", "95%", "99 % confidence")
                .doesNotContain("%%");
        assertThat(help("", false)).contains("http://127.0.0.1:PORT/metrics");
    }
}
