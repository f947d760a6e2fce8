package io.metricsaggregator.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.cli.Main;
import io.metricsaggregator.cli.console.Logging;
import io.metricsaggregator.cli.daemon.RunCommand;
import io.metricsaggregator.cli.options.OptionTable.Option;
import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.codec.MalformedMessageException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

class ConfigurationTest {
    private static final List<Option> RUN = RunCommand.options();

    @TempDir
    Path directory;

    private Path file(String... lines) throws IOException {
        return Files.write(directory.resolve("bench.conf"), List.of(lines));
    }

    private static List<String> arguments(Map<String, String> environment, String... arguments) throws IOException {
        return Configuration.of(RUN, List.of(arguments), environment).arguments();
    }

    @Test
    void a_scalar_comes_from_the_command_line_then_the_environment_then_the_file() throws IOException {
        String file = "--config=" + file("publish-interval = 1");
        Map<String, String> environment = Map.of("METRICS_AGGREGATOR_PUBLISH_INTERVAL", "2");
        assertThat(arguments(environment, file, "--publish-interval", "3"))
                .containsExactly(file, "--publish-interval", "3");
        assertThat(arguments(environment, file)).containsExactly("--publish-interval=2", file);
        assertThat(arguments(Map.of(), file)).containsExactly("--publish-interval=1", file);
    }

    @Test
    void an_option_without_a_value_is_true_or_false_in_environment_and_file() throws IOException {
        String file = "--config=" + file("strict = true", "streaming = false");
        assertThat(arguments(Map.of(), file)).containsExactly("--strict", file);
        assertThat(arguments(Map.of("METRICS_AGGREGATOR_STRICT", "false"), file))
                .containsExactly(file);
        assertThatThrownBy(() -> arguments(Map.of("METRICS_AGGREGATOR_STRICT", "1")))
                .hasMessage("METRICS_AGGREGATOR_STRICT: --strict must be true or false, not '1'");
    }

    @Test
    void a_repeatable_option_takes_all_of_its_values_from_the_first_source_that_has_any() throws IOException {
        String file = "--config=" + file("in = ipc:///a", "# in = ipc:///no", "in = ipc:///b");
        assertThat(arguments(Map.of(), file)).containsExactly("--in=ipc:///a", "--in=ipc:///b", file);
        Map<String, String> environment = Map.of("METRICS_AGGREGATOR_IN", "ipc:///c  ipc:///d");
        assertThat(arguments(environment, file)).containsExactly("--in=ipc:///c", "--in=ipc:///d", file);
        assertThat(arguments(environment, file, "--in", "ipc:///e")).containsExactly(file, "--in", "ipc:///e");
    }

    @Test
    void the_other_name_of_an_option_is_the_same_option() throws IOException {
        String file = "--config=" + file("output-dir = /a");
        assertThat(arguments(Map.of(), file, "--metrics-output-dir", "/b"))
                .containsExactly(file, "--metrics-output-dir", "/b");
        assertThat(arguments(Map.of("METRICS_AGGREGATOR_METRICS_OUTPUT_DIR", "/c"), file))
                .containsExactly("--output-dir=/c", file);
    }

    @Test
    void the_file_may_be_named_by_the_environment() throws IOException {
        Map<String, String> environment =
                Map.of("METRICS_AGGREGATOR_CONFIG", file("strict=true").toString());
        assertThat(arguments(environment)).containsExactly("--strict");
    }

    @Test
    void unknown_names_are_refused_with_their_place() throws IOException {
        Path file = file("", "inn = ipc:///a");
        assertThatThrownBy(() -> arguments(Map.of(), "--config", file.toString()))
                .hasMessage(file + ":2: unknown option --inn of run");
        assertThatThrownBy(() -> arguments(Map.of("METRICS_AGGREGATOR_PUBLISH_INTERVALL", "1")))
                .hasMessage("environment variable METRICS_AGGREGATOR_PUBLISH_INTERVALL: unknown option"
                        + " --publish-intervall");
        Path twice = file("strict = true", "strict = true");
        assertThatThrownBy(() -> arguments(Map.of(), "--config", twice.toString()))
                .hasMessage(twice + ":2: --strict is already set at " + twice + ":1");
        Path noEquals = file("strict");
        assertThatThrownBy(() -> arguments(Map.of(), "--config", noEquals.toString()))
                .hasMessage(noEquals + ":1: expected NAME = VALUE, found: strict");
    }

    @Test
    void variables_of_the_launcher_and_of_a_kubernetes_service_are_no_settings() throws IOException {
        assertThat(arguments(Map.of(
                        "METRICS_AGGREGATOR_JAVA_OPTS", "-Xmx1g",
                        "METRICS_AGGREGATOR_SERVICE_HOST", "10.0.0.1",
                        "METRICS_AGGREGATOR_PORT_9464_TCP", "tcp://10.0.0.1:9464")))
                .isEmpty();
    }

    @Test
    void printed_settings_name_their_source_and_are_a_configuration_file_again() throws IOException {
        String file = "--config=" + file("in = ipc:///a", "otlp = http://me:secret@collector:4318");
        Map<String, String> environment = Map.of("METRICS_AGGREGATOR_STRICT", "true");
        Configuration configuration = Configuration.of(RUN, List.of(file, "--output-dir", "/o"), environment);
        StringWriter text = new StringWriter();
        configuration.print(new PrintWriter(text));
        assertThat(text.toString().lines())
                .containsSequence("# command line", "output-dir = /o")
                .containsSequence("# METRICS_AGGREGATOR_STRICT", "strict = true")
                .containsSequence("# " + directory.resolve("bench.conf") + ":1", "in = ipc:///a")
                .contains("# publish-interval = 0.25", "# host = false", "# journal =")
                .noneMatch(line -> line.contains("secret"));
        Files.writeString(directory.resolve("again.conf"), text.toString());
        assertThat(arguments(Map.of(), "--config=" + directory.resolve("again.conf")))
                .contains("--output-dir=/o", "--strict", "--in=ipc:///a");
    }

    @Test
    void the_command_reads_its_file_and_a_wrong_one_ends_it_as_wrong_usage() throws IOException {
        assertThat(Main.execute(
                        "run",
                        "--print-config",
                        "--config",
                        file("in = ipc:///a").toString()))
                .isZero();
        assertThat(Main.execute("run", "--config", file("inn = ipc:///a").toString()))
                .isEqualTo(2);
        assertThat(Main.execute("run", "--config", directory.resolve("missing").toString()))
                .isEqualTo(2);
    }

    private record Result(int status, String out, String err) {}

    private static Result run(Map<String, String> environment, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine commands = Main.commands("run").setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        List<String> all = new ArrayList<>(List.of("run"));
        all.addAll(List.of(arguments));
        int status = Main.executeConfigured(commands, all, environment);
        return new Result(status, out.toString(), err.toString());
    }

    /** The only line of an error, as an object. */
    private static Map<String, ?> object(Result result) throws MalformedMessageException {
        assertThat(result.err().lines()).hasSize(1);
        return JsonTree.read(result.err().getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void a_usage_error_is_one_object_if_options_environment_or_file_ask_for_such_lines() throws Exception {
        String wrong = "--bogus";
        String asking = file("log-format = json").toString();
        for (Result each : List.of(
                run(Map.of(), wrong, "--log-format=json"),
                run(Map.of(), wrong, "--log-format", "JSON"),
                run(Map.of("METRICS_AGGREGATOR_LOG_FORMAT", "json"), wrong),
                run(Map.of(), wrong, "--config", asking))) {
            assertThat(each.status()).isEqualTo(2);
            Map<String, ?> line = object(each);
            assertThat(line.get("level")).isEqualTo("ERROR");
            assertThat(line.get("message")).isEqualTo("Unknown option: '--bogus'");
            assertThat(line.get("exit_status")).isEqualTo(2L);
            assertThat((String) line.get("usage")).startsWith("metrics-aggregator run");
            Logging.format(List.of("--log-format=text"), null);
        }
        String wrongBefore = file("publish-interval = soon\nlog-format = json").toString();
        assertThat(object(run(Map.of(), "--config", wrongBefore)).get("message"))
                .asString()
                .contains("soon");
        Logging.format(List.of("--log-format=text"), null);
        assertThat(object(run(Map.of(), "--log-format=json", "--config", "missing"))
                        .get("message"))
                .asString()
                .startsWith("missing");
    }

    @Test
    void the_command_line_decides_on_the_format_of_a_usage_error() {
        Result result = run(Map.of("METRICS_AGGREGATOR_LOG_FORMAT", "json"), "--bogus", "--log-format=text");
        assertThat(result.err()).startsWith("metrics-aggregator: Unknown option: '--bogus'\n");
    }

    @AfterEach
    void lines_are_text_again() {
        Logging.format(List.of("--log-format=text"), null);
    }

    @Test
    void a_byte_order_mark_is_no_part_of_the_first_name() throws IOException {
        String file = "--config=" + file("\ufeffstrict = true");
        assertThat(arguments(Map.of(), file)).containsExactly("--strict", file);
    }

    static Stream<Arguments> unreadable() {
        return Stream.of(
                Arguments.of(new byte[] {'a', '=', '1', '\n', 'b', '=', 0, '\n'}, "bench.conf:2: not text in UTF-8"),
                Arguments.of(new byte[] {'a', '\n', '\n', (byte) 0xfc, '\n'}, "bench.conf:3: not text in UTF-8"),
                Arguments.of(new byte[] {'a', '=', (byte) 0xc3}, "bench.conf:1: not text in UTF-8"),
                Arguments.of(
                        "a=1".getBytes(StandardCharsets.UTF_16), "bench.conf is text in UTF-16; write it in UTF-8"),
                Arguments.of(new byte[(1 << 20) + 1], "bench.conf is longer than 1 MiB, and no file of this kind is"));
    }

    @ParameterizedTest
    @MethodSource("unreadable")
    void a_file_that_is_not_text_is_named_on_one_line(byte[] content, String message) throws IOException {
        Path file = Files.write(directory.resolve("bench.conf"), content);
        Result result = run(Map.of(), "--config", file.toString());
        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err()).isEqualTo("metrics-aggregator: " + directory + "/" + message + "\n");
    }

    @Test
    void a_directory_in_the_place_of_the_file_is_named() {
        Result result = run(Map.of("METRICS_AGGREGATOR_CONFIG", directory.toString()));
        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err()).isEqualTo("metrics-aggregator: " + directory + " is a directory, not a file\n");
    }

    @Test
    void a_wrong_value_is_located() throws IOException {
        assertThat(run(Map.of("METRICS_AGGREGATOR_PUBLISH_INTERVAL", "abc"), "--output-dir=o")
                        .err())
                .startsWith("metrics-aggregator: METRICS_AGGREGATOR_PUBLISH_INTERVAL: Invalid value for option"
                        + " '--publish-interval': 'abc'");
        Path file = file("output-dir = o", "in = ipc:///a", "in = ipc://", "publish-interval = 1us");
        assertThat(run(Map.of(), "--config=" + file, "--print-config").err())
                .startsWith("metrics-aggregator: " + file + ":3: --in: endpoint 'ipc://' has no path");
        assertThat(run(Map.of("METRICS_AGGREGATOR_IN", "ipc:///b"), "--config=" + file)
                        .err())
                .startsWith("metrics-aggregator: " + file + ":4: --publish-interval is below 1 ms");
        assertThat(run(Map.of(), "--config=" + file, "--publish-interval=1", "--in=ipc://")
                        .err())
                .as("of the command line")
                .startsWith("metrics-aggregator: --in: endpoint 'ipc://' has no path");
        assertThat(run(Map.of("METRICS_AGGREGATOR_TOKENIZER", "/no"), "--token-source=usage", "--print-config")
                        .err())
                .as("the second of two options")
                .contains("METRICS_AGGREGATOR_TOKENIZER: --tokenizer: /no");
    }

    static Stream<String> options() {
        return RUN.stream()
                .filter(Option::takesValue)
                .map(each -> each.names().get(each.names().size() - 1))
                .filter(name -> !name.equals("--config"));
    }

    /** Whatever is wrong with a value, printing and running refuse it alike and name the variable that holds it. */
    @ParameterizedTest
    @MethodSource("options")
    void printing_refuses_what_a_run_refuses_and_names_the_variable(String option) {
        String variable = "METRICS_AGGREGATOR_"
                + option.substring(2).toUpperCase(Locale.ROOT).replace('-', '_');
        List<String> given = Stream.of(
                        "--output-dir=o", "--journal=j", "--host", "--otlp=http://localhost:1", "--in=ipc:///x")
                .filter(each -> !each.startsWith(option + "=") && !option.equals("--metrics-output-dir"))
                .toList();
        for (String value : List.of("-1", "0", "abc", "1us", "1b", "99999999999999999999", "ipc://", "a=")) {
            List<String> printed = new ArrayList<>(given);
            printed.add("--print-config");
            Result inVariable = run(Map.of(variable, value), printed.toArray(new String[0]));
            assertThat(inVariable.status()).as(value).isIn(0, 2, 4);
            if (inVariable.status() != 0) {
                assertThat(inVariable.err()).startsWith("metrics-aggregator: " + variable + ": ");
                assertThat(inVariable.out()).isEmpty();
            }
            printed.add(option + "=" + value);
            assertThat(run(Map.of(), printed.toArray(new String[0])).status())
                    .as(value)
                    .isEqualTo(inVariable.status());
            if (inVariable.status() == 2) {
                printed.remove("--print-config");
                assertThat(run(Map.of(), printed.toArray(new String[0])).status())
                        .as("run with " + value)
                        .isEqualTo(2);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("options")
    void an_empty_value_in_the_file_is_refused(String option) throws IOException {
        Path file = file(option.substring(2) + " =");
        Result result = run(Map.of(), "--config=" + file, "--print-config");
        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err())
                .startsWith("metrics-aggregator: " + file + ":1: ")
                .contains(" ");
    }

    @ParameterizedTest
    @CsvSource({
        "journal-sync, 1s, --journal DIR",
        "journal-segment, 1m, --journal DIR",
        "host-interval, 1s, --host",
        "otlp-interval, 1s, --otlp URL",
        "otel-genai, true, --otlp URL or --prometheus HOST:PORT",
        "readiness-id, 3, --readiness-path NAME",
        "tokenizer-workers, 2, --tokenizer PATH or --socket-dir DIR",
        "transformers-version, 5.5.0, --tokenizer PATH or --socket-dir DIR",
        "max-text-memory, 1m, --tokenizer PATH or --socket-dir DIR",
        "drain-timeout, 1, --tokenizer PATH or --socket-dir DIR",
        "nodes, 1/2, --provisioned-power-kw KW"
    })
    void an_option_without_the_one_that_it_needs_is_refused_wherever_it_is_given(
            String name, String value, String needed) throws IOException {
        String variable = "METRICS_AGGREGATOR_" + name.toUpperCase(Locale.ROOT).replace('-', '_');
        Path file = file(name + " = " + value);
        String message = "--" + name + " has no effect without " + needed + "\n";
        String[] run = {"--output-dir=o", "--in=ipc:///x"};
        assertThat(List.of(
                        run(Map.of(), run[0], run[1], "--" + name + "=" + value),
                        run(Map.of(), run[0], run[1], "--print-config", "--" + name + "=" + value),
                        run(Map.of(variable, value), run),
                        run(Map.of(), run[0], run[1], "--config=" + file)))
                .allMatch(each -> each.status() == 2 && each.err().contains(message))
                .extracting(each -> each.err().lines().findFirst().orElse("").replaceAll("--.*", ""))
                .containsExactly(
                        "metrics-aggregator: ",
                        "metrics-aggregator: ",
                        "metrics-aggregator: " + variable + ": ",
                        "metrics-aggregator: " + file + ":1: ");
    }

    @Test
    void printing_refuses_an_address_that_a_run_refuses_to_bind() throws IOException {
        Path file = file("in = bind:tcp://127.0.0.1:0", "in = bind:tcp://*:0");
        assertThat(run(Map.of(), "--config=" + file, "--print-config").err())
                .startsWith("metrics-aggregator: " + file
                        + ":2: --in: binding tcp://*:0 would let anyone who reaches this host publish and read");
        assertThat(run(Map.of(), "--config=" + file, "--print-config", "--insecure-bind")
                        .status())
                .isZero();
    }

    @Test
    void a_misspelt_option_is_named_before_a_missing_one() {
        for (String[] each : new String[][] {{"--outputdir", "x"}, {"--outputdir", "x", "--print-config"}}) {
            Result result = run(Map.of(), each);
            assertThat(result.status()).isEqualTo(2);
            assertThat(result.err())
                    .startsWith("metrics-aggregator: Unknown option")
                    .contains("'--outputdir'");
        }
    }
}
