package io.metricsaggregator.subscriber;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.MsgpackSnapshotCodec;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.FrameSink;
import io.metricsaggregator.transport.Transport;
import io.metricsaggregator.transport.TransportOptions;
import io.metricsaggregator.transport.Transports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotSubscriberTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration MOMENT = Duration.ofMillis(50);

    @TempDir
    Path directory;

    private Transport daemon;
    private FrameSink sink;

    @BeforeEach
    void publish() throws IOException {
        daemon = Transports.open(TransportOptions.defaults());
        sink = daemon.openSink(
                List.of(Endpoint.parse("bind:ipc://" + directory.resolve("metrics"), true)),
                FrameSink.Kind.PUBLISH_QUEUED);
    }

    @AfterEach
    void close() {
        daemon.close();
    }

    private SnapshotSubscriber subscribe(SnapshotSubscriber.Mode mode) throws IOException {
        SnapshotSubscriber subscriber = new SnapshotSubscriber(
                List.of(Endpoint.parse(sink.endpoints().get(0).uri(), false)), TransportOptions.defaults(), mode);
        long start = System.nanoTime();
        while (!subscriber.connected() || sink.peers() == 0) {
            assertThat(System.nanoTime() - start).isLessThan(PATIENCE.toNanos());
            daemon.poll(1_000_000L);
            assertThat(subscriber.next(Duration.ZERO)).isNull();
        }
        return subscriber;
    }

    private void send(long counter, SessionState state) throws IOException {
        MetricsSnapshot snapshot = new MetricsSnapshot(counter, 1, state, 0, List.of(), SnapshotExtensions.NONE);
        send(topic("MET"), new MsgpackSnapshotCodec().encode(snapshot));
    }

    private void send(byte[] topic, byte[] payload) throws IOException {
        byte[] frame = new byte[40 + payload.length];
        System.arraycopy(topic, 0, frame, 0, 40);
        System.arraycopy(payload, 0, frame, 40, payload.length);
        assertThat(sink.offer(frame)).isTrue();
        while (!sink.flushed()) {
            daemon.poll(1_000_000L);
        }
    }

    private static byte[] topic(String name) {
        byte[] topic = new byte[40];
        System.arraycopy(name.getBytes(), 0, topic, 0, name.length());
        return topic;
    }

    @Test
    void everySnapshotIsReturnedInOrderAndGapsAreCounted() throws IOException {
        try (SnapshotSubscriber subscriber = subscribe(SnapshotSubscriber.Mode.EVERY)) {
            for (long counter : new long[] {1, 2, 5, 6}) {
                send(counter, SessionState.LIVE);
            }
            for (long counter : new long[] {1, 2, 5, 6}) {
                assertThat(subscriber.next(PATIENCE).counter()).isEqualTo(counter);
            }
            assertThat(subscriber.missed()).isEqualTo(2);
            assertThat(subscriber.next(MOMENT)).isNull();
        }
    }

    @Test
    void latestModeSkipsToTheNewestSnapshot() throws IOException {
        try (SnapshotSubscriber subscriber = subscribe(SnapshotSubscriber.Mode.LATEST)) {
            for (long counter = 1; counter <= 50; counter++) {
                send(counter, SessionState.LIVE);
            }
            assertThat(subscriber.next(PATIENCE).counter()).isEqualTo(50);
            assertThat(subscriber.missed()).isZero();
        }
    }

    @Test
    void theTerminalSnapshotEndsTheWaitAndStaysAvailable() throws IOException {
        try (SnapshotSubscriber subscriber = subscribe(SnapshotSubscriber.Mode.LATEST)) {
            send(1, SessionState.LIVE);
            assertThat(subscriber.awaitTerminal(MOMENT)).isNull();
            send(2, SessionState.INTERRUPTED);
            assertThat(subscriber.awaitTerminal(PATIENCE).state()).isEqualTo(SessionState.INTERRUPTED);
            daemon.close();
            assertThat(subscriber.awaitTerminal(Duration.ZERO).counter()).isEqualTo(2);
        }
    }

    @Test
    void malformedSnapshotsAreSkippedAndCounted() throws IOException {
        try (SnapshotSubscriber subscriber = subscribe(SnapshotSubscriber.Mode.EVERY)) {
            send(topic("batch"), new byte[] {(byte) 0x90});
            send(topic("MET"), new byte[] {(byte) 0xc1});
            send(topic("METRICS"), new byte[] {1});
            send(7, SessionState.LIVE);
            assertThat(subscriber.next(PATIENCE).counter()).isEqualTo(7);
            assertThat(subscriber.foreign()).isEqualTo(3);
        }
    }

    @Test
    void theFinalFileIsReadByPathOrByDirectory() throws IOException {
        MetricsSnapshot snapshot =
                new MetricsSnapshot(1, 2, SessionState.COMPLETE, 0, List.of(), SnapshotExtensions.NONE);
        Path file = directory.resolve("final_snapshot.json");
        Files.write(file, new JsonSnapshotCodec().encode(snapshot));
        assertThat(FinalSnapshotFile.read(file)).isEqualTo(snapshot);
        assertThat(FinalSnapshotFile.read(directory)).isEqualTo(snapshot);
        Files.writeString(file, "{\"counter\": 1}");
        assertThatThrownBy(() -> FinalSnapshotFile.read(file))
                .hasMessageContaining(file.toString())
                .hasMessageContaining("metrics should be an array");
    }
}
