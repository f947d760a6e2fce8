package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.JsonTree;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code metrics-aggregator mlcommons -- COMMAND} with a substitute for the tool, which no package index has. The substitute starts
 * its aggregator exactly like the tool's launcher.
 */
class MlcommonsIT {
    @TempDir
    Path directory;

    @BeforeEach
    void needsPython() {
        Python.require();
    }

    private ProcessBuilder command(String how) throws Exception {
        Path script = Path.of(Objects.requireNonNull(MlcommonsIT.class.getResource("/python/mlcommons_tool.py"))
                .toURI());
        ProcessBuilder builder = Cli.builder(
                List.of(),
                List.of("-Djava.io.tmpdir=" + directory),
                "mlcommons",
                "--run-option=--publish-interval=50ms",
                "--",
                Python.interpreter(),
                script.toString(),
                directory.toString(),
                how);
        builder.environment().remove("METRICS_AGGREGATOR_LAUNCHER");
        return builder;
    }

    private Map<String, ?> seen(RunningProcess tool) throws IOException {
        List<String> lines = tool.outLines();
        assertThat(lines).as("%s", tool).isNotEmpty();
        return JsonTree.read(lines.get(lines.size() - 1).getBytes(StandardCharsets.UTF_8));
    }

    private void assertNoHookIsLeft() throws IOException {
        try (var files = Files.list(directory)) {
            assertThat(files.map(each -> each.getFileName().toString()))
                    .noneMatch(name -> name.startsWith("metrics-aggregator-mlcommons"));
        }
    }

    @Test
    void theToolsAggregatorIsReplacedAndItsExitStatusReturned() throws Exception {
        try (RunningProcess tool = new RunningProcess(command("end"))) {
            assertThat(tool.awaitExit()).as("%s", tool).isEqualTo(5);
            Map<String, ?> seen = seen(tool);
            assertThat(seen.get("ours")).isEqualTo(true);
            assertThat(seen.get("status")).isEqualTo(0L);
            assertThat(seen.get("state")).isEqualTo("complete");
            assertThat(seen.get("completed")).isEqualTo(10L);
        }
        assertNoHookIsLeft();
    }

    @Test
    void terminationByTheToolReachesTheDaemon() throws Exception {
        try (RunningProcess tool = new RunningProcess(command("term"))) {
            assertThat(tool.awaitExit()).as("%s", tool).isEqualTo(5);
            assertThat(seen(tool).get("state")).isEqualTo("interrupted");
        }
    }

    @Test
    void otherPythonProcessesRunUnchangedWithTheirOwnSitecustomize() throws Exception {
        Path theirs = Files.createDirectory(directory.resolve("theirs"));
        Files.writeString(
                theirs.resolve("sitecustomize.py"), "import os\nos.environ['SEEN_SITECUSTOMIZE'] = 'theirs'\n");
        ProcessBuilder builder = command("other");
        builder.environment().put("PYTHONPATH", theirs.toString());
        try (RunningProcess tool = new RunningProcess(builder)) {
            assertThat(tool.awaitExit()).as("%s", tool).isEqualTo(3);
            assertThat(seen(tool).get("hidden_sitecustomize")).isEqualTo("theirs");
        }
        assertNoHookIsLeft();
    }

    /** The arguments of a daemon that takes the place of an aggregator whose source is {@code source}. */
    private RunningProcess daemonOf(String source, String... arguments) throws Exception {
        Path tool = directory.resolve("tool");
        Path module =
                Files.createDirectories(tool.resolve("inference_endpoint/async_utils/services/metrics_aggregator"));
        Files.writeString(module.resolve("__main__.py"), source);
        Path hook = Files.createDirectory(directory.resolve("hook"));
        try (InputStream resource = MlcommonsIT.class.getResourceAsStream("/mlcommons/sitecustomize.py")) {
            Files.copy(Objects.requireNonNull(resource), hook.resolve("sitecustomize.py"));
        }
        ProcessBuilder builder = new ProcessBuilder(
                Python.interpreter(), "-m", "inference_endpoint.async_utils.services.metrics_aggregator");
        builder.command().addAll(List.of(arguments));
        builder.environment().put("PYTHONPATH", hook + File.pathSeparator + tool);
        builder.environment().put("METRICS_AGGREGATOR_MLCOMMONS_COMMAND", "/bin/echo");
        return new RunningProcess(builder);
    }

    @ParameterizedTest
    @CsvSource({
        "None if args.drain_timeout == 0 else args.drain_timeout, 0.0, none",
        "None if args.drain_timeout == 0 else args.drain_timeout, 60.0, 60.0",
        "args.drain_timeout, 0.0, 0.0"
    })
    void aDrainTimeoutOf0MeansWhatTheInstalledToolMeansByIt(String source, String given, String passed)
            throws Exception {
        try (RunningProcess daemon = daemonOf("drain_timeout_s=" + source, "--drain-timeout", given, "--streaming")) {
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
            assertThat(daemon.out()).isEqualTo("--drain-timeout " + passed + " --streaming\n");
        }
    }

    @Test
    void anOptionOfALaterToolIsNamedAndLeftOut() throws Exception {
        try (RunningProcess daemon =
                daemonOf("", "--socket-dir", "d", "--steady-state-profile", "poisson", "--no-such", "--streaming")) {
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
            assertThat(daemon.out()).isEqualTo("--socket-dir d --streaming\n");
            assertThat(daemon.err()).contains("no option --steady-state-profile poisson --no-such;");
        }
    }

    @Test
    void aMissingCommandIsNamed() throws Exception {
        try (RunningProcess tool =
                new RunningProcess(Cli.builder(List.of(), List.of(), "mlcommons", "--", "no-such-tool", "benchmark"))) {
            assertThat(tool.awaitExit()).isEqualTo(4);
            assertThat(tool.err()).contains("no-such-tool").doesNotContain("Exception");
        }
    }
}
