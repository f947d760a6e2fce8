package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.run.GoldenCase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What commands say and leave behind when standard output or a file cannot be written, and what a start that fails leaves alone. */
class OutputIT {
    private static final String MISSING =
            "metrics-aggregator: cannot write to standard output: No space left on device";

    @TempDir
    static Path directory;

    @BeforeAll
    static void aRun() throws IOException {
        String in = "ipc://" + directory.resolve("in");
        try (RunningProcess daemon = Cli.daemon(
                        directory.resolve("out"), "--in", "bind:" + in, "--streaming", "--journal", path("journal"));
                RunningProcess replay = Cli.start(
                        "replay",
                        new GoldenCase("02_streaming_chunks").framesFile().toString(),
                        "--out",
                        "connect:" + in)) {
            assertThat(replay.awaitExit()).as("%s", replay).isZero();
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
    }

    private static String path(String name) {
        return directory.resolve(name).toString();
    }

    /** A shell command whose {@code $@} is the program with its arguments. */
    private static RunningProcess shell(String script, String... arguments) throws IOException {
        return new RunningProcess(Cli.builder(List.of("bash", "-c", script, "bash"), List.of(), arguments));
    }

    private static List<String> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(each -> !each.equals(folder))
                    .map(each -> folder.relativize(each).toString())
                    .sorted()
                    .toList();
        }
    }

    @Test
    void everyCommandThatCannotPrintExitsWithFourAndTheCause() throws IOException {
        String out = path("out");
        String journal = path("journal");
        SoftAssertions soft = new SoftAssertions();
        for (List<String> command : List.of(
                List.of("report", out),
                List.of("report", out, "--format", "html"),
                List.of("report", out, "--format", "junit", "--strict-verdict"),
                List.of("compare", out, out, "--fail-if", "verdict=questionable"),
                List.of("sweep", "--point", "1=" + out, "--format", "csv"),
                List.of("export", journal, "--format", "csv"),
                List.of("export", journal, "-o", "/dev/stdout"),
                List.of("replay", journal),
                List.of("merge", journal),
                List.of("tail", "ipc://" + path("none"), "--final", out),
                List.of("wait", "ipc://" + path("none"), "--final", out),
                List.of("curve-key", path("key")),
                List.of("serve-synthetic"),
                List.of("exporter"),
                List.of("run", "--print-config"),
                List.of("run", "--help"),
                List.of("help", "fleet"),
                List.of("--version"))) {
            try (RunningProcess process = shell("exec \"$@\" > /dev/full", command.toArray(new String[0]))) {
                soft.assertThat(process.awaitExit()).as("%s", command).isEqualTo(4);
                soft.assertThat(process.err().lines()).as("%s", command).endsWith(MISSING);
                soft.assertThat(process.err()).as("%s", command).doesNotContain("exported");
            }
        }
        soft.assertAll();
    }

    @Test
    void aReaderThatLeavesIsNoError() throws IOException {
        for (List<String> command : List.of(List.of("report", path("out")), List.of("export", path("journal")))) {
            try (RunningProcess process =
                    shell("\"$@\" | true; exit ${PIPESTATUS[0]}", command.toArray(new String[0]))) {
                assertThat(process.awaitExit()).as("%s", process).isZero();
                assertThat(process.err()).doesNotContain("standard output");
            }
        }
    }

    @Test
    void aFileOnAFullDiskIsNamedAndNothingOfItStays() throws IOException {
        try (SmallDisk small = SmallDisk.mount(directory.resolve("disk"), "4k")) {
            Path disk = small.path();
            String out = path("out");
            String journal = path("journal");
            SoftAssertions soft = new SoftAssertions();
            for (List<String> command : List.of(
                    List.of("report", out, "--format", "html", "-o", disk + "/file"),
                    List.of("report", out, "--plots", disk + "/file/plots"),
                    List.of("compare", out, out, "--format", "html", "-o", disk + "/file"),
                    List.of("sweep", "--point", "1=" + out, "--format", "html", "-o", disk + "/file"),
                    List.of("export", journal, "-o", disk + "/file"),
                    List.of("export", journal, "--format", "sqlite", "-o", disk + "/file"),
                    List.of("export", journal, "--format", "parquet", "-o", disk + "/file"))) {
                try (RunningProcess process = Cli.start(command.toArray(new String[0]))) {
                    soft.assertThat(process.awaitExit())
                            .as("%s: %s", command, process)
                            .isEqualTo(4);
                    soft.assertThat(process.err())
                            .as("%s", command)
                            .contains(disk + "/file")
                            .doesNotContain("exported", ".tmp");
                    soft.assertThat(files(disk)).as("%s", command).isEmpty();
                }
            }
            soft.assertAll();
        }
    }

    @Test
    void aStartThatIsRefusedLeavesTheResultAndTheJournalOfTheEarlierRun() throws IOException {
        String out = path("out");
        List<String> before = files(directory.resolve("out"));
        List<String> runs = files(directory.resolve("journal"));
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + taken.getLocalPort();
            for (List<String> more : List.of(
                    List.of("--in", "bind:tcp://0.0.0.0:0"),
                    List.of("--in", "bind:tcp://" + address),
                    List.of("--in", "bind:ipc://" + path("in"), "--out", "tcp://" + address),
                    List.of("--in", "bind:ipc://" + path("in"), "--prometheus", address),
                    List.of("--in", "bind:ipc://" + path("in"), "--web", address))) {
                String[] arguments = Stream.concat(
                                Stream.of("run", "--output-dir", out, "--journal", path("journal")), more.stream())
                        .toArray(String[]::new);
                try (RunningProcess process = Cli.start(arguments)) {
                    assertThat(process.awaitExit()).as("%s", process).isIn(2, 4);
                }
                assertThat(files(directory.resolve("out"))).as("%s", more).containsAll(withoutSignals(before));
                assertThat(files(directory.resolve("out"))).noneMatch(name -> name.contains(".stale-"));
                assertThat(files(directory.resolve("journal"))).as("%s", more).isEqualTo(runs);
            }
        }
    }

    private static List<String> withoutSignals(List<String> files) {
        return files.stream()
                .filter(name -> !name.equals(".ready") && !name.equals(".subscribed"))
                .toList();
    }
}
