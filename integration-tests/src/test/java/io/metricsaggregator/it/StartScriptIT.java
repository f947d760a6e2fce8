package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The start script beside a folder lib/, as in a distribution, and its class data archive. */
class StartScriptIT {
    /** Shared, because an archive takes seconds to make: a test that damages it leaves a good one. */
    @TempDir
    static Path shared;

    @TempDir
    Path own;

    private Path directory = shared;
    private Path script = shared.resolve("metrics-aggregator");

    @BeforeAll
    static void distribution() throws IOException {
        copyTo(shared);
    }

    /** Makes this test use a distribution of its own, which has no archive. */
    private void useOwn() throws IOException {
        directory = own;
        script = copyTo(own);
    }

    private static Path copyTo(Path directory) throws IOException {
        Path root = Path.of(System.getProperty("project.root"));
        Path lib = Files.createDirectory(directory.resolve("lib"));
        try (Stream<Path> jars = Files.list(root.resolve("cli/target/lib"))) {
            for (Path jar : jars.toList()) {
                Files.copy(jar, lib.resolve(jar.getFileName()));
            }
        }
        Path script = Files.copy(root.resolve("metrics-aggregator"), directory.resolve("metrics-aggregator"));
        assertThat(script.toFile().setExecutable(true)).isTrue();
        return script;
    }

    private void assertStarts(Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(script.toString(), "--version");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().putAll(environment);
        try (RunningProcess process = new RunningProcess(builder)) {
            assertThat(process.awaitExit()).as("%s", process).isZero();
            assertThat(process.out()).startsWith("metrics-aggregator ");
            assertThat(process.err()).isEmpty();
        }
    }

    private List<Path> archives() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".jsa")).toList();
        }
    }

    @Test
    void theFirstStartCreatesAnArchiveAndLaterStartsUseIt() throws IOException {
        useOwn();
        assertStarts(Map.of());
        assertThat(archives()).hasSize(1);
        Path archive = archives().get(0);
        assertThat(archive).isNotEmptyFile();
        Object made = Files.getLastModifiedTime(archive);
        assertStarts(Map.of());
        assertThat(archives()).containsExactly(archive);
        assertThat(Files.getLastModifiedTime(archive)).isEqualTo(made);
    }

    @Test
    void theArchiveHoldsTheClassesOfThisProgramAndOfPicocli() throws IOException {
        assertStarts(Map.of());
        Path loaded = directory.resolve("loaded.txt");
        assertStarts(Map.of("METRICS_AGGREGATOR_JAVA_OPTS", "-Xlog:class+load:file=" + loaded));
        List<String> lines = Files.readAllLines(loaded);
        assertThat(lines).anyMatch(line -> line.contains(" io.metricsaggregator.cli.Main source: shared objects file"));
        // The AOT cache of later versions leaves out picocli, whose class files have the format of Java 5.
        if (Runtime.version().feature() < 25) {
            assertThat(lines).anyMatch(line -> line.contains(" picocli.CommandLine source: shared objects file"));
        }
    }

    /** A class that is made when the program runs takes a millisecond or more, first of all one for a lambda or a concatenation. */
    @Test
    void theStartOfADaemonMakesFewClasses() throws IOException {
        Path loaded = directory.resolve("loaded.txt");
        commandLineOfADaemon("-Xlog:class+load:file=" + loaded);
        List<String> others = Files.readAllLines(loaded).stream()
                .takeWhile(line -> !line.contains(" io.metricsaggregator.daemon.StartSignals "))
                .filter(line -> !line.contains("source: shared objects file"))
                .toList();
        // Annotations are read through proxies, one class for each type of annotation. Other versions make other
        // classes.
        if (Runtime.version().feature() == 17) {
            assertThat(others)
                    .filteredOn(line -> !line.contains("source: __dynamic_proxy__"))
                    .hasSizeLessThan(8);
        }
        assertThat(others).isNotEmpty();
    }

    @Test
    void aTruncatedArchiveIsNotMappedAndIsCreatedAgain() throws IOException {
        assertStarts(Map.of());
        Path archive = archives().get(0);
        long whole = Files.size(archive);
        assertThat(archive.toFile().setWritable(true)).isTrue();
        try (FileChannel channel = FileChannel.open(archive, StandardOpenOption.WRITE)) {
            channel.truncate(whole / 2);
        }
        assertStarts(Map.of());
        assertThat(archives()).hasSize(1);
        Path again = archives().get(0);
        assertThat(again.getFileName().toString()).endsWith("-" + Files.size(again) + ".jsa");
        assertThat(Files.size(again)).isGreaterThan(whole / 2);
    }

    @Test
    void afterAFailureNoArchiveIsAttemptedAgain() throws IOException {
        assertStarts(Map.of());
        Path archive = archives().get(0);
        String name = archive.getFileName().toString();
        Path none = directory.resolve(name.substring(0, name.lastIndexOf('-')) + "-0.jsa");
        Path aside = Files.move(archive, own.resolve(name));
        Files.createFile(none);
        assertStarts(Map.of());
        assertThat(archives()).containsExactly(none);
        assertThat(none).isEmptyFile();
        Files.delete(none);
        Files.move(aside, archive);
    }

    @Test
    void aMissingOrOverlongTmpdirDoesNotPreventTheStart() throws IOException {
        useOwn();
        assertStarts(Map.of("TMPDIR", directory.resolve("missing").toString()));
        assertThat(archives()).hasSize(1);
        assertThat(archives().get(0)).isNotEmptyFile();
        Files.delete(archives().get(0));
        Path longOne = Files.createDirectory(directory.resolve("long".repeat(40)));
        assertStarts(Map.of("TMPDIR", longOne.toString()));
        assertThat(archives().get(0)).isNotEmptyFile();
    }

    /** The shell creates the paths, because this JVM may itself run in the C locale. */
    @Test
    void pathsWithAColonAndNonAsciiLettersWorkInTheCLocale() throws IOException {
        useOwn();
        String commands = "set -e; e=$(printf '\\303\\251'); mkdir \"$1/a:$e\"; mv \"$1/lib\" \"$2\" \"$1/a:$e\"; "
                + "\"$1/a:$e/metrics-aggregator\" --version; exec \"$1/a:$e/metrics-aggregator\" report \"$1/r$e\"";
        ProcessBuilder builder =
                new ProcessBuilder("sh", "-c", commands, "sh", directory.toString(), script.toString());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("LC_ALL", "C");
        try (RunningProcess process = new RunningProcess(builder)) {
            process.awaitExit();
            assertThat(process.out()).startsWith("metrics-aggregator ");
            assertThat(process.err()).contains("r\u00e9").contains("does not exist");
        }
    }

    @Test
    void sigquitDoesNotBlockADaemonWhoseOutputIsNotRead() throws IOException {
        Path files = directory.resolve("files");
        Path log = directory.resolve("log");
        ProcessBuilder builder = new ProcessBuilder(
                script.toString(),
                "run",
                "--in",
                "bind:ipc://" + directory.resolve("in"),
                "--output-dir",
                files.toString());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        // The pipe of standard output holds 64 KiB.
        Process daemon = builder.redirectError(log.toFile()).start();
        try {
            Await.until(() -> Files.exists(files.resolve(".ready")), () -> "a daemon that is ready: " + log);
            for (int i = 0; i < 16; i++) {
                new ProcessBuilder("kill", "-QUIT", Long.toString(daemon.pid())).start();
            }
            new ProcessBuilder("kill", "-TERM", Long.toString(daemon.pid())).start();
            Await.until(() -> !daemon.isAlive(), () -> "a daemon that ends");
            assertThat(daemon.exitValue()).isZero();
        } finally {
            daemon.destroyForcibly();
        }
    }

    /** Starts a daemon, returns the command line of its JVM, and stops it. */
    private String commandLineOfADaemon(String javaOptions) throws IOException {
        Path files = directory.resolve("files" + javaOptions.length());
        ProcessBuilder builder = new ProcessBuilder(
                script.toString(),
                "run",
                "--in",
                "bind:ipc://" + directory.resolve("in"),
                "--output-dir",
                files.toString());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("METRICS_AGGREGATOR_JAVA_OPTS", javaOptions);
        try (RunningProcess daemon = new RunningProcess(builder)) {
            Await.until(() -> Files.exists(files.resolve(".ready")), () -> "a daemon that is ready: " + daemon);
            String line = Files.readString(Path.of("/proc", Long.toString(daemon.process.pid()), "cmdline"))
                    .replace('\0', ' ');
            daemon.signal("TERM");
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
            return line;
        }
    }

    @Test
    void theHeapOfADaemonBeginsSmallUnlessTheUserSizesIt() throws IOException {
        assertThat(commandLineOfADaemon("")).contains("-XX:InitialHeapSize=24m");
        assertThat(commandLineOfADaemon("-Xmx300m")).contains("-Xmx300m").doesNotContain("InitialHeapSize");
    }

    @Test
    void noArchiveIsCreatedWhenDisabled() throws IOException {
        useOwn();
        assertStarts(Map.of("METRICS_AGGREGATOR_NO_CDS", "1"));
        assertThat(archives()).isEmpty();
    }
}
