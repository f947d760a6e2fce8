package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the commands and programs of README and docs/ as written, in another directory. */
class DocumentationIT {
    private static final Pattern BLOCK = Pattern.compile("```(\\w+)\\n(.*?)```", Pattern.DOTALL);

    @TempDir
    Path directory;

    private static final Path README = Path.of("..", "README.md");
    private static final Path START = Path.of("..", "docs", "start.md");
    private static final Path PYTHON_CLIENT = Path.of("..", "clients", "python", "README.md");
    private static final Path INTEGRATIONS = Path.of("..", "docs", "integrations.md");

    private static List<MatchResult> blocks(Path page) throws IOException {
        return BLOCK.matcher(Files.readString(page)).results().toList();
    }

    /** Returns the only code block of a language on the page that contains {@code mark}. */
    private String block(Path page, String language, String mark) throws IOException {
        List<String> found = blocks(page).stream()
                .filter(block ->
                        block.group(1).equals(language) && block.group(2).contains(mark))
                .map(block -> block.group(2).replace("/tmp/bench", directory.toString()))
                .toList();
        assertThat(found).as("blocks of %s with %s", language, mark).hasSize(1);
        return found.get(0);
    }

    /** Returns the arguments of the first command line on the page that begins with these words and contains {@code mark}. */
    private String[] command(Path page, String beginning, String mark) throws IOException {
        String line = blocks(page).stream()
                .filter(block -> block.group(1).equals("sh"))
                .flatMap(block -> block.group(2).replaceAll("\\\\\n *", "").lines())
                .map(l -> l.replaceFirst("^\\./", ""))
                .filter(l -> l.startsWith("metrics-aggregator " + beginning) && l.contains(mark))
                .findFirst()
                .orElseThrow();
        return line.replace("/tmp/bench", directory.toString())
                .replaceFirst(" *[#&].*", "")
                .split(" +", 2)[1]
                .trim()
                .split(" +");
    }

    private RunningProcess start(Path page, String beginning) throws IOException {
        return Cli.start(command(page, beginning, ""));
    }

    @Test
    void theRecipeForServersAndNodesReportsThem() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        try (RunningProcess exporter = Cli.start("exporter")) {
            exporter.awaitOut("/metrics");
            String url = exporter.out().strip();
            UnaryOperator<String> here = word -> word.replace("http://localhost:8000/metrics", url)
                    .replace("http://localhost:9400", url + ",instance=gpus")
                    .replace("127.0.0.1:5601", "127.0.0.1:" + port);
            String[] run = Arrays.stream(command(INTEGRATIONS, "run", "--scrape"))
                    .map(here)
                    .toArray(String[]::new);
            String[] agent = Arrays.stream(command(INTEGRATIONS, "agent", "--node"))
                    .map(here)
                    .toArray(String[]::new);
            try (RunningProcess daemon = Cli.start(run);
                    RunningProcess node = Cli.start(agent)) {
                try (RunningProcess live =
                        Cli.start("tail", "ipc://" + directory.resolve("metrics"), "--format", "json")) {
                    assertThat(node.process.isAlive()).as("%s", node).isTrue();
                    live.awaitOut("\"n_nodes_reporting\":2");
                }
                daemon.signal("TERM");
                assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
            }
        }
        try (RunningProcess report = start(INTEGRATIONS, "report")) {
            assertThat(report.awaitExit()).as("%s", report).isZero();
            assertThat(report.out()).contains("2 of 2 targets answer").contains("2 of 2 nodes report");
        }
        try (RunningProcess series = Cli.start(command(INTEGRATIONS, "report", "--format series"))) {
            assertThat(series.awaitExit()).as("%s", series).isZero();
        }
        assertThat(directory.resolve("series.csv"))
                .content()
                .startsWith("time,seconds,")
                .contains("vllm:num_requests_running{");
    }

    private void assertHundredSamples(int records) throws IOException {
        MetricsSnapshot last = FinalSnapshotFile.read(directory.resolve("out"));
        assertThat(last.state()).isEqualTo(SessionState.COMPLETE);
        assertThat(last.counterValue("tracked_samples_completed")).isEqualTo(100);
        assertThat(last.counterValue("records_applied")).isEqualTo(records);
        assertThat(last.counterValue("records_received")).isEqualTo(records);
    }

    @Test
    void thePythonRecipesProduceAndFollowARun() throws IOException {
        Python.require();
        Path producer = Files.writeString(directory.resolve("producer.py"), block(START, "python", "with Publisher("));
        Path subscriber =
                Files.writeString(directory.resolve("subscriber.py"), block(START, "python", "import Subscriber"));
        try (RunningProcess follows = Python.run(subscriber);
                RunningProcess tail = start(START, "tail");
                RunningProcess daemon = start(START, "run");
                RunningProcess publishes = Python.run(producer)) {
            assertThat(publishes.awaitExit()).as("%s", publishes).isZero();
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
            assertThat(follows.awaitExit()).as("%s", follows).isZero();
            assertThat(tail.awaitExit()).as("%s", tail).isZero();
            assertThat(follows.outLines()).last().asString().startsWith("complete 100 completed, p99 ");
            assertThat(tail.outLines()).last().asString().startsWith("COMPLETE ");
        }
        assertHundredSamples(204);
        try (RunningProcess report = start(START, "report")) {
            assertThat(report.awaitExit()).as("%s", report).isZero();
            assertThat(report.out()).contains("issued 100, succeeded 100 (100.00%), failed 0 (0.00%)");
        }
    }

    @Test
    void theJavaRecipeProducesARun() throws IOException {
        Path load = Files.writeString(
                directory.resolve("Load.java"),
                Files.readString(Path.of("..", "docs", "examples", "Load.java"))
                        .replace("/tmp/bench", directory.toString()));
        try (RunningProcess daemon = start(START, "run");
                RunningProcess publishes = new RunningProcess(new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        load.toString()))) {
            assertThat(publishes.awaitExit()).as("%s", publishes).isZero();
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        assertHundredSamples(1203);
    }

    @Test
    void theQuickStartOfTheReadmeProducesAReport() throws IOException {
        try (RunningProcess daemon = start(README, "run");
                RunningProcess load = start(README, "produce");
                RunningProcess watch = start(README, "watch")) {
            assertThat(load.awaitExit()).as("%s", load).isZero();
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
            assertThat(watch.awaitExit()).as("%s", watch).isZero();
        }
        try (RunningProcess report = start(README, "report")) {
            assertThat(report.awaitExit()).as("%s", report).isZero();
            assertThat(report.out()).contains("COMPLETE");
        }
        try (RunningProcess html = Cli.start(command(README, "report", "--format html"))) {
            assertThat(html.awaitExit()).as("%s", html).isZero();
        }
        assertThat(directory.resolve("report.html")).isNotEmptyFile();
    }
}
