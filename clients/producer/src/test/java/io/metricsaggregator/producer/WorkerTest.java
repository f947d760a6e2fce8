package io.metricsaggregator.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.event.ChunkPart;
import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.ErrorData;
import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.producer.ReadingPeer.Told;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir
    Path directory;

    private final List<ReadingPeer> peers = new ArrayList<>();
    private EventPublisher publisher;
    private Worker worker;

    @BeforeEach
    void bind() throws IOException {
        publisher = new EventPublisher(
                List.of(Endpoint.parse("bind:ipc://" + directory.resolve("e"), true)), TransportOptions.defaults());
        worker = publisher.worker(3, 7);
    }

    @AfterEach
    void close() throws IOException {
        publisher.close(Duration.ZERO);
        for (ReadingPeer peer : List.copyOf(peers)) {
            leave(peer);
        }
    }

    private void until(BooleanSupplier condition) throws IOException {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > PATIENCE.toNanos()) {
                throw new AssertionError("not in time; received "
                        + peers.stream().map(peer -> peer.topics).toList());
            }
            for (ReadingPeer peer : peers) {
                peer.poll();
            }
        }
    }

    private ReadingPeer connect(boolean readsChunks) throws IOException {
        ReadingPeer peer = new ReadingPeer(publisher.endpoints().get(0), readsChunks);
        peers.add(peer);
        until(peer::isReady);
        return peer;
    }

    private void leave(ReadingPeer peer) {
        peers.remove(peer);
        peer.leave();
    }

    private ReadingPeer join(boolean readsChunks) throws IOException {
        ReadingPeer peer = connect(readsChunks);
        assertThat(publisher.awaitSubscribers(peers.size(), PATIENCE)).isTrue();
        boolean all = peers.stream().allMatch(each -> each.readsChunks);
        until(() -> publisher.takesChunks() == all);
        return peer;
    }

    private static EventRecord of(EventType type, String id, long nanos) {
        return EventRecord.sample(type, nanos, id);
    }

    private static Told told(EventType type, String id, long nanos, long sequence) {
        return new Told(type, id, nanos, 3, sequence, null, -1);
    }

    /** Starts a sample, with two records. */
    private Sample start(String id) throws IOException {
        worker.publish(of(EventType.SAMPLE_ISSUED, id, 1));
        Sample sample = worker.sample(id);
        sample.token(2);
        return sample;
    }

    private void end(ReadingPeer... readers) throws IOException {
        worker.publish(EventRecord.session(EventType.SESSION_ENDED, Long.MAX_VALUE));
        for (ReadingPeer peer : readers) {
            until(() ->
                    !peer.told.isEmpty() && peer.told.get(peer.told.size() - 1).type() == EventType.SESSION_ENDED);
        }
    }

    /** Publishes random traffic; returns the records in the order of the calls, without numbers. */
    private List<Told> traffic(Random random) throws IOException {
        List<Told> expected = new ArrayList<>();
        Map<Integer, Sample> open = new HashMap<>();
        Set<String> received = new HashSet<>();
        long nanos = 1_000_000_000_000L;
        for (int i = 0; i < 4_000; i++) {
            // Now and then far from the time before, or before it.
            nanos += random.nextInt(50) == 0 ? random.nextInt() * 3L : random.nextInt(1000);
            int place = random.nextInt(40);
            Sample sample = open.get(place);
            if (sample == null) {
                sample = worker.sample("s" + place + "." + i);
                open.put(place, sample);
            }
            String id = sample.id();
            int action = random.nextInt(20);
            if (action == 0) {
                open.remove(place);
                worker.publish(of(EventType.SAMPLE_COMPLETE, id, nanos));
                expected.add(told(EventType.SAMPLE_COMPLETE, id, nanos, 0));
            } else if (action == 1) {
                worker.publish(of(EventType.ERROR_CLIENT, id, nanos).withData(new ErrorData("E", "m")));
                expected.add(told(EventType.ERROR_CLIENT, id, nanos, 0));
            } else {
                ChunkPart part = action < 5 ? ChunkPart.values()[action - 2] : null;
                Integer tokens = action < 7 ? random.nextInt(DecodedEvent.CHUNK_TOKENS_MAX + 1) : null;
                EventType type = received.add(id) ? EventType.SAMPLE_RECV_FIRST : EventType.SAMPLE_RECV_NON_FIRST;
                if (place % 2 == 0) {
                    sample.token(nanos, part, tokens);
                } else {
                    EventRecord record = of(type, id, nanos);
                    record = part == null ? record : record.withPart(part);
                    worker.publish(tokens == null ? record : record.withTokens(tokens));
                }
                expected.add(new Told(type, id, nanos, 3, 0, part, tokens == null ? -1 : tokens));
            }
        }
        return expected;
    }

    private static void assertNumbered(List<Told> told) {
        for (int i = 0; i < told.size(); i++) {
            assertThat(told.get(i).sequence()).as("number of %s", told.get(i)).isEqualTo(i);
        }
    }

    @Test
    void framesSayOfEachSampleWhatSingleRecordsSayInTheSameOrder() throws IOException {
        long seed = new Random().nextLong();
        ReadingPeer peer = join(true);
        List<Told> expected = traffic(new Random(seed));
        end(peer);
        assertThat(ReadingPeer.bySample(peer.told)).as("seed %d", seed).isEqualTo(ReadingPeer.bySample(expected));
        assertNumbered(peer.told);
        assertThat(peer.framed).as("seed %d", seed).isGreaterThan(1_000);
    }

    @Test
    void aSubscriberThatDoesNotReadFramesGetsSingleRecordsInTheOrderOfTheCalls() throws IOException {
        long seed = new Random().nextLong();
        ReadingPeer reader = join(true);
        ReadingPeer plain = join(false);
        List<Told> expected = traffic(new Random(seed));
        end(reader, plain);
        assertNumbered(plain.told);
        assertThat(plain.topics).doesNotContain(Topic.CHUNKS);
        assertThat(reader.told).isEqualTo(plain.told);
        assertThat(plain.handles).isEmpty();
        for (int i = 0; i < expected.size(); i++) {
            Told each = expected.get(i);
            assertThat(plain.told.get(i))
                    .as("seed %d", seed)
                    .isEqualTo(new Told(each.type(), each.id(), each.nanos(), 3, i, each.part(), each.tokens()));
        }
    }

    @Test
    void framesPauseWhileASubscriberDoesNotReadThem() throws IOException {
        ReadingPeer reader = join(true);
        Sample sample = start("s1");
        sample.token(3);
        until(() -> reader.framed == 1);
        ReadingPeer plain = join(false);
        sample.token(4);
        sample.token(5);
        until(() -> reader.told.size() == 5 && plain.told.size() == 2);
        assertThat(reader.framed).isEqualTo(1);
        assertThat(plain.told)
                .containsExactly(
                        told(EventType.SAMPLE_RECV_NON_FIRST, "s1", 4, 3),
                        told(EventType.SAMPLE_RECV_NON_FIRST, "s1", 5, 4));
        leave(plain);
        until(publisher::takesChunks);
        sample.token(6);
        until(() -> reader.framed == 2);
        assertNumbered(reader.told);
    }

    @Test
    void chunksThatWaitWhenASubscriberJoinsAreSingleRecords() throws IOException {
        ReadingPeer reader = join(true);
        Sample sample = start("s1");
        publisher.lock().lock();
        ReadingPeer plain;
        try {
            sample.token(3);
            plain = join(false);
        } finally {
            publisher.lock().unlock();
        }
        until(() -> plain.told.contains(told(EventType.SAMPLE_RECV_NON_FIRST, "s1", 3, 2)));
        until(() -> reader.told.size() == 3);
        assertThat(reader.framed).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 5, 100})
    void aRecordGoesBehindTheChunksOfItsSample(int chunks) throws IOException {
        ReadingPeer peer = join(true);
        Sample sample = start("s1");
        for (int i = 0; i < chunks; i++) {
            sample.token(3 + i);
        }
        worker.publish(of(EventType.SAMPLE_COMPLETE, "s1", 1_000));
        sample.token(1_001);
        end(peer);
        assertThat(peer.told).hasSize(chunks + 5);
        assertThat(peer.told.get(chunks + 2)).isEqualTo(told(EventType.SAMPLE_COMPLETE, "s1", 1_000, chunks + 2));
        assertThat(peer.told.get(chunks + 3)).isEqualTo(told(EventType.SAMPLE_RECV_NON_FIRST, "s1", 1_001, chunks + 3));
        assertNumbered(peer.told);
    }

    @Test
    void chunksAreSentAfterTheDelayWithoutAFurtherCall() throws IOException {
        ReadingPeer peer = join(true);
        Sample sample = start("s1");
        until(() -> peer.told.size() == 2);
        sample.token(3);
        until(() -> peer.framed == 1);
        assertThat(peer.topics.get(peer.topics.size() - 1)).isEqualTo(Topic.CHUNKS);
    }

    @Test
    void framesHaveAtMostAThousandChunks() throws IOException {
        ReadingPeer peer = join(true);
        Sample sample = start("s1");
        for (int i = 0; i < 50_000; i++) {
            sample.token(3 + i);
        }
        until(() -> peer.framed == 50_000);
        assertThat(peer.largestFrame).isEqualTo(EventPublisher.BATCH_SIZE);
    }

    @Test
    void aChunkBeforeTheFirstOfOtherSamplesBeginsNoFrame() throws IOException {
        ReadingPeer peer = join(true);
        Sample early = start("s1");
        Sample late = start("s2");
        publisher.lock().lock();
        try {
            late.token(1_000);
            early.token(900);
        } finally {
            publisher.lock().unlock();
        }
        until(() -> peer.framed == 2);
        assertThat(peer.topics).filteredOn(Topic.CHUNKS::equals).hasSize(1);
    }

    @Test
    void aHandleIsFreeAfterTheEndOfItsSample() throws IOException {
        ReadingPeer peer = join(true);
        for (int i = 0; i < 3; i++) {
            start("a" + i).token(3);
            start("b" + i).token(3);
            worker.publish(of(EventType.SAMPLE_COMPLETE, "a" + i, 4));
        }
        end(peer);
        assertThat(peer.handles).containsExactly(0, 1, 0, 2, 0, 3);
        assertNumbered(peer.told);
    }

    @Test
    void aChunkThatAFrameCannotHoldIsASingleRecordInItsPlace() throws IOException {
        ReadingPeer peer = join(true);
        Sample sample = start("s1");
        sample.token(3);
        sample.token(Long.MAX_VALUE);
        assertThat(publisher.flush(PATIENCE)).isTrue();
        until(() -> peer.told.size() == 4);
        int framed = peer.framed;
        EventRecord chunk = of(EventType.SAMPLE_RECV_NON_FIRST, "s1", 4);
        for (EventRecord each :
                List.of(chunk.inConversation("c", null), chunk.inConversation("", 1L), chunk.withResponseId("r"))) {
            worker.publish(each);
            assertThat(publisher.flush(PATIENCE)).isTrue();
        }
        sample.token(5);
        Sample nameless = start("x".repeat(86));
        nameless.token(6);
        end(peer);
        assertThat(peer.told.stream().filter(each -> each.id().equals("s1")).map(Told::nanos))
                .containsExactly(1L, 2L, 3L, Long.MAX_VALUE, 4L, 4L, 4L, 5L);
        assertThat(peer.handles).containsExactly(0);
        assertThat(peer.framed).isEqualTo(framed + 1);
        assertNumbered(peer.told);
    }

    @Test
    void eachWorkerNumbersItsOwnRecords() throws IOException {
        ReadingPeer peer = join(true);
        Worker other = publisher.worker(4, 7);
        Sample here = start("s1");
        Sample there = other.sample("s2");
        for (int i = 0; i < 100; i++) {
            here.token(i);
            there.token(i);
        }
        end(peer);
        for (long number : List.of(3L, 4L)) {
            assertNumbered(
                    peer.told.stream().filter(each -> each.worker() == number).toList());
        }
        assertThat(peer.told).hasSize(2 + 200 + 1);
        assertThat(ReadingPeer.bySample(peer.told).get("s2")).hasSize(100);
    }

    @Test
    void withoutBatchingThereAreNoFrames() throws IOException {
        publisher.close(Duration.ZERO);
        publisher = new EventPublisher(
                List.of(Endpoint.parse("bind:ipc://" + directory.resolve("one"), true)),
                TransportOptions.defaults(),
                1);
        worker = publisher.worker(3, 7);
        ReadingPeer peer = connect(true);
        assertThat(publisher.awaitSubscribers(1, PATIENCE)).isTrue();
        start("s1").token(3);
        end(peer);
        assertThat(peer.topics)
                .containsExactly("sample.issued", "sample.recv_first", "sample.recv_non_first", "session.ended");
    }

    @Test
    void flushingAndOtherFramesSendTheChunksThatWait() throws IOException, InterruptedException {
        ReadingPeer peer = join(true);
        Sample sample = start("s1");
        sample.token(3);
        assertThat(publisher.flush(PATIENCE)).isTrue();
        until(() -> peer.framed == 1);
        sample.token(4);
        publisher.publishFrame(
                Topic.frame("session.ended", new EventEncoder().encode(of(EventType.SESSION_ENDED, "", 5))));
        until(() -> peer.told.size() == 5);
        assertThat(peer.told.get(3).nanos()).isEqualTo(4);
    }

    @Test
    void lostRecordsLeaveAGapInTheNumbers() throws IOException {
        ReadingPeer peer = join(true);
        start("s1").token(3);
        worker.skip(5);
        worker.publish(of(EventType.SAMPLE_COMPLETE, "s1", 4));
        end(peer);
        assertThat(peer.told.stream().map(Told::sequence)).containsExactly(0L, 1L, 7L, 8L, 9L);
    }

    @Test
    void wrongArgumentsAreNamed() {
        assertThatThrownBy(() -> worker.skip(-1)).hasMessageContaining("count -1");
        assertThatThrownBy(() -> publisher.worker(-1, 0)).hasMessageContaining("number -1");
        assertThatThrownBy(() -> publisher.worker(0, -2)).hasMessageContaining("life -2");
        assertThatThrownBy(() -> worker.sample("")).hasMessageContaining("id of a sample is empty");
        assertThatThrownBy(() -> worker.sample("s").token(1, null, 4097)).hasMessageContaining("tokens 4097");
        assertThatThrownBy(() -> worker.sample("s").token(1, null, -1)).hasMessageContaining("tokens -1");
    }
}
