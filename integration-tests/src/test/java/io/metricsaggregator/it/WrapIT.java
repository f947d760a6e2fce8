package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code wrap} around real processes against {@code serve-synthetic}. Load tools are those in the folders of {@value #TOOLS}, a list like
 * {@code PATH}; a test of one that is missing prints so and is skipped.
 */
class WrapIT {
    private static final String TOOLS = "WRAPPED_TOOLS";
    private static final Duration LONG = Duration.ofMinutes(4);

    @TempDir
    Path directory;

    private RunningProcess server;
    private String url = "";

    @BeforeEach
    void serve() throws IOException {
        server = Cli.start(
                "serve-synthetic",
                "--listen",
                "127.0.0.1:0",
                "--ttft",
                "50ms",
                "--chunk-interval",
                "10ms",
                "--tokens",
                "8");
        server.awaitOut("http://");
        url = server.out().strip();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Path output() {
        return directory.resolve("results");
    }

    private RunningProcess wrap(List<String> options, String... tool) throws IOException {
        List<String> words = new ArrayList<>(List.of("wrap", "--output-dir", output().toString()));
        words.addAll(options);
        words.add("--");
        words.addAll(Arrays.asList(tool));
        ProcessBuilder builder =
                Cli.builder(List.of(), List.of("-Djava.io.tmpdir=" + directory), words.toArray(new String[0]));
        builder.environment().remove("METRICS_AGGREGATOR_LAUNCHER");
        return new RunningProcess(builder.directory(directory.toFile()));
    }

    private static String script(String name) throws Exception {
        return Path.of(Objects.requireNonNull(WrapIT.class.getResource("/python/" + name))
                        .toURI())
                .toString();
    }

    private static String tool(String name) {
        String folders = System.getenv(TOOLS);
        for (String each : folders == null ? new String[0] : folders.split(File.pathSeparator, -1)) {
            if (Files.isExecutable(Path.of(each, name))) {
                return Path.of(each, name).toString();
            }
        }
        String reason = name + " is in no folder of the variable " + TOOLS;
        System.out.println("SKIPPED: " + reason);
        Assumptions.assumeTrue(false, reason);
        throw new AssertionError();
    }

    private MetricsSnapshot last() throws IOException {
        return FinalSnapshotFile.read(output());
    }

    private void assertNothingIsLeft(RunningProcess wrap) throws IOException {
        assertThat(wrap.descendants()).isEmpty();
        try (var files = Files.list(directory)) {
            assertThat(files.map(each -> each.getFileName().toString()))
                    .noneMatch(name -> name.startsWith("metrics-aggregator-wrap"));
        }
    }

    @Test
    void aCurlIsMeasuredAndItsOutputIsItsOwn() throws Exception {
        try (RunningProcess wrap = wrap(
                List.of(),
                "curl",
                "-sN",
                url + "/v1/completions",
                "-d",
                "{\"model\":\"synthetic\",\"prompt\":\"Hello\",\"stream\":true}")) {
            assertThat(wrap.awaitExit()).as("%s", wrap).isZero();
            assertThat(wrap.outLines()).allMatch(line -> line.isEmpty() || line.startsWith("data: "));
            assertThat(wrap.out()).contains("data: [DONE]");
            assertNothingIsLeft(wrap);
        }
        assertThat(last().counterValue("tracked_samples_completed")).isEqualTo(1);
        assertThat(Objects.requireNonNull(last().series("ttft_ns")).count()).isEqualTo(1);
    }

    @Test
    void anAgentWithoutARuleIsMeasuredAndThePageMoves() throws Exception {
        Python.require();
        try (RunningProcess wrap = wrap(
                List.of("--upstream", url, "--web", "0"),
                Python.interpreter(),
                script("streaming_client.py"),
                "40",
                "3")) {
            wrap.awaitOut("1\n");
            Matcher page = Pattern.compile("live page (http://\\S+)").matcher(wrap.err());
            assertThat(page.find()).as("%s", wrap).isTrue();
            try (var client = new Page(page.group(1))) {
                assertThat(client.get().statusCode()).isEqualTo(200);
            }
            assertThat(wrap.awaitExit()).as("%s", wrap).isEqualTo(3);
            assertThat(wrap.out()).contains("calls 20 chunks ");
            assertThat(wrap.err()).contains("measured=40 succeeded=40", "files are in " + output());
            assertNothingIsLeft(wrap);
        }
        MetricsSnapshot last = last();
        assertThat(last.counterValue("tracked_samples_completed")).isEqualTo(40);
        assertThat(last.counterValue("tracked_finish_reason_tool_calls")).isEqualTo(20);
        assertThat(last.counterValue("tracked_finish_reason_stop")).isEqualTo(20);
        assertThat(Objects.requireNonNull(last.series("ttft_ns")).min().longValue())
                .isGreaterThanOrEqualTo(50_000_000L);
        assertThat(last.state().isTerminal()).isTrue();
    }

    /** A browser's view of the live page. */
    private record Page(String url) implements AutoCloseable {
        HttpResponse<String> get() throws Exception {
            return HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
        }

        @Override
        public void close() {
            // The client ends with the garbage collection of it.
        }
    }

    @Test
    void anInterruptReachesTheToolAndWhatWasMeasuredIsKept() throws Exception {
        Python.require();
        // Without a terminal, which would have sent the signal to both; and a build in the background hands an ignored
        // SIGINT down.
        List<String> words = new ArrayList<>(List.of(
                Python.interpreter(),
                "-c",
                "import os,signal,sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.setsid();"
                        + " os.execvp(sys.argv[1], sys.argv[1:])"));
        ProcessBuilder inner = Cli.builder(
                List.of(),
                List.of("-Djava.io.tmpdir=" + directory),
                "wrap",
                "--output-dir",
                output().toString(),
                "--upstream",
                url,
                "--",
                Python.interpreter(),
                script("streaming_client.py"),
                "100000");
        words.addAll(inner.command());
        ProcessBuilder builder = new ProcessBuilder(words);
        builder.environment().remove("METRICS_AGGREGATOR_LAUNCHER");
        try (RunningProcess session = new RunningProcess(builder)) {
            session.awaitOut("3\n");
            session.signal("INT");
            assertThat(session.awaitExit()).as("%s", session).isEqualTo(42);
            assertNothingIsLeft(session);
        }
        assertThat(last().counterValue("tracked_samples_completed")).isGreaterThanOrEqualTo(3);
    }

    @Test
    void whatCannotBeMeasuredIsRefusedBeforeAnythingStarts() throws Exception {
        try (RunningProcess wrap = wrap(List.of(), "aiperf", "profile", "--model", "m")) {
            assertThat(wrap.awaitExit()).isEqualTo(2);
            assertThat(wrap.err()).contains("name a server: add --upstream URL").doesNotContain("Exception");
        }
        assertThat(output()).doesNotExist();
        try (RunningProcess wrap = wrap(List.of("--upstream", url), "no-such-tool")) {
            assertThat(wrap.awaitExit()).isEqualTo(4);
            assertThat(wrap.err()).contains("no-such-tool").doesNotContain("Exception");
            assertNothingIsLeft(wrap);
        }
    }

    @Test
    void explainRunsNothing() throws Exception {
        try (RunningProcess wrap = wrap(List.of("--explain"), "vllm", "bench", "serve", "--model", "m")) {
            assertThat(wrap.awaitExit()).isZero();
            assertThat(wrap.out())
                    .contains(
                            "tool      vLLM bench",
                            "server    http://127.0.0.1:8000",
                            "change    added --host 127.0.0.1");
        }
        assertThat(output()).doesNotExist();
    }

    @Test
    void aToolThatRequestsNothingIsToldSo() throws Exception {
        try (RunningProcess wrap = wrap(List.of("--upstream", url), "true")) {
            assertThat(wrap.awaitExit()).isZero();
            assertThat(wrap.err()).contains("no request was measured");
            assertNothingIsLeft(wrap);
        }
    }

    private void assertSameCount(RunningProcess wrap, String toolName) {
        Matcher row =
                Pattern.compile("(?m)^requests +([0-9,]+) +([0-9,]+) +\\+0").matcher(wrap.err());
        assertThat(wrap.err()).as("%s", wrap).contains(toolName + "'s own results");
        assertThat(row.find()).as("%s", wrap).isTrue();
    }

    @Test
    void locustCountsWhatWeCount() throws Exception {
        String locust = tool("locust");
        try (RunningProcess wrap = wrap(
                List.of(),
                locust,
                "-f",
                script("locustfile.py"),
                "--headless",
                "-u",
                "3",
                "-r",
                "3",
                "-t",
                "5s",
                "--stop-timeout",
                "10",
                "--host",
                url,
                "--json-file",
                "locust")) {
            assertThat(wrap.awaitExit(LONG)).as("%s", wrap).isZero();
            assertSameCount(wrap, "Locust");
        }
    }

    @Test
    void aiperfCountsWhatWeCount() throws Exception {
        String aiperf = tool("aiperf");
        Path tokenizer =
                Path.of(System.getProperty("golden.dir", "../quality/golden"), "endpoints", "tokenizers", "char");
        try (RunningProcess wrap = wrap(
                List.of(),
                aiperf,
                "profile",
                "--model",
                "synthetic",
                "--url",
                url,
                "--endpoint-type",
                "chat",
                "--streaming",
                "--concurrency",
                "2",
                "--request-count",
                "20",
                "--tokenizer",
                tokenizer.toAbsolutePath().normalize().toString(),
                "--ui",
                "none")) {
            assertThat(wrap.awaitExit(LONG)).as("%s", wrap).isZero();
            assertSameCount(wrap, "AIPerf");
        }
    }

    @Test
    void vegetaIsMeasuredByItsConnections() throws Exception {
        String vegeta = tool("vegeta");
        Path targets = directory.resolve("targets");
        Path body = directory.resolve("body.json");
        Files.writeString(body, "{\"model\":\"synthetic\",\"prompt\":\"Hello\"}");
        Files.writeString(targets, "POST " + url + "/v1/completions\n@" + body + "\n");
        try (RunningProcess wrap = wrap(
                List.of(),
                vegeta,
                "attack",
                "-targets",
                targets.toString(),
                "-rate",
                "10",
                "-duration",
                "2s",
                "-output",
                directory.resolve("vegeta.bin").toString())) {
            assertThat(wrap.awaitExit(LONG)).as("%s", wrap).isZero();
        }
        assertThat(last().counterValue("tracked_samples_completed")).isEqualTo(20);
    }
}
