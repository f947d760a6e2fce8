package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.producer.EventPublisher;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionInfo;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs whose session start the daemon missed, or whose producer never starts tracking. */
class UntrackedIT {
    private static final int SAMPLES = 50;

    @TempDir
    Path directory;

    private Path output;
    private Path journal;

    @BeforeEach
    void folders() {
        output = directory.resolve("out");
        journal = directory.resolve("journal");
    }

    private String ipc(String name) {
        return "ipc://" + directory.resolve(name);
    }

    private RunningProcess daemon(String... more) throws IOException {
        String[] all = new String[more.length + 6];
        System.arraycopy(more, 0, all, 6, more.length);
        all[0] = "--in";
        all[1] = "bind:" + ipc("events");
        all[2] = "--out";
        all[3] = ipc("metrics");
        all[4] = "--journal";
        all[5] = journal.toString();
        return Cli.daemon(output, all);
    }

    private EventPublisher publisher() throws IOException {
        EventPublisher publisher = new EventPublisher(
                List.of(Endpoint.parse("connect:" + ipc("events"), true)), TransportOptions.defaults());
        assertThat(publisher.awaitSubscribers(1, Await.PATIENCE)).isTrue();
        return publisher;
    }

    private static void samples(EventPublisher publisher) throws IOException {
        long start = System.nanoTime();
        for (int i = 0; i < SAMPLES; i++) {
            publisher.publish(EventRecord.sample(EventType.SAMPLE_ISSUED, start + i, "sample " + i));
            publisher.publish(EventRecord.sample(EventType.SAMPLE_COMPLETE, start + 1_000_000 + 2L * i, "sample " + i));
        }
        assertThat(publisher.flush(Await.PATIENCE)).isTrue();
    }

    private static void session(EventPublisher publisher, EventType type) throws IOException {
        publisher.publish(EventRecord.session(type, System.nanoTime()));
    }

    private static String verdict(Path of) throws IOException {
        try (RunningProcess report = Cli.start("report", of.toString(), "--full")) {
            assertThat(report.awaitExit()).as("%s", report).isZero();
            return report.out();
        }
    }

    private MetricsSnapshot replay(String... more) throws IOException {
        Path replayed = directory.resolve("replayed");
        String[] all = new String[more.length + 4];
        System.arraycopy(more, 0, all, 4, more.length);
        all[0] = "replay";
        all[1] = journal.toString();
        all[2] = "--output-dir";
        all[3] = replayed.toString();
        try (RunningProcess replay = Cli.start(all)) {
            assertThat(replay.awaitExit()).as("%s", replay).isZero();
        }
        return FinalSnapshotFile.read(replayed);
    }

    private static void assertAllTracked(MetricsSnapshot last, boolean started) {
        assertThat(last.counterValue("tracked_samples_completed")).isEqualTo(SAMPLES);
        assertThat(last.series("sample_latency_ns").count()).isEqualTo(SAMPLES);
        assertThat(last.series("sample_latency_ns").min()).isEqualTo(1_000_000L);
        assertThat(last.series("sample_latency_ns").max()).isEqualTo(1_000_000L + SAMPLES - 1);
        assertThat(last.extensions().session()).isEqualTo(new SessionInfo(started, true, false, null));
    }

    @Test
    void aMissedStartIsReportedInLogScreenAndVerdictAndAReplayTracksEverything() throws IOException {
        try (RunningProcess tail = Cli.start("tail", ipc("metrics"));
                RunningProcess daemon = daemon();
                EventPublisher publisher = publisher()) {
            samples(publisher);
            Await.until(() -> daemon.err().contains("session.started was missed records=100"), daemon::toString);
            Await.until(
                    () -> tail.out().contains("INITIALIZE")
                            && tail.out().contains("NOT TRACKED: session.started was missed"),
                    tail::toString);
            session(publisher, EventType.SESSION_ENDED);
            assertThat(publisher.flush(Await.PATIENCE)).isTrue();
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
            assertThat(daemon.err())
                    .contains("session.started never arrived issued=50")
                    .contains("--track all");
            assertThat(tail.awaitExit()).as("%s", tail).isZero();
        }
        assertThat(FinalSnapshotFile.read(output).counterValue("tracked_samples_completed"))
                .isZero();
        assertThat(verdict(output))
                .contains("INVALID")
                .contains("session.started was never received")
                .contains("replay DIR --track all");
        MetricsSnapshot again = replay("--track", "all");
        assertAllTracked(again, false);
        assertThat(again.state()).isEqualTo(SessionState.COMPLETE);
        assertThat(again.extensions().run().recomputed()).containsExactly("every sample tracked");
        assertThat(replay().counterValue("tracked_samples_completed")).isZero();
    }

    @Test
    void trackingThatNeverStartsIsReportedAndTrackAllTracksEverything() throws IOException {
        try (RunningProcess daemon = daemon();
                EventPublisher publisher = publisher()) {
            session(publisher, EventType.SESSION_STARTED);
            samples(publisher);
            Await.until(
                    () -> daemon.err().contains("performance tracking has not started issued=50"), daemon::toString);
            session(publisher, EventType.SESSION_ENDED);
            assertThat(publisher.flush(Await.PATIENCE)).isTrue();
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
            assertThat(daemon.err()).contains("performance tracking never started issued=50");
        }
        assertThat(verdict(output)).contains("performance tracking never started: none of 50 samples");
        try (RunningProcess daemon = daemon("--track", "all");
                EventPublisher publisher = publisher()) {
            session(publisher, EventType.SESSION_STARTED);
            samples(publisher);
            session(publisher, EventType.SESSION_ENDED);
            assertThat(publisher.flush(Await.PATIENCE)).isTrue();
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
            assertThat(daemon.err()).doesNotContain("tracking");
        }
        assertAllTracked(FinalSnapshotFile.read(output), true);
        assertThat(verdict(output)).doesNotContain("never started");
        assertAllTracked(replay(), true);
        assertThat(replay("--track", "events").counterValue("tracked_samples_completed"))
                .isZero();
    }
}
