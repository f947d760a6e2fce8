package io.metricsaggregator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.cli.console.GroupedHelp;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The command line as a user types it: documented options are accepted, wrong ones end with status 2 and one line that says why. */
class CommandLineTest {
    @TempDir
    private Path directory;

    private record Result(int status, String message) {}

    /** Runs a command that its arguments must stop; the message is the first line on standard error. */
    private static Result run(String... arguments) {
        StringWriter err = new StringWriter();
        int status = Main.commands(arguments[0]).setErr(new PrintWriter(err)).execute(arguments);
        List<String> lines = err.toString().lines().toList();
        assertThat(lines).as(Arrays.toString(arguments)).isNotEmpty();
        return new Result(status, lines.get(0));
    }

    private static CommandLine command(String name) {
        return Main.commands(name).getSubcommands().get(name);
    }

    static Stream<String> commands() {
        return Main.commands("").getSubcommands().keySet().stream().filter(name -> !name.equals("help"));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void every_option_of_a_command_is_described_with_its_default_if_it_takes_a_value(String name) {
        for (OptionSpec option : command(name).getCommandSpec().options()) {
            assertThat(option.description())
                    .as(name + " " + option.longestName())
                    .isNotEmpty();
            assertThat(String.join(" ", option.description()))
                    .as(name + " " + option.longestName())
                    .hasSizeGreaterThan(10);
            if (option.defaultValue() != null
                    && option.arity().max() > 0
                    && option.defaultValue().length() > 0) {
                assertThat(String.join(" ", option.description()))
                        .as(name + " " + option.longestName())
                        .containsIgnoringCase("default");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("commands")
    void every_documented_default_is_a_value_that_the_option_accepts(String name) {
        CommandLine command = command(name);
        for (OptionSpec option : command.getCommandSpec().options()) {
            if (option.defaultValue() != null && option.arity().max() == 1) {
                assertThat(parses(name, option.longestName(), option.defaultValue()))
                        .as(name + " " + option.longestName() + " " + option.defaultValue())
                        .isTrue();
            }
        }
    }

    /** Whether an option takes a value; what else the command lacks does not matter. */
    private static boolean parses(String name, String option, String value) {
        try {
            Main.commands(name).parseArgs(name, option, value);
            return true;
        } catch (CommandLine.MissingParameterException e) {
            return e.getMissing().stream()
                    .noneMatch(each -> each instanceof OptionSpec missing
                            && List.of(missing.names()).contains(option));
        }
    }

    @ParameterizedTest
    @MethodSource("commands")
    void an_unknown_option_is_named(String name) {
        Result result = run(name, "--no-such-option");
        assertThat(result.status()).isEqualTo(2);
        assertThat(result.message()).startsWith("metrics-aggregator: ");
    }

    @Test
    void an_unknown_command_is_named() {
        Result result = run("rnu");
        assertThat(result.status()).isEqualTo(2);
        assertThat(result.message()).contains("rnu");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"run", "produce", "agent", "tail", "wait", "watch", "report", "compare", "export", "replay"})
    void a_required_argument_that_is_missing_is_named(String name) {
        Result result = run(name);
        assertThat(result.status()).isEqualTo(2);
        assertThat(result.message())
                .containsPattern("(--output-dir|--out|FILE|DIR|ENDPOINT)")
                .contains("missing");
    }

    static Stream<List<String>> wrongDurations() {
        return Stream.of(
                List.of("run", "--output-dir", "x", "--stall-timeout", "soon"),
                List.of("run", "--output-dir", "x", "--publish-interval", "-1s"),
                List.of("produce", "--out", "ipc://x", "--duration", "10"),
                List.of("agent", "--out", "ipc://x", "--interval", "1 day"),
                List.of("tail", "ipc://x", "--timeout", "1e9"),
                List.of("wait", "ipc://x", "--timeout", "never"),
                List.of("demo", "--duration", "12"),
                List.of("exporter", "--duration", "ms"));
    }

    @ParameterizedTest
    @MethodSource("wrongDurations")
    void a_wrong_duration_ends_with_status_2_and_names_option_and_value(List<String> arguments) {
        Result result = run(arguments.toArray(new String[0]));
        assertThat(result.status()).isEqualTo(2);
        assertThat(result.message())
                .contains(arguments.get(arguments.size() - 2))
                .contains("'" + arguments.get(arguments.size() - 1) + "'");
    }

    static Stream<List<String>> wrongValues() {
        return Stream.of(
                List.of("run", "--output-dir", "x", "--journal-segment", "12"),
                List.of("run", "--output-dir", "x", "--max-text-memory", "lots"),
                List.of("run", "--output-dir", "x", "--hdr-sig-figs", "three"),
                List.of("run", "--output-dir", "x", "--slo", "ttft=fast"),
                List.of("run", "--output-dir", "x", "--slo", "gold: ttft=fast"),
                List.of("run", "--output-dir", "x", "--slo", "gold: ttft=1s"),
                List.of("report", "x", "--format", "pdf"),
                List.of("report", "x", "--throughput-window", "wide"),
                List.of("compare", "a", "b", "--inconclusive", "perhaps"),
                List.of("export", "x", "--format", "xml"),
                List.of("produce", "--out", "ipc://x", "--kind", "noise"),
                List.of("produce", "--out", "ipc://x", "--rate", "fast"),
                List.of("produce", "--out", "ipc://x", "--workers", "1.5"),
                List.of("exporter", "--port", "http"));
    }

    @ParameterizedTest
    @MethodSource("wrongValues")
    void a_wrong_value_ends_with_status_2_and_names_option_and_value(List<String> arguments) {
        Result result = run(arguments.toArray(new String[0]));
        assertThat(result.status()).isEqualTo(2);
        assertThat(result.message())
                .contains(arguments.get(arguments.size() - 2))
                .contains(arguments.get(arguments.size() - 1));
    }

    @Test
    void help_lists_the_options_of_run_under_headings_in_a_fixed_order() {
        StringWriter out = new StringWriter();
        Main.commands("run")
                .setHelpFactory(new GroupedHelp(true))
                .setOut(new PrintWriter(out))
                .execute("run", "--help");
        List<String> headings = out.toString()
                .lines()
                .filter(line -> line.matches("[A-Z][A-Za-z ]+:"))
                .toList();
        assertThat(headings)
                .containsExactly(
                        "Endpoints:",
                        "Output:",
                        "Metrics:",
                        "Tokens:",
                        "Journal:",
                        "Collection:",
                        "Export:",
                        "Limits:",
                        "Lifecycle:",
                        "Security:",
                        "MLCommons compatibility:",
                        "Configuration:",
                        "Logging:");
    }

    /** An option that picocli parses within a group resets the whole group when it is given twice. */
    @ParameterizedTest
    @MethodSource("commands")
    void options_are_in_groups_only_for_help(String name) {
        assertThat(command(name).getCommandSpec().argGroups()).isEmpty();
    }

    @Test
    void replay_of_a_journal_excludes_an_endpoint() {
        Result result = run("replay", directory.toString(), "--out", "ipc://x");
        assertThat(result.status()).isEqualTo(2);
        assertThat(result.message()).contains("--out").contains(directory.toString());
    }

    @Test
    void replay_of_frames_excludes_the_options_of_a_journal() {
        Result result = run("replay", "/dev/null", "--out", "ipc://x", "--output-dir", "y");
        assertThat(result.status()).isEqualTo(2);
        assertThat(result.message()).contains("--output-dir").contains("/dev/null");
    }

    @Test
    void compare_needs_two_runs() {
        assertThat(run("compare", "a").status()).isEqualTo(2);
    }

    @Test
    void enumerated_values_are_accepted_in_any_case() {
        assertThat(parses("report", "--format", "HTML")).isTrue();
        assertThat(parses("report", "--format", "html")).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "version, --version",
        "Version, --version",
        "usage, --help",
        "serve, run",
        "diff, compare",
        "show, report",
        "status, healthcheck",
        "top, watch",
        "keygen, curve-key"
    })
    void a_likely_word_in_the_place_of_a_command_leads_to_what_it_means(String word, String meant) {
        StringWriter err = new StringWriter();
        assertThat(Main.commands(word).setErr(new PrintWriter(err)).execute(word))
                .isEqualTo(2);
        assertThat(err.toString().lines()).contains("Did you mean: metrics-aggregator " + meant + "?");
    }

    @Test
    void a_misspelt_option_is_named_before_a_missing_argument() {
        assertThat(run("report", "--frmat=json").message()).contains("'--frmat=json'");
        assertThat(run("tail", "--tiemout=1s").message()).contains("'--tiemout=1s'");
    }

    static Stream<List<String>> withoutEffect() {
        return Stream.of(
                List.of("produce", "--out", "ipc://x", "--kind", "metrics", "--chunks", "3", "--kind load"),
                List.of("replay", "/tmp", "--speed", "2", "--out ENDPOINT"),
                List.of("replay", "/tmp", "--wait-subscribers", "2", "--out ENDPOINT"),
                List.of("replay", "/tmp", "--max-frame", "1m", "--out ENDPOINT"),
                List.of("report", "x", "--layout", "flat", "--save"),
                List.of("compare", "a", "b", "--inconclusive", "fail", "--fail-if COND"),
                List.of("sweep", "a", "--base", "b", "--fail-if"),
                List.of("check-producer", "--for", "1s", "--in ENDPOINT"),
                List.of("fleet", "--in", "ipc://x", "--otlp-interval", "1s", "--otlp URL"));
    }

    @ParameterizedTest
    @MethodSource("withoutEffect")
    void an_option_that_has_no_effect_without_another_is_refused(List<String> arguments) {
        int last = arguments.size() - 1;
        Result result = run(arguments.subList(0, last).toArray(new String[0]));
        assertThat(result.status()).isEqualTo(2);
        assertThat(result.message())
                .contains(arguments.get(last - 2) + " has no effect without "
                        + arguments.get(last).split(" COND")[0]);
    }

    @ParameterizedTest
    @ValueSource(strings = {"report", "tail", "export", "replay"})
    void an_empty_argument_is_named(String name) {
        assertThat(run(name, "").message()).endsWith(" is empty");
    }
}
