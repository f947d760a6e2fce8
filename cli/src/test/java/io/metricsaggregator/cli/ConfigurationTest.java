package io.metricsaggregator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Model.CommandSpec;

class ConfigurationTest {
    private static final CommandSpec RUN =
            Main.commands("run").getSubcommands().get("run").getCommandSpec();

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
}
