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
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the README says to type is typed here, as it stands there but for the directory. */
class ReadmeIT {
    private static final Pattern BLOCK = Pattern.compile("```(\\w+)\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern OPTION = Pattern.compile("--[a-z][a-z-]*");

    @TempDir
    Path directory;

    private String readme = "";

    @BeforeEach
    void read() throws IOException {
        readme = Files.readString(Path.of("..", "README.md"));
    }

    /** The one code block of a language that contains {@code mark}. */
    private String block(String language, String mark) {
        List<String> found = BLOCK.matcher(readme)
                .results()
                .filter(block ->
                        block.group(1).equals(language) && block.group(2).contains(mark))
                .map(block -> block.group(2).replace("/tmp/bench", directory.toString()))
                .toList();
        assertThat(found).as("blocks of %s with %s", language, mark).hasSize(1);
        return found.get(0);
    }

    /** The first command line of the README that begins with these words and has that in it, as arguments. */
    private String[] command(String beginning, String mark) {
        String line = BLOCK.matcher(readme)
                .results()
                .filter(block -> block.group(1).equals("sh"))
                .flatMap(block -> block.group(2).replaceAll("\\\\\n *", "").lines())
                .filter(l -> l.startsWith("./metrics-aggregator " + beginning) && l.contains(mark))
                .findFirst()
                .orElseThrow();
        return line.replace("/tmp/bench", directory.toString())
                .replaceFirst(" *#.*", "")
                .split(" +", 2)[1]
                .split(" +");
    }

    private RunningProcess start(String beginning) throws IOException {
        return Cli.start(command(beginning, ""));
    }

    @Test
    void theRecipeForServersAndNodesShowsThem() throws IOException {
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
            String[] run = Arrays.stream(command("run", "--scrape")).map(here).toArray(String[]::new);
            String[] agent = Arrays.stream(command("agent", "--node")).map(here).toArray(String[]::new);
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
        try (RunningProcess report = start("report")) {
            assertThat(report.awaitExit()).as("%s", report).isZero();
            assertThat(report.out()).contains("2 of 2 targets answer").contains("2 of 2 nodes report");
        }
        try (RunningProcess series = Cli.start(command("report", "--format series"))) {
            assertThat(series.awaitExit()).as("%s", series).isZero();
        }
        assertThat(directory.resolve("series.csv"))
                .content()
                .startsWith("time,seconds,")
                .contains("vllm:num_requests_running{");
    }

    private void assertHundredSamples() throws IOException {
        MetricsSnapshot last = FinalSnapshotFile.read(directory.resolve("out"));
        assertThat(last.state()).isEqualTo(SessionState.COMPLETE);
        assertThat(last.counterValue("tracked_samples_completed")).isEqualTo(100);
        assertThat(last.counterValue("records_applied")).isEqualTo(203);
        assertThat(last.counterValue("records_received")).isEqualTo(203);
    }

    @Test
    void theRecipesInPythonMakeARunAndFollowIt() throws IOException {
        Python.require();
        Path producer = Files.writeString(directory.resolve("producer.py"), block("python", "zmq.XPUB"));
        Path subscriber = Files.writeString(directory.resolve("subscriber.py"), block("python", "zmq.SUB"));
        try (RunningProcess follows = Python.run(subscriber);
                RunningProcess tail = start("tail");
                RunningProcess daemon = start("run");
                RunningProcess publishes = Python.run(producer)) {
            assertThat(publishes.awaitExit()).as("%s", publishes).isZero();
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
            assertThat(follows.awaitExit()).as("%s", follows).isZero();
            assertThat(tail.awaitExit()).as("%s", tail).isZero();
            assertThat(follows.outLines()).last().asString().startsWith("complete 100 completed, p99 ");
            assertThat(tail.outLines()).last().asString().startsWith("COMPLETE ");
        }
        assertHundredSamples();
        try (RunningProcess report = start("report")) {
            assertThat(report.awaitExit()).as("%s", report).isZero();
            assertThat(report.out()).contains("issued 100, completed 100, failed 0");
        }
    }

    @Test
    void theRecipeInJavaMakesARun() throws IOException {
        Path load = Files.writeString(directory.resolve("Load.java"), block("java", "class Load"));
        try (RunningProcess daemon = start("run");
                RunningProcess publishes = new RunningProcess(new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        load.toString()))) {
            assertThat(publishes.awaitExit()).as("%s", publishes).isZero();
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        assertHundredSamples();
    }

    @Test
    void theTableOfFlagsHasEveryFlagOfRunAndNoOther() throws IOException {
        String table = readme.substring(readme.indexOf("### Flags of `run`"), readme.indexOf("### Exit status"));
        Set<String> written = Pattern.compile("^\\| ([^|]*) \\|", Pattern.MULTILINE)
                .matcher(table)
                .results()
                .map(row -> row.group(1))
                .flatMap(cell -> options(cell).stream())
                .collect(Collectors.toSet());
        try (RunningProcess help = Cli.start("run", "--help")) {
            assertThat(help.awaitExit()).isZero();
            // Names in the column of names; a meaning may speak of another option.
            Set<String> real = help.out()
                    .lines()
                    .filter(line -> line.matches(" {0,8}(-\\w, )?--.*"))
                    .map(line -> line.strip().split(" {2,}", 2)[0])
                    .flatMap(names -> options(names).stream())
                    .collect(Collectors.toSet());
            assertThat(real).contains("--in", "--max-frame");
            real.removeAll(Set.of("--help", "--version", "--verbose"));
            assertThat(written).isEqualTo(real);
        }
    }

    private static Set<String> options(String text) {
        return OPTION.matcher(text).results().map(MatchResult::group).collect(Collectors.toSet());
    }
}
