package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.PhaseData;
import io.metricsaggregator.producer.EventPublisher;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionInfo;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportOptions;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events and subscribers of versions of MLCommons endpoints after ea33275. */
class NewerEndpointsIT {
    private static final int SAMPLES = 500;

    @TempDir
    Path directory;

    private Path output;

    @BeforeEach
    void folder() {
        output = directory.resolve("out");
    }

    private String ipc(String name) {
        return "ipc://" + directory.resolve(name);
    }

    private static void session(EventPublisher publisher, EventType type) throws IOException {
        publisher.publish(EventRecord.session(type, System.nanoTime()));
    }

    /** Publishes a session that the producer declares aborted before its end. */
    private void publishInterrupted() throws IOException {
        try (EventPublisher publisher = new EventPublisher(
                List.of(Endpoint.parse("connect:" + ipc("events"), true)), TransportOptions.defaults())) {
            assertThat(publisher.awaitSubscribers(1, Await.PATIENCE)).isTrue();
            session(publisher, EventType.SESSION_STARTED);
            publisher.publish(EventRecord.session(EventType.SESSION_PHASE_START, System.nanoTime())
                    .withData(new PhaseData("performance", true, 4096L)));
            session(publisher, EventType.SESSION_START_PERFORMANCE_TRACKING);
            for (int i = 0; i < SAMPLES; i++) {
                long issued = System.nanoTime();
                publisher.publish(EventRecord.sample(EventType.SAMPLE_ISSUED, issued, "sample " + i));
                publisher.publish(
                        EventRecord.sample(EventType.SAMPLE_COMPLETE, issued + 1_000_003L * (i + 1), "sample " + i));
            }
            session(publisher, EventType.SESSION_INTERRUPTED);
            session(publisher, EventType.SESSION_ENDED);
            assertThat(publisher.flush(Await.PATIENCE)).isTrue();
        }
    }

    private void assertInterruptedAndWhole(MetricsSnapshot last) {
        assertThat(last.state()).isEqualTo(SessionState.INTERRUPTED);
        assertThat(last.counterValue("session_interrupts")).isEqualTo(1);
        assertThat(last.counterValue("tracked_samples_completed")).isEqualTo(SAMPLES);
        assertThat(last.counterValue("records_unknown")).isZero();
        assertThat(last.counterValue("total_samples_failed")).isZero();
        assertThat(last.pendingTasks()).isZero();
        assertThat(last.extensions().session()).isEqualTo(new SessionInfo(true, true, true, 4096L));
        assertThat(last.extensions().run().schemaVersion()).isEqualTo(2);
        assertThat(last.series("sample_latency_ns").detail().exact()).isTrue();
        assertThat(last.series("sample_latency_ns").percentiles().get("99.0"))
                .isEqualTo(1_000_003.0 * ((int) (0.99 * (SAMPLES - 1)) + 1));
    }

    @Test
    void anAbortedSessionEndsInterruptedWithExactPercentilesAndItsAnnouncedSize() throws IOException {
        String journal = directory.resolve("journal").toString();
        try (RunningProcess daemon = Cli.daemon(
                        output, "--in", "bind:" + ipc("events"), "--out", ipc("metrics"), "--journal", journal);
                RunningProcess wait =
                        Cli.start("wait", ipc("metrics"), "--final", output.toString(), "--timeout", "60s")) {
            publishInterrupted();
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
            assertThat(wait.awaitExit()).as("%s", wait).isEqualTo(10);
        }
        assertInterruptedAndWhole(FinalSnapshotFile.read(output));
        try (RunningProcess report = Cli.start("report", output.toString(), "--full")) {
            assertThat(report.awaitExit()).isZero();
            assertThat(report.out()).contains("INVALID").contains("the producer aborted the session");
        }
        Path replayed = directory.resolve("replayed");
        try (RunningProcess replay = Cli.start("replay", journal, "--output-dir", replayed.toString())) {
            assertThat(replay.awaitExit()).as("%s", replay).isZero();
        }
        assertInterruptedAndWhole(FinalSnapshotFile.read(replayed));
    }

    @Test
    void typedReadersOfBothVersionsAcceptEverySnapshot() throws IOException {
        Python.require();
        try (RunningProcess reader = Python.start("typed_snapshots.py", ipc("metrics"));
                RunningProcess daemon = Cli.daemon(
                        output,
                        "--in",
                        "bind:" + ipc("events"),
                        "--out",
                        ipc("metrics"),
                        "--publish-interval",
                        "5ms")) {
            reader.awaitOut("connected");
            publishInterrupted();
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
            assertThat(reader.awaitExit()).as("%s", reader).isZero();
            List<String> lines = reader.outLines();
            Map<String, ?> last = JsonTree.read(lines.get(lines.size() - 1).getBytes(StandardCharsets.UTF_8));
            assertThat(last)
                    .isEqualTo(Map.of(
                            "state",
                            "interrupted",
                            "schema_version",
                            2L,
                            "super_pass_size",
                            4096L,
                            "interrupts",
                            1L,
                            "completed",
                            (long) SAMPLES));
        }
    }

    /** The journal and the snapshot of one run, written by a build before schema version 2. */
    @Test
    void journalsAndSnapshotsOfSchemaVersion1AreReadable() throws IOException, URISyntaxException {
        Path old = Path.of(Objects.requireNonNull(NewerEndpointsIT.class.getResource("/schema-1"))
                .toURI());
        MetricsSnapshot then = FinalSnapshotFile.read(old);
        assertThat(then.extensions().run().schemaVersion()).isEqualTo(1);
        assertThat(then.extensions().session()).isNull();
        try (RunningProcess report = Cli.start("report", old.toString(), "--full")) {
            assertThat(report.awaitExit()).as("%s", report).isZero();
            assertThat(report.out()).contains(then.extensions().run().runId());
        }
        try (RunningProcess replay =
                Cli.start("replay", old.resolve("journal").toString(), "--output-dir", output.toString())) {
            assertThat(replay.awaitExit()).as("%s", replay).isZero();
        }
        MetricsSnapshot now = FinalSnapshotFile.read(output);
        assertThat(now.extensions().run().runId())
                .isEqualTo(then.extensions().run().runId());
        assertThat(now.state()).isEqualTo(SessionState.COMPLETE);
        for (String series : List.of("sample_latency_ns", "ttft_ns", "chunk_delta_ns", "isl")) {
            assertThat(now.series(series).percentiles())
                    .isEqualTo(then.series(series).percentiles());
        }
        assertThat(now.extensions().session()).isEqualTo(new SessionInfo(true, true, false, null));
    }
}
