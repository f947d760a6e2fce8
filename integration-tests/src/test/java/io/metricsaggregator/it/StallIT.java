package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.producer.EventPublisher;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import io.metricsaggregator.snapshot.figures.Progress;
import io.metricsaggregator.snapshot.figures.ProgressState;
import io.metricsaggregator.snapshot.figures.Stall;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import io.metricsaggregator.subscriber.SnapshotSubscriber;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Endpoints that do not answer, over sockets: the daemon notices without any event, names them, and a replay finds the same. */
class StallIT {
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    Path directory;

    private String path(String name) {
        return directory.resolve(name).toString();
    }

    private RunningProcess daemon(String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "--in",
                "bind:ipc://" + path("events"),
                "--out",
                "bind:ipc://" + path("metrics"),
                "--journal",
                path("journal"),
                "--track",
                "all"));
        arguments.addAll(List.of(more));
        return Cli.daemon(directory.resolve("out"), arguments.toArray(String[]::new));
    }

    private EventPublisher publisher() throws IOException {
        EventPublisher publisher = new EventPublisher(
                List.of(Endpoint.parse("connect:ipc://" + path("events"), true)), TransportOptions.defaults());
        assertThat(publisher.awaitSubscribers(1, Await.PATIENCE)).isTrue();
        return publisher;
    }

    private SnapshotSubscriber subscriber() throws IOException {
        return new SnapshotSubscriber(
                List.of(Endpoint.parse("connect:ipc://" + path("metrics"), false)),
                TransportOptions.defaults(),
                SnapshotSubscriber.Mode.LATEST);
    }

    private static void send(EventPublisher publisher, EventRecord... records) throws IOException {
        for (EventRecord each : records) {
            publisher.publish(each);
        }
        assertThat(publisher.flush(Await.PATIENCE)).isTrue();
    }

    private static EventRecord event(EventType type, String id) {
        return EventRecord.sample(type, System.nanoTime(), id);
    }

    private static EventRecord session(EventType type) {
        return EventRecord.session(type, System.nanoTime());
    }

    private static MetricsSnapshot await(SnapshotSubscriber subscriber, Predicate<MetricsSnapshot> condition)
            throws IOException {
        long end = System.nanoTime() + 60 * SECOND;
        MetricsSnapshot latest = null;
        while (System.nanoTime() < end) {
            MetricsSnapshot next = subscriber.next(Duration.ofMillis(250));
            latest = next == null ? latest : next;
            if (next != null && condition.test(next)) {
                return next;
            }
        }
        throw new AssertionError("no snapshot met the condition; the last was " + latest);
    }

    private static Progress progress(MetricsSnapshot snapshot) {
        Progress progress = snapshot.extensions().optional().progress();
        assertThat(progress).isNotNull();
        return progress;
    }

    private static boolean is(MetricsSnapshot snapshot, ProgressState state) {
        return progress(snapshot).state() == state;
    }

    private MetricsSnapshot finished(RunningProcess daemon, int status) throws IOException {
        assertThat(daemon.awaitExit()).as("%s", daemon).isEqualTo(status);
        return FinalSnapshotFile.read(directory.resolve("out"));
    }

    private static String output(int status, String... arguments) throws IOException {
        try (RunningProcess process = Cli.start(arguments)) {
            assertThat(process.awaitExit()).as("%s", process).isEqualTo(status);
            return process.out();
        }
    }

    @Test
    void anEndpointThatDoesNotAnswerIsStalledUntilItDoes() throws IOException {
        MetricsSnapshot last;
        long waited;
        try (RunningProcess daemon = daemon("--endpoint-idle", "1s");
                SnapshotSubscriber subscriber = subscriber();
                EventPublisher publisher = publisher()) {
            send(publisher, session(EventType.SESSION_STARTED), event(EventType.SAMPLE_ISSUED, "a"));
            MetricsSnapshot stalled = await(subscriber, each -> is(each, ProgressState.STALLED));
            assertThat(progress(stalled).idleNanos()).isGreaterThanOrEqualTo(SECOND);
            assertThat(stalled.counterValue("endpoint_stalls")).isEqualTo(1);
            output(12, "wait", "connect:ipc://" + path("metrics"), "--fail-on-stall");
            send(publisher, event(EventType.SAMPLE_RECV_FIRST, "a"));
            await(subscriber, each -> is(each, ProgressState.OK));
            send(publisher, event(EventType.SAMPLE_COMPLETE, "a"));
            waited = progress(await(subscriber, each -> is(each, ProgressState.IDLE)))
                    .stalls()
                    .get(0)
                    .durationNanos();
            // Nothing is in flight for longer than the limit.
            await(subscriber, each -> each.timestampNanos() > stalled.timestampNanos() + 3 * SECOND);
            send(publisher, session(EventType.SESSION_ENDED));
            last = finished(daemon, 0);
        }
        Progress end = progress(last);
        assertThat(end.endpointStalls()).isEqualTo(1);
        assertThat(end.stalls()).hasSize(1);
        Stall stall = end.stalls().get(0);
        assertThat(stall.end()).isEqualTo(Stall.End.PROGRESS);
        assertThat(stall.inFlight()).isEqualTo(1);
        assertThat(stall.durationNanos()).isEqualTo(waited).isBetween(SECOND, 30 * SECOND);
        assertThat(end.stalledNanos()).isEqualTo(waited);
        assertThat(last.counterValue("stalled_ns")).isEqualTo(waited);
        output(12, "wait", "ipc:///nobody", "--fail-on-stall", "--final", path("out"));
        assertThat(output(0, "report", path("out"), "--full"))
                .contains("stalls: 1 stall, 0:", "Limiting factor: the server", "Stall at", "an answer");
        assertThat(output(0, "report", path("out"), "--format", "md")).contains("Stalls", "1 stall, 0:");
        assertThat(output(0, "report", path("out"), "--format", "html")).contains("1 stall, 0:");
        assertThat(CsvRow.of(output(0, "report", path("out"), "--format", "csv")))
                .containsEntry("stalls", "1")
                .containsEntry("stalled_s", Double.toString(waited / 1e9));
        assertThat(output(0, "report", path("out"), "--format", "json"))
                .contains("\"endpoint_stalls\": 1", "\"end\": \"progress\"");
        output(0, "replay", path("journal"), "--output-dir", path("replayed"));
        assertThat(progress(FinalSnapshotFile.read(directory.resolve("replayed")))
                        .stalls())
                .as("receipt times come from the journal")
                .isEqualTo(end.stalls());
        output(0, "replay", path("journal"), "--output-dir", path("longer"), "--endpoint-idle", "10m");
        assertThat(progress(FinalSnapshotFile.read(directory.resolve("longer"))).stalls())
                .isEmpty();
    }

    @Test
    void oneSilentEndpointOfTwoIsStalledInItsRow() throws IOException {
        try (RunningProcess daemon = daemon("--endpoint-idle", "3s");
                SnapshotSubscriber subscriber = subscriber();
                EventPublisher publisher = publisher()) {
            send(
                    publisher,
                    session(EventType.SESSION_STARTED),
                    event(EventType.SAMPLE_ISSUED, "a").withLabels(Map.of("endpoint", "a")),
                    event(EventType.SAMPLE_ISSUED, "b").withLabels(Map.of("endpoint", "b")));
            MetricsSnapshot found = await(subscriber, each -> {
                answer(publisher);
                return row(each, "b") == ProgressState.STALLED;
            });
            assertThat(row(found, "a")).isEqualTo(ProgressState.OK);
            assertThat(progress(found).state()).isEqualTo(ProgressState.OK);
            assertThat(progress(found).endpointStalls()).isZero();
            send(publisher, session(EventType.SESSION_ENDED));
            finished(daemon, 0);
        }
    }

    private static void answer(EventPublisher publisher) {
        try {
            send(publisher, event(EventType.SAMPLE_RECV_NON_FIRST, "a"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static ProgressState row(MetricsSnapshot snapshot, String endpoint) {
        LabelBreakdown labels = snapshot.extensions().optional().labels();
        return labels == null
                ? ProgressState.IDLE
                : labels.keys().get(0).values().stream()
                        .filter(each -> each.value().equals(endpoint))
                        .map(each -> each.progress().state())
                        .findFirst()
                        .orElse(ProgressState.IDLE);
    }

    @Test
    void aStallInterruptsARunThatAsksForIt() throws IOException {
        try (RunningProcess daemon = daemon("--endpoint-idle", "500ms", "--interrupt-on-stall", "1s");
                EventPublisher publisher = publisher()) {
            send(publisher, session(EventType.SESSION_STARTED), event(EventType.SAMPLE_ISSUED, "a"));
            MetricsSnapshot last = finished(daemon, 12);
            assertThat(last.state()).isEqualTo(SessionState.INTERRUPTED);
            assertThat(progress(last).interruptedBy()).isEqualTo(Progress.ENDPOINT_STALLED);
            assertThat(progress(last).state()).isEqualTo(ProgressState.STALLED);
        }
    }

    @Test
    void aProducerThatIsGoneIsNoStallOfTheEndpoint() throws IOException {
        try (RunningProcess daemon = daemon("--endpoint-idle", "3s", "--interrupt-on-stall", "20s");
                SnapshotSubscriber subscriber = subscriber()) {
            try (EventPublisher publisher = publisher()) {
                send(publisher, session(EventType.SESSION_STARTED), event(EventType.SAMPLE_ISSUED, "a"));
                await(subscriber, each -> progress(each).idleNanos() != null);
            }
            MetricsSnapshot gone = await(subscriber, each -> is(each, ProgressState.CLIENT_GONE));
            assertThat(progress(gone).endpointStalls()).isZero();
            try (EventPublisher publisher = publisher()) {
                send(publisher, session(EventType.SESSION_ENDED));
                assertThat(progress(finished(daemon, 0)).endpointStalls()).isZero();
            }
        }
    }
}
