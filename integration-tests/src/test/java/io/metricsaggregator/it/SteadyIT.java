package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.producer.EventPublisher;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.SteadyState;
import io.metricsaggregator.snapshot.figures.SteadyWindow;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The steady state of a run is in its final snapshot, its reports and a replay; a run that slows down does not pass for steady. */
class SteadyIT {
    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1000 * MILLI;
    private static final int PER_SECOND = 40;

    @TempDir
    Path directory;

    private String path(String name) {
        return directory.resolve(name).toString();
    }

    /** Publishes a run whose samples take {@code latencies[i]} ms when they are issued in second i; the gap of chunks is a tenth of that. */
    private void publish(int... latencies) throws IOException {
        try (EventPublisher publisher = new EventPublisher(
                List.of(Endpoint.parse("connect:ipc://" + path("events"), true)), TransportOptions.defaults())) {
            assertThat(publisher.awaitSubscribers(1, Await.PATIENCE)).isTrue();
            publisher.publish(EventRecord.session(EventType.SESSION_STARTED, 0));
            publisher.publish(EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, 0));
            for (int second = 0; second < latencies.length; second++) {
                for (int i = 0; i < PER_SECOND; i++) {
                    long issued = second * SECOND + i * SECOND / PER_SECOND;
                    long gap = latencies[second] * MILLI / 10;
                    String id = second + "-" + i;
                    publisher.publish(EventRecord.sample(EventType.SAMPLE_ISSUED, issued, id));
                    publisher.publish(EventRecord.sample(EventType.SAMPLE_RECV_FIRST, issued + 8 * gap, id));
                    publisher.publish(EventRecord.sample(EventType.SAMPLE_RECV_NON_FIRST, issued + 9 * gap, id));
                    publisher.publish(EventRecord.sample(EventType.SAMPLE_COMPLETE, issued + 10 * gap, id));
                }
            }
            publisher.publish(EventRecord.session(EventType.SESSION_ENDED, (latencies.length + 1) * SECOND));
            assertThat(publisher.flush(Await.PATIENCE)).isTrue();
        }
    }

    private void run(String name, int... latencies) throws IOException {
        try (RunningProcess daemon = Cli.daemon(
                directory.resolve(name),
                "--in",
                "bind:ipc://" + path("events"),
                "--streaming",
                "--journal",
                path(name + "-journal"))) {
            publish(latencies);
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
    }

    private static String output(String... arguments) throws IOException {
        try (RunningProcess process = Cli.start(arguments)) {
            assertThat(process.awaitExit()).as("%s", process).isZero();
            return process.out();
        }
    }

    private static void assertSteady(MetricsSnapshot snapshot) {
        SteadyState steady = snapshot.extensions().optional().steady();
        assertThat(steady.state()).isEqualTo("steady");
        assertThat(steady.driver()).isEqualTo("chunk_delta_ns");
        assertThat(steady.sinceSessionNanos()).isEqualTo(2 * SECOND);
        assertThat(steady.steadySeconds()).isEqualTo(10);
        assertThat(steady.isCertified()).isFalse();
        SteadyWindow window = steady.window();
        assertThat(window.samples()).isEqualTo(10L * PER_SECOND);
        assertThat(window.latency().p50()).isCloseTo(200e6, withPercentage(1.5));
        assertThat(window.ttft().p99()).isCloseTo(163.2e6, withPercentage(1.5));
        assertThat(window.issuedPerSecond()).isCloseTo(PER_SECOND, withPercentage(0.5));
    }

    @Test
    void aRunThatSettlesIsSteadyInEveryView() throws IOException {
        run("settled", 120, 160, 200, 202, 199, 201, 200, 198, 201, 200, 200, 204);
        assertSteady(FinalSnapshotFile.read(directory.resolve("settled")));
        assertThat(output("report", path("settled"), "--full"))
                .contains("Steady   steady since 0:02 for 0:10 (CoV of time between chunks")
                .contains("to be held for another 9:50")
                .contains("window: 400 samples issued in 0:10");
        assertThat(output("report", path("settled"), "--format", "md"))
                .contains("### Steady state", "steady since 0:02");
        assertThat(output("report", path("settled"), "--format", "html")).contains("steady since 0:02 for 0:10");
        assertThat(output("report", path("settled"), "--format", "json"))
                .contains("\"steady_for_s\": 10.0", "\"since_session_ns\": 2000000000");
        output("replay", path("settled-journal"), "--output-dir", path("replayed"));
        assertSteady(FinalSnapshotFile.read(directory.resolve("replayed")));
    }

    @Test
    void aRunThatSlowsDownIsNotSteady() throws IOException {
        run("slowing", 200, 202, 204, 206, 208, 210, 212, 214, 216, 218);
        SteadyState steady = FinalSnapshotFile.read(directory.resolve("slowing"))
                .extensions()
                .optional()
                .steady();
        assertThat(steady.state()).isEqualTo("drifting_up");
        assertThat(steady.window()).isNull();
        assertThat(output("report", path("slowing"), "--full"))
                .contains("drifting up 6.6%")
                .contains("responses become slower");
    }
}
