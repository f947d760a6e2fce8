package io.metricsaggregator.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventRecordCodec;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.FrameHandler;
import io.metricsaggregator.transport.Transport;
import io.metricsaggregator.transport.TransportOptions;
import io.metricsaggregator.transport.Transports;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventPublisherTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir
    Path directory;

    /** A received frame: its topic and its records. */
    private record Frame(String topic, List<EventRecord> records) {}

    private final List<Frame> frames = new ArrayList<>();
    private Transport subscriber;
    private EventPublisher publisher;

    @BeforeEach
    void connect() throws IOException {
        publisher = open(EventPublisher.BATCH_SIZE);
    }

    private EventPublisher open(int batchSize) throws IOException {
        EventPublisher opened = new EventPublisher(
                List.of(Endpoint.parse("bind:ipc://" + directory.resolve("e" + batchSize), true)),
                TransportOptions.defaults(),
                batchSize);
        subscriber = Transports.open(TransportOptions.defaults());
        var source = subscriber.openSource(
                List.of(Endpoint.parse(opened.endpoints().get(0).uri(), false)), new Frames());
        until(source::ready);
        assertThat(opened.awaitSubscribers(1, PATIENCE)).isTrue();
        return opened;
    }

    @AfterEach
    void close() throws IOException {
        publisher.close(Duration.ZERO);
        subscriber.close();
    }

    private final class Frames implements FrameHandler {
        @Override
        public void onFrame(ByteBuffer buffer, int start, int length) {
            byte[] frame = new byte[length];
            buffer.get(start, frame);
            String topic = new String(frame, 0, 40, StandardCharsets.US_ASCII).replace("\0", "");
            ByteBuffer payload = ByteBuffer.wrap(frame, 40, length - 40).slice();
            List<EventRecord> records = new ArrayList<>();
            try {
                EventRecordCodec codec = new EventRecordCodec();
                if (topic.equals("batch")) {
                    for (Object element : (List<?>) new MsgpackTree().read(payload)) {
                        records.add(codec.decode(ByteBuffer.wrap((byte[]) element)));
                    }
                } else {
                    records.add(codec.decode(payload));
                }
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            frames.add(new Frame(topic, records));
        }
    }

    private void until(BooleanSupplier condition) throws IOException {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > PATIENCE.toNanos()) {
                throw new AssertionError("not in time; received " + frames.size() + " frames");
            }
            subscriber.poll(5_000_000L);
        }
    }

    private int received() {
        return frames.stream().mapToInt(frame -> frame.records().size()).sum();
    }

    private static EventRecord sample(int i) {
        return EventRecord.sample(EventType.SAMPLE_RECV_NON_FIRST, i, "s" + i);
    }

    @Test
    void recordsAreSentInOrderInBatchesOfAThousand() throws IOException {
        // Faster than the batch delay, so that at least some batches are full.
        for (int i = 0; i < 50_000; i++) {
            publisher.publish(sample(i));
        }
        until(() -> received() == 50_000);
        assertThat(frames).allMatch(frame -> frame.records().size() <= 1000);
        assertThat(frames)
                .anyMatch(
                        frame -> frame.records().size() == 1000 && frame.topic().equals("batch"));
        int i = 0;
        for (Frame frame : frames) {
            for (EventRecord record : frame.records()) {
                assertThat(record.timestampNanos()).isEqualTo(i++);
            }
        }
    }

    @Test
    void aSessionEventFlushesWaitingRecordsAtOnce() throws IOException {
        publisher.publish(EventRecord.session(EventType.SESSION_STARTED, 1));
        publisher.publish(sample(2));
        publisher.publish(EventRecord.session(EventType.SESSION_ENDED, 3));
        until(() -> received() == 3);
        assertThat(frames.get(0).topic()).isEqualTo("session.started");
        assertThat(frames.get(frames.size() - 1).records()).contains(EventRecord.session(EventType.SESSION_ENDED, 3));
    }

    @Test
    void aSingleRecordIsSentUnderItsOwnTopicAfterTheBatchDelay() throws IOException {
        publisher.publish(sample(7));
        until(() -> received() == 1);
        assertThat(frames).containsExactly(new Frame("sample.recv_non_first", List.of(sample(7))));
    }

    @Test
    void withoutBatchingEveryRecordIsAFrame() throws IOException {
        publisher.close();
        subscriber.close();
        publisher = open(1);
        for (int i = 0; i < 100; i++) {
            publisher.publish(sample(i));
        }
        until(() -> received() == 100);
        assertThat(frames).hasSize(100);
    }

    @Test
    void closingSendsWaitingRecords() throws IOException {
        Thread closer = new Thread(() -> {
            try {
                publisher.publish(sample(1));
                publisher.publish(sample(2));
                publisher.close();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        closer.start();
        until(() -> received() == 2);
        subscriber.close();
        assertThatThrownBy(() -> {
                    closer.join();
                    publisher.publish(EventRecord.session(EventType.SESSION_ENDED, 1));
                })
                .hasMessageContaining("closed");
    }

    @Test
    void aSubscriberThatDoesNotReadBlocksThePublisherAndLosesNothing() throws IOException {
        List<Integer> published = new ArrayList<>();
        Thread producer = new Thread(() -> {
            try {
                for (int i = 0; i < 300; i++) {
                    publisher.publish(EventRecord.session(EventType.SESSION_STOP_LOADGEN, i)
                            .withData(io.metricsaggregator.event.PromptData.ofText("x".repeat(1 << 20))));
                    synchronized (published) {
                        published.add(i);
                    }
                }
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        producer.start();
        // 64 MiB fit the subscriber's queue and 64 MiB the socket's: 300 MiB exceed both, so the producer has to wait.
        long start = System.nanoTime();
        int before = -1;
        while (System.nanoTime() - start < 10_000_000_000L) {
            int now;
            synchronized (published) {
                now = published.size();
            }
            if (now == before && producer.getState() == Thread.State.TIMED_WAITING) {
                break;
            }
            before = now;
            Thread.onSpinWait();
        }
        assertThat(before).isBetween(60, 299);
        until(() -> received() == 300);
    }

    @Test
    void closingEndsWithinItsTimeoutAlthoughASubscriberIsStuck() throws IOException, InterruptedException {
        Thread producer = new Thread(() -> {
            try {
                while (true) {
                    publisher.publish(EventRecord.session(EventType.SESSION_STOP_LOADGEN, 1)
                            .withData(io.metricsaggregator.event.PromptData.ofText("x".repeat(1 << 20))));
                }
            } catch (IOException closed) {
                assertThat(closed).hasMessageContaining("closed");
            }
        });
        producer.start();
        long patience = System.nanoTime() + PATIENCE.toNanos();
        while (producer.getState() != Thread.State.TIMED_WAITING && System.nanoTime() < patience) {
            Thread.onSpinWait();
        }
        long start = System.nanoTime();
        publisher.close(Duration.ofMillis(300));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
        producer.join();
    }

    @Test
    void recordsPublishedWithoutASubscriberAreCounted() throws IOException {
        subscriber.close();
        EventPublisher lonely = new EventPublisher(
                List.of(Endpoint.parse("bind:ipc://" + directory.resolve("lonely"), true)),
                TransportOptions.defaults());
        assertThat(lonely.awaitSubscribers(1, Duration.ofMillis(50))).isFalse();
        lonely.publish(EventRecord.session(EventType.SESSION_STARTED, 1));
        assertThat(lonely.flush(PATIENCE)).isTrue();
        assertThat(lonely.framesUnheard()).isEqualTo(1);
        lonely.close();
    }
}
