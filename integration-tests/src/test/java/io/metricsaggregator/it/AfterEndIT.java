package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.producer.FramePublisher;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.MsgpackSnapshotCodec;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import io.metricsaggregator.subscriber.SnapshotSubscriber;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportOptions;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code run --after-end}: what the daemon does between the end of its session and SIGTERM, and when it is killed in that time. */
class AfterEndIT {

    private final EventEncoder encoder = new EventEncoder();

    @TempDir
    Path directory;

    private Path output;
    private Path file;
    private String events;
    private String metrics;

    @BeforeEach
    void paths() {
        output = directory.resolve("out");
        file = output.resolve("final_snapshot.json");
        events = "ipc://" + directory.resolve("events");
        metrics = "ipc://" + directory.resolve("metrics");
    }

    private RunningProcess daemon(String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("--in", "bind:" + events, "--out", metrics));
        arguments.addAll(List.of(more));
        return Cli.daemon(output, arguments.toArray(new String[0]));
    }

    private byte[] frame(EventRecord record) {
        return Topic.frame(record.type().wireName(), encoder.encode(record));
    }

    /** Publishes a session with one sample that starts at {@code nanos}. */
    private void session(long nanos, boolean interrupted) throws IOException {
        try (FramePublisher publisher = new FramePublisher(
                List.of(Endpoint.parse("connect:" + events, false)), TransportOptions.defaults(), 1 << 20)) {
            assertThat(publisher.awaitSubscribers(1, Await.PATIENCE)).isTrue();
            publisher.publish(frame(EventRecord.session(EventType.SESSION_STARTED, nanos)));
            publisher.publish(frame(EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, nanos + 1)));
            publisher.publish(frame(EventRecord.sample(EventType.SAMPLE_ISSUED, nanos + 2, "s")));
            publisher.publish(frame(EventRecord.sample(EventType.SAMPLE_COMPLETE, nanos + 3, "s")));
            if (interrupted) {
                publisher.publish(frame(EventRecord.session(EventType.SESSION_INTERRUPTED, nanos + 4)));
            }
            publisher.publish(frame(EventRecord.session(EventType.SESSION_ENDED, nanos + 5)));
        }
    }

    private void awaitResult(RunningProcess daemon) {
        Await.until(() -> Files.exists(file), () -> "the result of " + daemon);
    }

    /** The terminal snapshot that a subscriber receives that comes now. */
    private MetricsSnapshot received() throws IOException {
        try (SnapshotSubscriber late = new SnapshotSubscriber(
                List.of(Endpoint.parse("connect:" + metrics, false)),
                TransportOptions.defaults(),
                SnapshotSubscriber.Mode.LATEST)) {
            MetricsSnapshot snapshot;
            do {
                snapshot = late.next(Await.PATIENCE);
                assertThat(snapshot)
                        .as("a snapshot for a subscriber after the end")
                        .isNotNull();
            } while (!snapshot.state().isTerminal());
            return snapshot;
        }
    }

    private static void awaitLog(RunningProcess daemon, String text) {
        Await.until(() -> daemon.err().contains(text), () -> "'" + text + "' in the log of " + daemon);
    }

    private static byte[] bytes(MetricsSnapshot snapshot) {
        return new MsgpackSnapshotCodec().encode(snapshot);
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }

    private List<String> setAside() throws IOException {
        try (Stream<Path> files = Files.list(output)) {
            return files.map(each -> each.getFileName().toString())
                    .filter(name -> name.contains("stale"))
                    .toList();
        }
    }

    @Test
    void without_the_option_the_daemon_exits_with_its_run() throws IOException {
        try (RunningProcess daemon = daemon()) {
            session(1, false);
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        assertThat(output.resolve(".finished")).doesNotExist();
    }

    @Test
    void a_daemon_that_stays_serves_the_result_until_sigterm() throws IOException {
        int port = freePort();
        try (RunningProcess daemon = daemon("--after-end", "stay", "--prometheus", Integer.toString(port))) {
            session(1, false);
            awaitResult(daemon);
            MetricsSnapshot first = received();
            assertThat(first.state()).isEqualTo(SessionState.COMPLETE);
            assertThat(bytes(received())).isEqualTo(bytes(first));
            assertThat(MetricsPage.get(port)).contains("metrics_aggregator_samples_completed");
            assertThat(output.resolve(".ready")).exists();
            assertThat(daemon.process.isAlive()).isTrue();
            daemon.signal("TERM");
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
            assertThat(daemon.err()).contains("result is served until SIGTERM");
        }
        assertThat(FinalSnapshotFile.read(output).state()).isEqualTo(SessionState.COMPLETE);
        assertThat(output.resolve(".finished")).doesNotExist();
    }

    @Test
    void a_daemon_killed_after_the_end_is_replaced_by_one_that_serves_the_same_result() throws IOException {
        int port = freePort();
        String[] options = {
            "--after-end", "stay", "--journal", directory.resolve("journal").toString(), "--prometheus", "" + port
        };
        byte[] result;
        MetricsSnapshot before;
        try (RunningProcess daemon = daemon(options)) {
            session(1, false);
            awaitResult(daemon);
            before = received();
            result = Files.readAllBytes(file);
            // Killed before, it would leave a run to be resumed.
            awaitLog(daemon, "result is served until SIGTERM");
            daemon.signal("KILL");
            daemon.awaitExit();
        }
        for (int kills = 0; kills < 2; kills++) {
            try (RunningProcess again = daemon(options)) {
                awaitLog(again, "finished run found state=complete");
                assertThat(bytes(received())).isEqualTo(bytes(before));
                assertThat(MetricsPage.get(port)).contains("metrics_aggregator_samples_completed");
                again.signal("KILL");
                again.awaitExit();
            }
        }
        try (RunningProcess last = daemon(options)) {
            last.signal("TERM");
            assertThat(last.awaitExit()).as("%s", last).isZero();
        }
        assertThat(file).hasBinaryContent(result);
        assertThat(setAside()).isEmpty();
    }

    @Test
    void after_sigterm_the_next_start_measures_a_new_run() throws IOException {
        try (RunningProcess daemon = daemon("--after-end", "stay")) {
            session(1, false);
            awaitResult(daemon);
            daemon.signal("TERM");
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        String first = FinalSnapshotFile.read(output).extensions().run().runId();
        try (RunningProcess daemon = daemon("--after-end", "stay")) {
            assertThat(file).doesNotExist();
            session(1_000, false);
            awaitResult(daemon);
            daemon.signal("TERM");
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        assertThat(FinalSnapshotFile.read(output).extensions().run().runId()).isNotEqualTo(first);
        assertThat(setAside()).hasSize(1);
    }

    @Test
    void a_result_of_another_host_or_another_run_is_set_aside() throws IOException {
        try (RunningProcess daemon = daemon("--after-end", "stay")) {
            session(1, false);
            awaitResult(daemon);
            received();
            daemon.signal("KILL");
            daemon.awaitExit();
        }
        Path marker = output.resolve(".finished");
        String written = Files.readString(marker);
        for (String other : List.of(
                written.replaceFirst("host .*", "host elsewhere"),
                written.replaceFirst("boot .*", "boot 0"),
                written.replaceFirst("run .*", "run 0123456789abcdef"),
                "",
                "run")) {
            byte[] result = Files.readAllBytes(file);
            Files.writeString(marker, other);
            try (RunningProcess daemon = daemon("--after-end", "stay")) {
                assertThat(file).as("the result with the marker %s", other).doesNotExist();
                daemon.signal("KILL");
                daemon.awaitExit();
            }
            assertThat(marker).doesNotExist();
            List<String> aside = setAside();
            assertThat(aside).hasSize(1);
            Files.move(output.resolve(aside.get(0)), file);
            assertThat(file).hasBinaryContent(result);
        }
    }

    @Test
    void a_killed_daemon_without_the_option_is_replaced_by_a_new_run() throws IOException {
        try (RunningProcess daemon = daemon("--after-end", "stay")) {
            session(1, false);
            awaitResult(daemon);
            received();
            daemon.signal("KILL");
            daemon.awaitExit();
        }
        try (RunningProcess daemon = daemon()) {
            assertThat(file).doesNotExist();
            assertThat(daemon.err()).doesNotContain("finished run found");
        }
        assertThat(setAside()).hasSize(1);
    }

    @Test
    void a_run_interrupted_by_its_session_stays_too_and_one_interrupted_by_sigterm_does_not() throws IOException {
        try (RunningProcess daemon = daemon("--after-end", "stay")) {
            session(1, true);
            awaitResult(daemon);
            assertThat(received().state()).isEqualTo(SessionState.INTERRUPTED);
            daemon.signal("KILL");
            daemon.awaitExit();
        }
        try (RunningProcess daemon = daemon("--after-end", "stay")) {
            awaitLog(daemon, "finished run found state=interrupted");
            daemon.signal("TERM");
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        try (RunningProcess daemon = daemon("--after-end", "stay")) {
            daemon.signal("TERM");
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        assertThat(output.resolve(".finished")).doesNotExist();
    }

    @Test
    void records_after_the_end_are_discarded_with_a_warning_and_fail_a_strict_run() throws IOException {
        try (RunningProcess daemon = daemon("--after-end", "stay", "--strict")) {
            session(1, false);
            awaitResult(daemon);
            MetricsSnapshot before = received();
            session(1_000, false);
            awaitLog(daemon, "frames are discarded: they arrived after the end of the run");
            assertThat(bytes(received())).isEqualTo(bytes(before));
            daemon.signal("TERM");
            assertThat(daemon.awaitExit()).as("%s", daemon).isEqualTo(6);
        }
    }

    @Test
    void the_readiness_file_of_a_killed_daemon_is_gone_before_a_slow_start() throws IOException {
        Files.createDirectories(output);
        Files.writeString(output.resolve(".ready"), "");
        // The tokenizer is loaded before anything else is opened: here it fails.
        try (RunningProcess daemon = Cli.start(Cli.run(
                output,
                "--in",
                "bind:" + events,
                "--tokenizer",
                directory.resolve("none").toString()))) {
            assertThat(daemon.awaitExit()).as("%s", daemon).isNotZero();
        }
        assertThat(output.resolve(".ready")).doesNotExist();
    }
}
