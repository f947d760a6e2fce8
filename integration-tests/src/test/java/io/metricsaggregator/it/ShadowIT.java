package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code mlcommons --shadow}: our daemon beside the tool's aggregator, on the recorded events of the golden cases. The tool's aggregator is a
 * stand-in that writes the snapshot recorded from it, and the real one where {@value #TOOL} names a Python that has it.
 */
class ShadowIT {
    private static final String TOOL = "MLCOMMONS_ENDPOINTS_PYTHON";
    private static final Path GOLDEN = Path.of(System.getProperty("golden.dir", "../quality/golden"), "endpoints")
            .toAbsolutePath()
            .normalize();

    @TempDir
    Path directory;

    private Path shadows;

    @BeforeEach
    void needsPython() {
        Python.require();
        shadows = directory.resolve("shadows");
    }

    private static Path resource(String name) throws Exception {
        return Path.of(Objects.requireNonNull(ShadowIT.class.getResource("/python/" + name))
                .toURI());
    }

    private ProcessBuilder command(String python, String name, String... how) throws Exception {
        List<String> words = new java.util.ArrayList<>(List.of(
                "mlcommons",
                "--shadow",
                "--shadow-dir",
                shadows.toString(),
                "--",
                python,
                resource("shadow_tool.py").toString(),
                directory.toString(),
                GOLDEN.resolve(name).toString()));
        words.addAll(List.of(how));
        ProcessBuilder builder =
                Cli.builder(List.of(), List.of("-Djava.io.tmpdir=" + directory), words.toArray(new String[0]));
        builder.environment().remove("METRICS_AGGREGATOR_LAUNCHER");
        return builder;
    }

    private ProcessBuilder withStandIn(String name, Path snapshot, String... how) throws Exception {
        ProcessBuilder builder = command(Python.interpreter(), name, how);
        builder.environment()
                .putAll(Map.of(
                        "PYTHONPATH",
                        resource("standin").toString(),
                        "STANDIN_SNAPSHOT",
                        snapshot.toString(),
                        "STANDIN_SHADOWS",
                        shadows.toString(),
                        "STANDIN_SEEN",
                        directory.resolve("seen").toString()));
        return builder;
    }

    private static Path recorded(String name) {
        return GOLDEN.resolve(name).resolve("expected_final_snapshot.json");
    }

    private void assertNothingIsLeft() throws IOException {
        try (var files = Files.list(directory)) {
            assertThat(files.map(each -> each.getFileName().toString()))
                    .noneMatch(name -> name.startsWith("metrics-aggregator"));
        }
    }

    @Test
    void everyValueOfTheToolsAggregatorIsComparedAndEqual() throws Exception {
        try (RunningProcess tool =
                new RunningProcess(withStandIn("02_streaming_chunks", recorded("02_streaming_chunks")))) {
            assertThat(tool.awaitExit()).as("%s", tool).isEqualTo(7);
            assertThat(tool.err())
                    .as("%s", tool)
                    .containsPattern(
                            "shadow 1: .*final.*|shadow 1: .*metrics: [0-9]+ values of .* percentiles: all equal");
            assertThat(tool.out()).contains("\"status\": 0");
        }
        assertThat(Files.readString(directory.resolve("seen"))).isEqualTo("True");
        assertThat(shadows.resolve("1/comparison.txt")).content().contains("all equal");
        assertThat(shadows.resolve("1/final_snapshot.json")).exists();
        assertNothingIsLeft();
    }

    @Test
    void aValueThatDiffersIsPrintedWithBothValues() throws Exception {
        Path altered = directory.resolve("altered.json");
        Files.writeString(
                altered,
                Files.readString(recorded("02_streaming_chunks"))
                        .replaceFirst("(\"tracked_samples_failed\",\\s+\"value\": )10", "$1" + "11"));
        try (RunningProcess tool = new RunningProcess(withStandIn("02_streaming_chunks", altered))) {
            assertThat(tool.awaitExit()).as("%s", tool).isEqualTo(7);
            assertThat(tool.err()).contains("1 differ", "  tracked_samples_failed: tool 11, ours 10");
        }
    }

    @Test
    void whenTheToolTerminatesItsAggregatorOursEndsToo() throws Exception {
        try (RunningProcess tool = new RunningProcess(
                withStandIn("02_streaming_chunks", recorded("02_streaming_chunks"), "interrupted"))) {
            assertThat(tool.awaitExit()).as("%s", tool).isEqualTo(7);
            assertThat(tool.err()).contains("The tool ended its aggregator by a signal");
            assertThat(tool.descendants()).isEmpty();
        }
        assertThat(Files.readString(shadows.resolve("1/final_snapshot.json"))).contains("interrupted");
    }

    @Test
    void aCommandWithoutAnAggregatorIsSaid() throws Exception {
        try (RunningProcess tool =
                new RunningProcess(Cli.builder(List.of(), List.of(), "mlcommons", "--shadow", "--", "true"))) {
            assertThat(tool.awaitExit()).isZero();
            assertThat(tool.err()).contains("started no aggregator of MLCommons endpoints");
        }
    }

    @ParameterizedTest
    @MethodSource("io.metricsaggregator.run.GoldenCase#completed")
    void theRealAggregatorOfTheToolHasTheSameValues(String name) throws Exception {
        String python = System.getenv(TOOL);
        if (python == null) {
            String reason = TOOL + " names no Python with the package inference_endpoint";
            System.out.println("SKIPPED: " + reason);
            Assumptions.assumeTrue(false, reason);
            return;
        }
        ProcessBuilder builder = command(python, name);
        try (RunningProcess tool = new RunningProcess(builder)) {
            assertThat(tool.awaitExit()).as("%s", tool).isEqualTo(7);
            assertThat(tool.err()).as("%s", tool).containsPattern("shadow 1: .* percentiles: all equal");
        }
    }
}
