package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.snapshot.Ledger;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Signals to the real process. That it ends within the five seconds after which a parent kills it is shown where nothing else runs (A12 of
 * {@code .ci/faults}) and in virtual time.
 */
class SignalsIT {
    @TempDir
    Path directory;

    private Path output;
    private String events;

    @BeforeEach
    void paths() {
        output = directory.resolve("out");
        events = "ipc://" + directory.resolve("events");
    }

    private RunningProcess idleDaemon(String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("--in", "bind:" + events));
        arguments.addAll(List.of(more));
        String[] run = Cli.run(output, arguments.toArray(new String[0]));
        Files.deleteIfExists(output.resolve(".ready"));
        return Cli.awaitReady(new RunningProcess(Cli.builder(mindingSignals(), List.of(), run)), output);
    }

    /**
     * A background process of a shell without job control ignores SIGINT, and a process under nohup ignores SIGHUP; child processes inherit
     * that, and a JVM keeps it, so that the daemon would not receive the signal. The wrapper restores the defaults.
     */
    static List<String> mindingSignals() throws IOException {
        String line = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(each -> each.startsWith("SigIgn:"))
                .findFirst()
                .orElseThrow();
        long ignored = Long.parseUnsignedLong(line.split("\\s+")[1], 16);
        boolean hupOrInt = (ignored & 0b11) != 0;
        return hupOrInt ? List.of("env", "--default-signal=HUP,INT") : List.of();
    }

    private MetricsSnapshot last() throws IOException {
        return FinalSnapshotFile.read(output);
    }

    @Test
    void the_end_of_the_parent_interrupts_a_daemon_bound_to_it() throws IOException {
        List<String> wrapper = new ArrayList<>(mindingSignals());
        wrapper.addAll(List.of("sh", "-c", "\"$@\" & echo $!; wait", "sh"));
        String[] run = Cli.run(output, "--in", "bind:" + events, "--exit-with-parent");
        try (RunningProcess parent = Cli.awaitReady(new RunningProcess(Cli.builder(wrapper, List.of(), run)), output)) {
            long daemon = Long.parseLong(parent.outLines().get(0));
            parent.signal("KILL");
            Await.until(
                    () -> Files.exists(output.resolve("final_snapshot.json")),
                    () -> "the file of a daemon without a parent: " + parent);
            Await.until(
                    () -> ProcessHandle.of(daemon)
                            .filter(ProcessHandle::isAlive)
                            .isEmpty(),
                    () -> "its end");
            assertThat(parent.err()).contains("parent process ended");
        }
        assertThat(last().state()).isEqualTo(SessionState.INTERRUPTED);
    }

    @Test
    void an_uncaught_error_at_the_start_is_printed_before_the_process_ends() throws IOException {
        String[] run = Cli.run(output, "--in", "bind:" + events, "--otlp", "http://127.0.0.1:1");
        List<String> command =
                new ArrayList<>(Cli.builder(List.of(), List.of(), run).command());
        int path = command.indexOf("-cp") + 1;
        List<String> without = new ArrayList<>();
        // The manifest of the program's jar names the others beside it; a copy elsewhere has none beside it.
        without.add(Files.copy(Program.JAR, directory.resolve(Program.JAR.getFileName()))
                .toString());
        try (Stream<Path> jars = Files.list(Program.JAR.getParent())) {
            jars.filter(jar -> !jar.equals(Program.JAR) && !jar.toString().contains("opentelemetry"))
                    .forEach(jar -> without.add(jar.toString()));
        }
        command.set(path, String.join(":", without));
        for (int i = 0; i < 3; i++) {
            try (RunningProcess daemon = new RunningProcess(new ProcessBuilder(command))) {
                assertThat(daemon.awaitExit()).as("%s", daemon).isEqualTo(70);
                assertThat(daemon.err()).contains("internal error").contains("NoClassDefFoundError");
            }
        }
    }

    @Test
    void sigtermAndSighupWriteAnInterruptedSnapshotAndExitWithSuccess() throws IOException {
        for (String signal : new String[] {"TERM", "HUP"}) {
            try (RunningProcess daemon = idleDaemon()) {
                daemon.signal(signal);
                assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
            }
            assertThat(last().state()).isEqualTo(SessionState.INTERRUPTED);
        }
        assertThat(directory.resolve("events")).doesNotExist();
    }

    @Test
    void aSecondSigtermHasNoEffect() throws IOException {
        try (RunningProcess daemon = idleDaemon()) {
            for (int i = 0; i < 5; i++) {
                daemon.signal("TERM");
            }
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        assertThat(last().state()).isEqualTo(SessionState.INTERRUPTED);
    }

    @Test
    void oneSigintIsIgnoredAndTwoInterrupt() throws IOException {
        try (RunningProcess daemon = idleDaemon()) {
            daemon.signal("INT");
            Await.until(() -> daemon.err().contains("SIGINT ignored"), daemon::toString);
            assertThat(daemon.process.isAlive()).isTrue();
            daemon.signal("INT");
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        assertThat(last().state()).isEqualTo(SessionState.INTERRUPTED);
    }

    /** MLCommons endpoints sends SIGINT twice to its process group to end itself: the aggregator has to continue. */
    @Test
    void withTheFlagsOfMlcommonsSigintIsAlwaysIgnored() throws IOException {
        String[] flags = {"--socket-dir", directory.toString(), "--metrics-socket", "metrics"};
        try (RunningProcess daemon = idleDaemon(flags)) {
            for (int i = 0; i < 5; i++) {
                daemon.signal("INT");
            }
            Await.until(() -> daemon.err().contains("SIGINT ignored"), daemon::toString);
            try (RunningProcess producer =
                    Cli.start("produce", "--out", "connect:" + events, "--duration", "1s", "--warmup", "0s")) {
                daemon.signal("INT");
                daemon.signal("INT");
                assertThat(producer.awaitExit()).as("%s", producer).isZero();
            }
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
            assertThat(daemon.err().lines().filter(line -> line.contains("SIGINT ignored")))
                    .hasSize(1);
        }
        assertThat(last().state()).isEqualTo(SessionState.COMPLETE);
        flags = new String[] {"--socket-dir", directory.toString(), "--metrics-socket", "metrics", "--foreground"};
        try (RunningProcess daemon = idleDaemon(flags)) {
            daemon.signal("INT");
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        assertThat(last().state()).isEqualTo(SessionState.INTERRUPTED);
    }

    @Test
    void inTheForegroundOneSigintInterrupts() throws IOException {
        try (RunningProcess daemon = idleDaemon("--foreground")) {
            daemon.signal("INT");
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        assertThat(last().state()).isEqualTo(SessionState.INTERRUPTED);
    }

    @Test
    void recordsQueuedBeforeSigtermAreInTheFile() throws IOException {
        Python.require();
        // 2 MB, more than the buffers of a socket; a busy machine applies it within the second that a stop leaves.
        int samples = 10_000;
        try (RunningProcess flood = Python.start("flood.py", events, Integer.toString(samples));
                RunningProcess daemon = Cli.daemon(output, "--in", "connect:" + events)) {
            // A stopped daemon receives nothing: records queue up in its sockets and in the producer's.
            daemon.signal("STOP");
            flood.awaitOut("queued");
            daemon.signal("TERM");
            daemon.signal("CONT");
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        MetricsSnapshot last = last();
        assertThat(last.state()).isEqualTo(SessionState.INTERRUPTED);
        assertThat(last.counterValue("total_samples_issued")).isEqualTo(samples);
        assertThat(Ledger.of(last).balanced()).isTrue();
        assertThat(last.extensions().inFlight().count()).isEqualTo(samples);
    }

    @Test
    void sigtermDuringAnEndlessFloodEndsTheDaemonInTime() throws IOException {
        Path load = directory.resolve("load");
        try (RunningProcess daemon = idleDaemon("--streaming");
                RunningProcess producer = Cli.start(
                        "produce", "--out", "connect:" + events, "--rate", "20000", "--duration", "10m", "--fast")) {
            Await.until(() -> daemon.err().contains("state changed from=initialize to=live"), daemon::toString);
            // Some records have to arrive first.
            LockSupport.parkNanos(300_000_000L);
            long start = System.nanoTime();
            daemon.signal("TERM");
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
            System.out.printf("SIGTERM in a flood: exit after %.2f s%n", (System.nanoTime() - start) / 1e9);
            assertThat(producer.process.isAlive()).as("%s", producer).isTrue();
        }
        assertThat(load).doesNotExist();
        MetricsSnapshot last = last();
        assertThat(last.state()).isEqualTo(SessionState.INTERRUPTED);
        assertThat(last.counterValue("total_samples_issued")).isPositive();
        assertThat(last.series("sample_latency_ns").detail().exact()).isTrue();
        assertThat(Ledger.of(last).balanced()).isTrue();
    }

    @Test
    void aKilledDaemonLeavesNoFileThatLooksLikeItsResultAndTheNextOneStarts() throws IOException {
        try (RunningProcess first = idleDaemon()) {
            first.signal("TERM");
            first.awaitExit();
        }
        assertThat(output.resolve("final_snapshot.json")).exists();
        try (RunningProcess killed = idleDaemon()) {
            killed.signal("KILL");
            killed.awaitExit();
        }
        assertThat(output.resolve("final_snapshot.json")).doesNotExist();
        assertThat(directory.resolve("events")).exists();
        try (RunningProcess next = idleDaemon()) {
            next.signal("TERM");
            assertThat(next.awaitExit()).as("%s", next).isZero();
        }
        try (var files = Files.list(output)) {
            assertThat(files.filter(file -> file.toString().contains(".stale-")))
                    .hasSize(1);
        }
    }

    @Test
    void sigtermDuringTheStartWritesAFileOrEndsTheProcessBeforeReadiness() throws IOException {
        int files = 0;
        // The delay increases until the daemon was ready a few times; the time to readiness depends on the machine.
        for (int millis = 20; files < 8; millis += Math.max(20, millis / 10)) {
            assertThat(millis).as("milliseconds without a daemon").isLessThan(30_000);
            Path out = directory.resolve("out" + millis);
            try (RunningProcess daemon = Cli.start(Cli.run(out, "--in", "bind:" + events))) {
                LockSupport.parkNanos(millis * 1_000_000L);
                daemon.signal("TERM");
                int status = daemon.awaitExit();
                boolean file = Files.exists(out.resolve("final_snapshot.json"));
                // 143: the signal arrived before the JVM had a handler, and so before .ready. Between two phases of its
                // start the JVM ends with an error of its own.
                boolean byJvm = daemon.toString().contains("Error occurred during initialization of VM");
                assertThat(status).as("after %d ms: %s", millis, daemon).isIn(0, byJvm ? 1 : 143);
                assertThat(file).as("after %d ms: %s", millis, daemon).isEqualTo(status == 0);
                files += file ? 1 : 0;
            }
        }
    }
}
