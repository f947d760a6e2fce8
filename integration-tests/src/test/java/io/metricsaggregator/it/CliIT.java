package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.run.GoldenCase;
import io.metricsaggregator.snapshot.Ledger;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.SelfCost;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import io.metricsaggregator.verdict.Verdict;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The sub-commands from a user's point of view, with their exit statuses. */
class CliIT {
    @TempDir
    Path directory;

    private String ipc(String name) {
        return "ipc://" + directory.resolve(name);
    }

    private static int exit(String... arguments) throws IOException {
        try (RunningProcess process = Cli.start(arguments)) {
            return process.awaitExit();
        }
    }

    @Test
    void tailWorksBeforeDuringAndAfterTheRun() throws IOException {
        Path output = directory.resolve("out");
        try (RunningProcess before = Cli.start("tail", ipc("metrics"), "--format", "json");
                RunningProcess daemon = Cli.daemon(
                        output,
                        "--streaming",
                        "--publish-interval",
                        "20ms",
                        "--in",
                        "bind:" + ipc("events"),
                        "--out",
                        ipc("metrics"));
                RunningProcess producer = Cli.start(
                        "produce",
                        "--out",
                        "connect:" + ipc("events"),
                        "--duration",
                        "6s",
                        "--warmup",
                        "0s",
                        "--chunks",
                        "5")) {
            Await.until(() -> before.outLines().size() > 3, before::toString);
            try (RunningProcess during = Cli.start("tail", ipc("metrics"));
                    RunningProcess wait = Cli.start("wait", ipc("metrics"), "--timeout", "60s")) {
                Await.until(() -> during.outLines().size() > 2, during::toString);
                assertThat(producer.awaitExit()).as("%s", producer).isZero();
                assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
                assertThat(before.awaitExit()).as("%s", before).isZero();
                assertThat(during.awaitExit()).as("%s", during).isZero();
                assertThat(wait.awaitExit()).as("%s", wait).isZero();
                assertThat(during.outLines()).first().asString().startsWith("LIVE");
                assertThat(during.outLines()).last().asString().startsWith("COMPLETE");
                assertThat(wait.outLines()).hasSize(1).first().asString().startsWith("COMPLETE");
            }
            List<String> lines = before.outLines();
            long last = 0;
            for (String line : lines) {
                Map<String, ?> snapshot = JsonTree.read(line.getBytes(StandardCharsets.UTF_8));
                assertThat((Long) snapshot.get("counter")).isGreaterThan(last);
                last = (Long) snapshot.get("counter");
            }
            assertThat(lines.get(lines.size() - 1)).contains("\"complete\"");
            // A subscriber that reads late gets the latest snapshot and may miss this one.
            assertThat(lines.stream().filter(line -> line.contains("\"state\":\"draining\"")))
                    .hasSizeLessThan(2);
        }
        try (RunningProcess after = Cli.start("tail", ipc("metrics"), "--final", output.toString())) {
            assertThat(after.awaitExit()).as("%s", after).isZero();
            assertThat(after.out()).startsWith("COMPLETE").hasLineCount(1);
        }
        MetricsSnapshot last = FinalSnapshotFile.read(output);
        assertThat(Ledger.of(last).setAside()).isZero();
        assertThat(last.extensions().workers()).hasSize(4).allMatch(worker -> worker.sequenceLost() == 0);
        assertThat(last.extensions().slices().length()).isGreaterThan(1);
        SelfCost self = last.extensions().self();
        assertThat(self.cpuNanos()).isGreaterThan(10_000_000L);
        assertThat(self.eventsAllocatedBytes()).isPositive();
        assertThat(self.residentBytes()).isBetween(20L << 20, 2L << 30);
        assertThat(self.lagP50Nanos()).isPositive().isLessThanOrEqualTo(self.lagP99Nanos());
        assertThat(self.lagP99Nanos()).isLessThanOrEqualTo(self.lagMaxNanos());
        assertThat(self.reads()).isPositive();
        assertThat(self.freezeNanos()).isPositive();
        assertThat(self.renderNanos()).isPositive();
    }

    @Test
    void theLastLineOfTheLogNamesTheVerdictOfTheReportAndTheFileWithItsSize() throws IOException {
        Path output = directory.resolve("out");
        long start = System.nanoTime();
        try (RunningProcess daemon = Cli.daemon(
                output, "--log-format", "json", "--publish-interval", "20ms", "--in", "bind:" + ipc("events"))) {
            assertThat(exit("produce", "--out", "connect:" + ipc("events"), "--duration", "2s"))
                    .isZero();
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
            List<String> lines = daemon.err().lines().toList();
            Map<String, ?> last = JsonTree.read(lines.get(lines.size() - 1).getBytes(StandardCharsets.UTF_8));
            MetricsSnapshot result = FinalSnapshotFile.read(output);
            Verdict verdict = Verdict.of(result);
            assertThat((String) last.get("message")).startsWith("run ended state=complete");
            assertThat(last.get("verdict")).isEqualTo(verdict.validity().name());
            assertThat(last.get("limiting_factor")).isEqualTo(verdict.factor());
            assertThat(last.get("records_received")).isEqualTo(Ledger.of(result).received());
            Path file = Path.of((String) last.get("final_snapshot"));
            assertThat(last.get("bytes")).isEqualTo(Files.size(file));
            // Nobody looks, so there is one snapshot a second, though fifty are asked for; and one when the run ends.
            assertThat(result.counter(CounterName.TICKS_PUBLISHED))
                    .isBetween(2L, 2 + (System.nanoTime() - start) / 980_000_000L);
        }
    }

    @Test
    void waitDistinguishesAnInterruptedRunFromACompleteOne() throws IOException {
        Path output = directory.resolve("out");
        try (RunningProcess daemon = Cli.daemon(output, "--in", "bind:" + ipc("events"), "--out", ipc("metrics"));
                RunningProcess wait = Cli.start("wait", ipc("metrics"), "--timeout", "60s")) {
            // Only a subscribed reader receives the snapshot, and the daemon's log does not show subscriptions.
            Await.until(() -> connected(daemon), daemon::toString);
            daemon.signal("TERM");
            assertThat(daemon.awaitExit()).isZero();
            assertThat(wait.awaitExit()).as("%s", wait).isEqualTo(10);
        }
        assertThat(exit("wait", ipc("metrics"), "--final", output.toString())).isEqualTo(10);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tail", "wait"})
    void aTimeoutNamesWhatIsMissing(String command) throws IOException {
        try (RunningProcess alone = Cli.start(command, ipc("metrics"), "--timeout", "300ms")) {
            assertThat(alone.awaitExit()).isEqualTo(11);
            assertThat(alone.err()).contains("in time: no daemon publishes at the endpoint");
        }
        try (RunningProcess daemon =
                        Cli.daemon(directory.resolve("out"), "--in", "bind:" + ipc("events"), "--out", ipc("metrics"));
                RunningProcess early = Cli.start(command, ipc("metrics"), "--timeout", "1s")) {
            assertThat(early.awaitExit()).isEqualTo(11);
            assertThat(early.err()).contains("in time: the daemon has published no snapshot");
            try (RunningProcess producer =
                            Cli.start("produce", "--out", "connect:" + ipc("events"), "--duration", "60s");
                    RunningProcess during = Cli.start(command, ipc("metrics"), "--timeout", "3s")) {
                assertThat(during.awaitExit()).as("%s", producer).isEqualTo(11);
                assertThat(during.err()).contains("in time: the run is still live at snapshot ");
            }
            assertThat(daemon.process.isAlive()).isTrue();
        }
    }

    /** Returns whether a peer is connected to the daemon's output, by the sockets with that path in /proc. */
    private boolean connected(RunningProcess daemon) throws IOException {
        assertThat(daemon.process.isAlive()).isTrue();
        long ends = Files.readAllLines(Path.of("/proc/net/unix")).stream()
                .filter(line -> line.contains(directory.toString()))
                .count();
        return ends > 2;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "run --output-dir OUT                                                  | there is no input",
                "run --in ipc:///x/y                                                   | --output-dir",
                "run --output-dir OUT --in ipc://@abstract                             | abstract socket name",
                "run --output-dir OUT --in http://x                                    | http://x",
                "run --output-dir OUT --in bind:tcp://0.0.0.0:0                        | --insecure-bind",
                "run --output-dir OUT --in bind:tcp://*:0                              | --insecure-bind",
                "run --output-dir OUT --in ipc:///x --tokenizer no/model                | --tokenizer: tokenizer no/model",
                "run --output-dir OUT --in ipc:///x --tokenizer /no/such                | --tokenizer: /no/such does not exist",
                "run --output-dir OUT --in ipc:///x --hdr-sig-figs 9                   | significant figures",
                "run --output-dir OUT --in ipc:///x --publish-interval soon            | 'soon'",
                "run --output-dir OUT --in ipc:///x --publish-interval 1us             | below 1 ms",
                "run --output-dir OUT --in ipc:///x --output-mode 999                  | 999",
                "run --output-dir OUT --in ipc:///x --socket-mode 6                    | --socket-mode 6 is not an octal mode",
                "run --output-dir OUT --in ipc:///x --socket-mode 660x                 | --socket-mode 660x is not an octal mode",
                "run --output-dir OUT --in ipc:///x --socket-mode 640                  | connecting needs write permission",
                "run --output-dir OUT --in ipc:///x --socket-mode 060                  | connecting needs write permission",
                "run --output-dir OUT --in ipc:///x --socket-mode 770                  | connecting needs write permission",
                "run --output-dir OUT --in ipc:///x --socket-mode 666                  | --insecure-socket-dir",
                "run --output-dir OUT --in ipc:///x --after-end never                  | never",
                "run --output-dir OUT --socket-dir OUT --socket-name ../../etc/passwd  | --socket-name '../../etc/passwd'",
                "run --output-dir OUT --socket-dir OUT --socket-name ..                | --socket-name '..'",
                "run --output-dir OUT --socket-name x                                  | need --socket-dir",
                "run --output-dir OUT --in ipc:///x --no-such-option                   | --no-such-option",
                "run --output-dir OUT --in ipc:///x --max-frame lots                   | 'lots'",
                "replay FILE --out ipc://OUT/x --speed fast                            | 'fast'",
                "produce --out ipc://OUT/x --rate 0                                    | rate",
                "produce --out ipc://OUT/x --seed 1 --workers 0                        | workers",
                "nothing                                                               | nothing"
            })
    void wrongUsageNamesTheValueAndExitsWithTwo(String commandLine, String message) throws IOException {
        Path file = Files.write(directory.resolve("frames.bin"), new byte[0]);
        String[] arguments = commandLine
                .trim()
                .replace("OUT", directory.toString())
                .replace("FILE", file.toString())
                .split(" +");
        try (RunningProcess process = Cli.start(arguments)) {
            assertThat(process.awaitExit()).as("%s", process).isEqualTo(2);
            assertThat(process.err()).contains(message.trim());
            assertThat(process.out()).isEmpty();
        }
    }

    @Test
    void twoDaemonsCannotShareASocketOrADirectory() throws IOException {
        Path output = directory.resolve("out");
        try (RunningProcess daemon = Cli.daemon(output, "--in", "bind:" + ipc("events"))) {
            String pid = "pid " + daemon.process.pid();
            try (RunningProcess second =
                    Cli.start(Cli.run(directory.resolve("other"), "--in", "bind:" + ipc("events")))) {
                assertThat(second.awaitExit()).isEqualTo(4);
                assertThat(second.err()).contains("in use by " + pid);
            }
            try (RunningProcess second = Cli.start(Cli.run(output, "--in", "bind:" + ipc("others")))) {
                assertThat(second.awaitExit()).isEqualTo(4);
                assertThat(second.err()).contains("in use by " + pid);
            }
        }
    }

    @Test
    void socketsAndFilesAreAccessibleToTheirOwnerOnlyWhateverTheUmask() throws IOException {
        for (String umask : List.of("000", "022", "077")) {
            Path output = directory.resolve("out" + umask);
            List<String> shell = List.of("sh", "-c", "umask " + umask + "; exec \"$@\"", "sh");
            try (RunningProcess daemon = new RunningProcess(Cli.builder(
                    shell, List.of(), Cli.run(output, "--in", "bind:" + ipc("events"), "--out", ipc("metrics"))))) {
                Cli.awaitReady(daemon, output);
                for (String name : List.of("events", "metrics")) {
                    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve(name))))
                            .isEqualTo("rw-------");
                }
                daemon.signal("TERM");
                assertThat(daemon.awaitExit()).isZero();
            }
            assertThat(PosixFilePermissions.toString(
                            Files.getPosixFilePermissions(output.resolve("final_snapshot.json"))))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void exposedEndpointsAreRejectedOrReportedInTheLogAndTheResult() throws IOException {
        Path open = Files.createDirectory(directory.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path output = directory.resolve("out");
        String events = "bind:ipc://" + open.resolve("events");
        try (RunningProcess daemon = Cli.start(Cli.run(output, "--in", events))) {
            assertThat(daemon.awaitExit()).isEqualTo(2);
            assertThat(daemon.err()).contains("--insecure-socket-dir");
        }
        try (RunningProcess daemon =
                Cli.daemon(output, "--in", events, "--insecure-socket-dir", "--out", "tcp://*:0", "--insecure-bind")) {
            daemon.signal("TERM");
            assertThat(daemon.awaitExit()).isZero();
            List<String> exposures =
                    FinalSnapshotFile.read(output).extensions().run().exposures();
            assertThat(exposures).hasSize(2);
            assertThat(exposures.get(0))
                    .endsWith("open/events is in a directory others can write to: they could replace it");
            assertThat(exposures.get(1))
                    .matches("tcp://\\*:[1-9][0-9]* is bound without CURVE: anyone who reaches it .*");
            assertThat(daemon.err().lines().filter(line -> exposures.stream().anyMatch(line::endsWith)))
                    .hasSize(2);
        }
    }

    @Test
    void strictFailsARunWithUnappliedRecords() throws IOException {
        Map<String, Integer> statuses = Map.of("02_streaming_chunks", 0, "08a_malformed", 6);
        for (Map.Entry<String, Integer> expected : statuses.entrySet()) {
            GoldenCase golden = new GoldenCase(expected.getKey());
            Path output = directory.resolve(expected.getKey());
            try (RunningProcess daemon =
                    Cli.daemon(output, "--in", "bind:" + ipc("events"), "--streaming", "--strict")) {
                assertThat(exit("replay", golden.framesFile().toString(), "--out", "connect:" + ipc("events")))
                        .isZero();
                assertThat(daemon.awaitExit()).as("%s", daemon).isEqualTo(expected.getValue());
            }
        }
    }

    @Test
    void reportPrintsTextOrTheSummaryOfTheReferenceAndOverwritesNothing() throws IOException {
        GoldenCase golden = new GoldenCase("02_streaming_chunks");
        Path output = directory.resolve("out");
        try (RunningProcess daemon = Cli.daemon(output, "--in", "bind:" + ipc("events"), "--streaming")) {
            assertThat(exit("replay", golden.framesFile().toString(), "--out", "connect:" + ipc("events")))
                    .isZero();
            assertThat(daemon.awaitExit()).isZero();
        }
        try (RunningProcess text = Cli.start("report", output.toString(), "--full")) {
            assertThat(text.awaitExit()).as("%s", text).isZero();
            assertThat(text.out())
                    .contains("COMPLETE")
                    .contains("TTFT of successes")
                    .contains("Ledger");
        }
        Path summary = directory.resolve("result_summary.json");
        assertThat(exit("report", output.toString(), "--format", "summary", "-o", summary.toString()))
                .isZero();
        Map<String, ?> tree = JsonTree.read(Files.readAllBytes(summary));
        assertThat(tree.get("n_samples_completed")).isEqualTo(200L);
        assertThat((Double) tree.get("qps")).isBetween(279.3, 279.4);
        byte[] before = Files.readAllBytes(summary);
        try (RunningProcess again =
                Cli.start("report", output.toString(), "--format", "summary", "-o", summary.toString())) {
            assertThat(again.awaitExit()).isEqualTo(4);
            assertThat(again.err()).contains("is not overwritten");
        }
        assertThat(summary).hasBinaryContent(before);
        assertThat(exit("report", output.toString(), "--save")).isZero();
        assertThat(output.resolve("result_summary.json")).hasBinaryContent(before);
        assertThat(output.resolve("report.txt"))
                .content()
                .contains("QPS: 279.3", "Total samples completed: 200", "- TTFT -", "- Latency -", "99.9: ")
                .doesNotContain("- TPOT -");
        assertThat(output.resolve("report_full.txt")).content().contains("Ledger");
        assertThat(exit("report", output.toString(), "--save")).isEqualTo(4);
        Path metrics = Files.createDirectories(directory.resolve("run").resolve("metrics"));
        Files.copy(output.resolve("final_snapshot.json"), metrics.resolve("final_snapshot.json"));
        assertThat(exit("report", metrics.toString(), "--save", "--layout", "endpoints"))
                .isZero();
        assertThat(directory.resolve("run/performance/result_summary.json")).hasBinaryContent(before);
        assertThat(directory.resolve("run/report.txt")).content().contains("QPS: 279.3");
        assertThat(exit("report", metrics.toString(), "--layout", "endpoints")).isEqualTo(2);
        try (RunningProcess missing =
                Cli.start("report", directory.resolve("nothing").toString())) {
            assertThat(missing.awaitExit()).isEqualTo(4);
            assertThat(missing.err()).contains("nothing does not exist");
        }
        Path wrong = Files.writeString(directory.resolve("wrong.json"), "{\"a\": 1}");
        try (RunningProcess refused = Cli.start("report", wrong.toString())) {
            assertThat(refused.awaitExit()).isEqualTo(4);
            assertThat(refused.err()).contains("wrong.json is not a final snapshot");
        }
    }

    @Test
    void theDemoRunsTheMainJobAndEndsWithAReport() throws IOException {
        try (RunningProcess demo = Cli.start(
                "demo",
                "--duration",
                "2s",
                "--output-dir",
                directory.resolve("d").toString())) {
            assertThat(demo.awaitExit()).as("%s", demo).isZero();
            assertThat(demo.out())
                    .contains("COMPLETE")
                    .contains("Verdict    ")
                    .contains("Limited by ")
                    .contains(directory
                            .resolve("d")
                            .resolve("final_snapshot.json")
                            .toString());
        }
        assertThat(Ledger.of(FinalSnapshotFile.read(directory.resolve("d"))).setAside())
                .isZero();
    }

    @Test
    void everyCommandHasHelpAndVersion() throws IOException {
        for (String command : List.of("run", "tail", "wait", "produce", "replay", "report", "demo")) {
            try (RunningProcess help = Cli.start(command, "--help")) {
                assertThat(help.awaitExit()).isZero();
                assertThat(help.out()).contains("Usage: metrics-aggregator " + command);
            }
        }
        try (RunningProcess version = Cli.start("--version")) {
            assertThat(version.awaitExit()).isZero();
            assertThat(version.out()).startsWith("metrics-aggregator ");
        }
    }
}
