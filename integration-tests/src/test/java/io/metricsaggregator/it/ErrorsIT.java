package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.run.GoldenCase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Error messages for wrong usage: they name the object and the cause as the user wrote it, in one or two lines without Java terms. */
class ErrorsIT {
    /** Names of Java classes and packages that no message may contain. */
    private static final Pattern JAVA =
            Pattern.compile("Exception|\\bjava\\.|\\bsun\\.|\\bat io\\.|picocli|java\\.lang");

    @TempDir
    static Path directory;

    @BeforeAll
    static void aRun() throws IOException {
        String in = "ipc://" + directory.resolve("in");
        try (RunningProcess daemon = Cli.daemon(
                        directory.resolve("out"),
                        "--in",
                        "bind:" + in,
                        "--streaming",
                        "--journal",
                        directory.resolve("journal").toString());
                RunningProcess replay = Cli.start(
                        "replay",
                        new GoldenCase("02_streaming_chunks").framesFile().toString(),
                        "--out",
                        "connect:" + in)) {
            assertThat(replay.awaitExit()).as("%s", replay).isZero();
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        Files.writeString(directory.resolve("garbage.json"), "[1, 2");
        Files.writeString(directory.resolve("empty.json"), "");
        Files.writeString(directory.resolve("text"), "not frames");
        Files.createDirectory(directory.resolve("folder"));
    }

    private static String path(String name) {
        return directory.resolve(name).toString();
    }

    private static String err(int status, String... arguments) throws IOException {
        try (RunningProcess process = Cli.start(arguments)) {
            assertThat(process.awaitExit()).as("%s", process).isEqualTo(status);
            assertThat(process.out() + process.err()).doesNotContainPattern(JAVA);
            return process.err();
        }
    }

    @Test
    void aMissingOptionIsNamedAsDocumentedWithAOneLineUsage() throws IOException {
        String said = err(2, "run", "--in", "bind:ipc://" + path("x"));
        assertThat(said.lines()).hasSize(2);
        assertThat(said)
                .startsWith("metrics-aggregator: --output-dir DIR is missing\nUsage: metrics-aggregator run ")
                .contains("metrics-aggregator run --help");
        assertThat(err(2, "compare", "--format", "md")).startsWith("metrics-aggregator: FILE is missing");
        assertThat(err(2, "run", "--output-dir")).contains("--output-dir").doesNotContain("--metrics-output-dir");
    }

    @Test
    void aNumberWithoutAUnitIsRejectedWithASuggestion() throws IOException {
        for (String[] arguments : new String[][] {
            {"run", "--output-dir", path("o"), "--in", "ipc://x", "--slo", "ttft=500"},
            {"replay", path("journal"), "--slo", "ttft=500"},
            {"replay", path("journal"), "--warmup-cut", "500"},
            {"replay", path("journal"), "--window", "500..600s"},
            {"run", "--output-dir", path("o"), "--in", "ipc://x", "--stall-timeout", "500"},
            {"run", "--output-dir", path("o"), "--host", "--host-interval", "500"},
            {"run", "--output-dir", path("o"), "--scrape", "http://localhost:1,interval=500"},
            {"run", "--output-dir", path("o"), "--in", "ipc://x", "--journal", path("j"), "--journal-sync", "500"},
            {"wait", "ipc://x", "--timeout", "500"},
            {"tail", "ipc://x", "--timeout", "500"},
            {"watch", "ipc://x", "--timeout", "500"},
            {"produce", "--out", "ipc://x", "--duration", "500"},
            {"agent", "--out", "ipc://x", "--interval", "500"},
            {"exporter", "--duration", "500"}
        }) {
            assertThat(err(2, arguments)).as(String.join(" ", arguments)).contains("write 500ms or 500s");
        }
        assertThat(err(2, "run", "--output-dir", path("o"), "--in", "ipc://x", "--max-values-memory", "512"))
                .contains("--max-values-memory", "write 512m, or 512b for bytes");
    }

    @Test
    void replayOfAMissingPathNamesThePathAndNotAnEndpoint() throws IOException {
        assertThat(err(4, "replay", path("nope")))
                .startsWith("metrics-aggregator: " + path("nope") + " does not exist")
                .doesNotContain("--out");
    }

    @Test
    void aMissingDirectoryIsNamed() throws IOException {
        for (String[] arguments : new String[][] {
            {"report", path("out"), "-o", path("nope/x.html")},
            {"compare", path("out"), path("out"), "-o", path("nope/x.html")},
            {"export", path("journal"), "-o", path("nope/x.csv"), "--format", "csv"},
            {"export", path("journal"), "-o", path("nope/x.db"), "--format", "sqlite"}
        }) {
            assertThat(err(4, arguments))
                    .startsWith("metrics-aggregator: cannot write " + directory.resolve("nope/x"))
                    .contains("the directory " + directory.resolve("nope") + " does not exist. Create it first");
        }
    }

    /** Wrong invocations of every command except {@code run}. */
    private List<List<String>> wrongCalls(String out, String self, String port) {
        return List.of(
                List.of("nothing"),
                List.of("report"),
                List.of("report", path("nowhere")),
                List.of("report", path("folder")),
                List.of("report", path("garbage.json")),
                List.of("report", path("empty.json")),
                List.of("report", path("garbage.json") + "/below"),
                List.of("report", out, "--format", "pdf"),
                List.of("report", out, "-o", path("text")),
                List.of("report", out, "-o", path("text") + "/x"),
                List.of("report", out, "--plots", path("text")),
                List.of("report", out, "--plots", path("text") + "/x"),
                List.of("report", out, "--no-such-flag"),
                List.of("compare", out),
                List.of("compare", out, path("nowhere")),
                List.of("compare", out, out, "--fail-if", "ttft.p99 is bad"),
                List.of("compare", out, out, "--fail-if", "no_such < 3"),
                List.of("merge"),
                List.of("merge", path("nowhere")),
                List.of("merge", out, path("journal")),
                List.of("merge", out, out, "--output-dir", path("text")),
                List.of("export"),
                List.of("export", path("folder")),
                List.of("export", path("text")),
                List.of("export", path("journal"), "--format", "sqlite"),
                List.of("export", path("journal"), "--tokenizer", path("nowhere")),
                List.of("export", path("journal"), "--tokenizer", path("garbage.json")),
                List.of("replay"),
                List.of("replay", path("nowhere")),
                List.of("replay", path("folder")),
                List.of("replay", path("text"), "--out", self, "--wait-subscribers", "0"),
                List.of("replay", path("text")),
                List.of("replay", path("journal"), "--speed", "2", "--out", self),
                List.of("replay", path("journal"), "--percentiles", "x"),
                List.of("replay", path("journal"), "--percentiles", "101"),
                List.of("replay", path("journal"), "--window", "5"),
                List.of("replay", path("journal"), "--exclude-worker", "99"),
                List.of("replay", path("journal"), "--output-dir", path("text")),
                List.of("replay", path("journal"), "--tokenizer", path("folder")),
                List.of("produce"),
                List.of("produce", "--out", "pigeon://x"),
                List.of("produce", "--out", "ipc://" + path("text/x"), "--wait-timeout", "10ms"),
                List.of("produce", "--out", "tcp://0.0.0.0:1"),
                List.of("produce", "--out", "tcp://127.0.0.1:" + port),
                List.of("produce", "--out", "tcp://no-such-host.invalid:1", "--wait-timeout", "10ms"),
                List.of("produce", "--out", self, "--rate", "fast"),
                List.of("produce", "--out", self, "--rate", "-1", "--wait-subscribers", "0"),
                List.of("produce", "--out", self, "--workers", "0", "--wait-subscribers", "0"),
                List.of("produce", "--out", self, "--wait-timeout", "10ms"),
                List.of("agent"),
                List.of("agent", "--out", self, "--interval", "1ms"),
                List.of("agent", "--out", "connect:" + self, "--duration", "20ms", "--interval", "10ms"),
                List.of("exporter", "--port", "x"),
                List.of("exporter", "--port", "99999"),
                List.of("exporter", "--port", port),
                List.of("exporter", "--duration", "10ms"),
                List.of("tail"),
                List.of("tail", "nowhere", "--timeout", "10ms"),
                List.of("tail", self, "--timeout", "10ms"),
                List.of("tail", self, "--timeout", "10ms", "--final", path("garbage.json")),
                List.of("wait", self, "--timeout", "10ms"),
                List.of("wait", self, "--timeout", "10ms", "--curve-key", path("nowhere")),
                List.of("wait", "tcp://127.0.0.1:1", "--timeout", "10ms", "--curve-key", path("garbage.json")),
                List.of("watch", self, "--timeout", "10ms", "--expect", "soon"),
                List.of("watch", self, "--timeout", "10ms", "--baseline", path("empty.json")),
                List.of("demo", "--output-dir", path("text")));
    }

    /** Wrong options and endpoints of {@code run}. */
    private List<List<String>> wrongRuns(String self, String port) {
        List<List<String>> wrong = new ArrayList<>();
        String run = path("another");
        for (List<String> more : List.of(
                List.of("--in", "bind:ipc://" + path("text/x")),
                List.of("--in", "bind:tcp://127.0.0.1:" + port),
                List.of("--in", "bind:tcp://0.0.0.0:0"),
                List.of("--in", "bind:" + self, "--output-mode", "x"),
                List.of("--in", "bind:" + self, "--hdr-sig-figs", "9"),
                List.of("--in", "bind:" + self, "--publish-interval", "0"),
                List.of("--in", "bind:" + self, "--max-in-flight", "many"),
                List.of("--in", "bind:" + self, "--tokenizer", path("nowhere")),
                List.of("--in", "bind:" + self, "--tokenizer", path("garbage.json")),
                List.of("--in", "bind:" + self, "--spill-dir", path("nowhere")),
                List.of("--in", "bind:" + self, "--journal", path("text")),
                List.of("--in", "bind:" + self, "--prometheus", "127.0.0.1:" + port),
                List.of("--in", "bind:" + self, "--prometheus", "everywhere"),
                List.of("--in", "bind:" + self, "--otlp", "nowhere"),
                List.of("--in", "bind:" + self, "--scrape", "nowhere"),
                List.of("--in", "bind:" + self, "--scrape", "http://[x"),
                List.of("--in", "bind:" + self, "--curve-key", path("nowhere")),
                List.of("--socket-dir", path("folder"), "--socket-name", "../x"),
                List.<String>of())) {
            List<String> arguments = new ArrayList<>(List.of("run", "--output-dir", run));
            arguments.addAll(more);
            wrong.add(arguments);
        }
        wrong.add(List.of("run", "--output-dir", path("text"), "--in", "bind:" + self));
        wrong.add(List.of("run", "--output-dir", path("text") + "/x", "--in", "bind:" + self));
        return wrong;
    }

    @Test
    void noErrorOfAnyCommandContainsJavaTerms() throws IOException {
        String out = path("out");
        String self = "ipc://" + path("self");
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());
            List<List<String>> wrong = new ArrayList<>(wrongCalls(out, self, port));
            wrong.addAll(wrongRuns(self, port));
            SoftAssertions soft = new SoftAssertions();
            for (List<String> arguments : wrong) {
                try (RunningProcess process = Cli.start(arguments.toArray(new String[0]))) {
                    soft.assertThat(awaitExit(process, arguments))
                            .as("%s: %s", arguments, process)
                            .isNotIn(0, 70);
                    soft.assertThat(process.out() + process.err())
                            .as("%s", arguments)
                            .doesNotContainPattern(JAVA);
                    soft.assertThat(process.err()).as("%s", arguments).isNotBlank();
                    soft.assertThat(process.err().lines()).as("%s", arguments).hasSizeLessThanOrEqualTo(6);
                }
            }
            soft.assertAll();
        }
    }

    @Test
    void anUnknownWorkerCannotBeExcluded() throws IOException {
        assertThat(err(2, "replay", path("journal"), "--exclude-worker", "99"))
                .contains("--exclude-worker 99", "no record in the journal is of that worker");
    }

    @Test
    void publishingWithoutASubscriberIsReportedAsAFailure() throws IOException {
        String nobody = "connect:ipc://" + path("nobody");
        assertThat(err(11, "agent", "--out", nobody, "--interval", "10ms", "--duration", "50ms"))
                .contains("no subscriber")
                .doesNotContain("published");
        assertThat(err(
                        11,
                        "produce",
                        "--out",
                        nobody,
                        "--wait-subscribers",
                        "0",
                        "--duration",
                        "100ms",
                        "--warmup",
                        "0s",
                        "--fast"))
                .contains("no subscriber")
                .doesNotContain("published");
        for (String kind : List.of("transfers", "operations", "metrics")) {
            assertThat(err(
                            11,
                            "produce",
                            "--kind",
                            kind,
                            "--out",
                            nobody,
                            "--wait-subscribers",
                            "0",
                            "--duration",
                            "100ms",
                            "--warmup",
                            "0s",
                            "--fast"))
                    .contains("no subscriber");
        }
        String frames = new GoldenCase("02_streaming_chunks").framesFile().toString();
        assertThat(err(11, "replay", frames, "--out", nobody, "--wait-subscribers", "0"))
                .contains("no subscriber");
        assertThat(err(11, "exporter", "--duration", "20ms")).contains("served 0 scrapes");
    }

    @Test
    void filesDerivedFromASnapshotOrJournalAreAsPrivateAsTheSource() throws IOException {
        Path snapshot = directory.resolve("out/final_snapshot.json");
        for (String mode : List.of("rw-------", "rw-r-----", "rw-r--r--")) {
            Files.setPosixFilePermissions(snapshot, PosixFilePermissions.fromString(mode));
            String to = directory.resolve("by-" + mode).toString();
            err(0, "report", path("out"), "-o", to + ".html", "--format", "html");
            err(0, "report", path("out"), "--plots", to + "-plots");
            err(0, "compare", path("out"), path("out"), "-o", to + ".md", "--format", "md");
            assertMode(Path.of(to + ".html"), mode);
            assertMode(Path.of(to + ".md"), mode);
            try (var plots = Files.list(Path.of(to + "-plots"))) {
                plots.forEach(each -> assertMode(each, mode));
            }
        }
        err(0, "report", path("out"), "--save");
        assertMode(directory.resolve("out/report.html"), "rw-r--r--");
        err(0, "export", path("journal"), "-o", path("e.csv"), "--format", "csv");
        err(0, "export", path("journal"), "-o", path("e.db"), "--format", "sqlite");
        assertMode(directory.resolve("e.csv"), "rw-------");
        assertMode(directory.resolve("e.db"), "rw-------");
    }

    private static void assertMode(Path file, String mode) {
        try {
            Set<?> permissions = Files.getPosixFilePermissions(file);
            assertThat(permissions).as("%s", file).isEqualTo(PosixFilePermissions.fromString(mode));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** The status; a command that does not end fails with its arguments. */
    private static int awaitExit(RunningProcess process, List<String> arguments) {
        try {
            return process.awaitExit();
        } catch (AssertionError e) {
            throw new AssertionError(arguments.toString(), e);
        }
    }
}
