package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.run.GoldenCase;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The write of the final file, observed from outside the process. */
class FinalWriteIT {
    private static final GoldenCase GOLDEN = new GoldenCase("02_streaming_chunks");

    @TempDir
    Path directory;

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }

    /** Runs the golden case through a wrapped daemon and returns the daemon after its end. */
    private RunningProcess run(List<String> wrapper, Path output, String... more) throws IOException {
        // The daemon fsyncs the parent of a directory that it creates or finds empty, which is no step of the final
        // write.
        Files.createDirectories(output);
        Files.createFile(output.resolve("notes.txt"));
        // tcp, because an ipc socket is renamed by the same system call as the file.
        String events = "tcp://127.0.0.1:" + freePort();
        List<String> arguments = new ArrayList<>(List.of(Cli.run(output, "--in", "bind:" + events, "--streaming")));
        arguments.addAll(List.of(more));
        RunningProcess daemon = new RunningProcess(Cli.builder(wrapper, List.of(), arguments.toArray(new String[0])));
        Cli.awaitReady(daemon, output);
        try (RunningProcess replay =
                Cli.start("replay", GOLDEN.framesFile().toString(), "--out", "connect:" + events)) {
            assertThat(replay.awaitExit()).as("%s", replay).isZero();
        }
        daemon.awaitExit();
        return daemon;
    }

    @Test
    @Tag("strace")
    void theFileIsWrittenFsyncedRenamedAndItsDirectoryFsynced() throws IOException {
        Strace.require();
        Path trace = directory.resolve("trace");
        Path output = directory.resolve("out");
        List<String> strace =
                List.of("strace", "-f", "-qq", "-y", "-o", trace.toString(), "-e", "trace=openat,write,fsync,rename");
        try (RunningProcess daemon = run(strace, output)) {
            assertThat(daemon.process.exitValue()).as("%s", daemon).isZero();
        }
        String temporary = "\\.final_snapshot\\.json\\.[0-9a-f]{16}\\.tmp";
        Pattern interesting = Pattern.compile("(openat\\(.*" + temporary + ".*O_EXCL"
                + "|write\\(\\d+<[^>]*" + temporary
                + "|fsync\\(\\d+<[^>]*" + temporary
                + "|rename\\(\"[^\"]*" + temporary + "\", \"[^\"]*/final_snapshot\\.json\""
                + "|fsync\\(\\d+<" + Pattern.quote(output.toString()) + ">)");
        List<String> steps = new ArrayList<>();
        for (String line : Files.readAllLines(trace)) {
            Matcher matcher = interesting.matcher(line);
            if (matcher.find()) {
                String call = matcher.group().replaceAll("\\(.*", "");
                steps.add(call.equals("fsync") && !matcher.group().contains(".tmp") ? "fsync directory" : call);
            }
        }
        assertThat(steps).first().isEqualTo("openat");
        assertThat(steps.stream().distinct().toList())
                .containsExactly("openat", "write", "fsync", "rename", "fsync directory");
        assertThat(steps.stream().filter(step -> !step.equals("write")).toList())
                .containsExactly("openat", "fsync", "rename", "fsync directory");
    }

    @Test
    @Tag("strace")
    void aPermanentFsyncFailureFailsTheRunAndTheTerminalSnapshotIsStillPublished() throws IOException {
        Strace.require();
        Path output = directory.resolve("out");
        String metrics = "ipc://" + directory.resolve("metrics");
        List<String> strace =
                List.of("strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync", "-e", "inject=fsync:error=EIO");
        try (RunningProcess wait = Cli.start("wait", metrics, "--timeout", "60s");
                RunningProcess daemon = run(strace, output, "--out", metrics)) {
            assertThat(daemon.process.exitValue()).as("%s", daemon).isEqualTo(5);
            assertThat(daemon.err()).contains("step SYNC").contains("final_snapshot.json");
            assertThat(wait.awaitExit()).as("%s", wait).isZero();
        }
        try (var files = Files.list(output)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder(".metrics-aggregator.lock", ".ready", ".subscribed", "notes.txt");
        }
    }

    @Test
    @Tag("strace")
    void aKillAtAnyStepOfTheWriteLeavesNoFileOrTheCompleteOne() throws IOException {
        Strace.require();
        for (String call :
                List.of("fsync:signal=KILL:when=1", "rename:signal=KILL:when=1", "fsync:signal=KILL:when=2")) {
            Path output = directory.resolve(call.replaceAll("[^a-z0-9]", "-"));
            String name = call.substring(0, call.indexOf(':'));
            List<String> strace =
                    List.of("strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + name, "-e", "inject=" + call);
            try (RunningProcess daemon = run(strace, output)) {
                assertThat(daemon.process.exitValue()).as("%s", daemon).isNotZero();
            }
            Path file = output.resolve("final_snapshot.json");
            if (Files.exists(file)) {
                assertThat(FinalSnapshotFile.read(file).state()).isEqualTo(SessionState.COMPLETE);
            }
        }
    }

    @Test
    void withARemovedDirectoryTheFallbackIsUsed() throws IOException {
        Path output = directory.resolve("out");
        Path fallback = Files.createDirectory(directory.resolve("fallback"));
        String events = "ipc://" + directory.resolve("events");
        try (RunningProcess daemon =
                Cli.daemon(output, "--in", "bind:" + events, "--fallback-dir", fallback.toString())) {
            try (var files = Files.list(output)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(output);
            daemon.signal("TERM");
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
            assertThat(daemon.err())
                    .contains("step CREATE of writing " + output.resolve("final_snapshot.json")
                            + " failed: the directory " + output
                            + " does not exist; make it, or name another one with --fallback-dir")
                    .doesNotContain(".tmp");
        }
        MetricsSnapshot last = FinalSnapshotFile.read(fallback);
        assertThat(last.state()).isEqualTo(SessionState.INTERRUPTED);
    }

    @Test
    void withoutAFallbackTheFileIsNotReportedDurable() throws IOException {
        Path output = directory.resolve("out");
        try (RunningProcess daemon = Cli.daemon(output, "--in", "bind:ipc://" + directory.resolve("events"))) {
            // A directory at the path of the file cannot be replaced by a file.
            Files.createDirectories(output.resolve("final_snapshot.json").resolve("full"));
            daemon.signal("TERM");
            assertThat(daemon.awaitExit()).as("%s", daemon).isEqualTo(5);
            // Last resort: the daemon prints the complete snapshot as it would be in the file.
            String printed = daemon.out();
            assertThat(JsonTree.read(printed.getBytes(StandardCharsets.UTF_8)).get("state"))
                    .isIn("complete", "interrupted");
            assertThat(daemon.err()).contains("step ").contains("written to standard output");
            assertThat(daemon.err()).contains("step RENAME").contains("NOT DURABLE");
        }
    }
}
