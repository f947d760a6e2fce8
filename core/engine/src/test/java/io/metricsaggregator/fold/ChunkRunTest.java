package io.metricsaggregator.fold;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.event.ChunkPart;
import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.frame.ChunkFrameEncoder;
import io.metricsaggregator.event.frame.ChunkFrames;
import io.metricsaggregator.fold.row.TimeCut;
import io.metricsaggregator.fold.series.FoldOptions;
import io.metricsaggregator.fold.series.Streaming;
import io.metricsaggregator.fold.series.TokenSource;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.raw.RawBudget;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import io.metricsaggregator.snapshot.figures.Progress;
import io.metricsaggregator.snapshot.figures.Slices;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

class ChunkRunTest {
    private static final long SECOND = 1_000_000_000L;

    private final Registry registry = new Registry(3, 30, new RawBudget(Long.MAX_VALUE));
    private final RecordLedger ledger = new RecordLedger();
    private final LoadgenFold fold = new LoadgenFold(
            registry,
            ledger,
            new FoldOptions(Streaming.ON, 1000, 1 << 20, 1, null, TimeCut.NONE, false, TokenSource.USAGE)
                    .withTargets(20 * SECOND, Map.of()));
    private final ChunkFrames frames = new ChunkFrames();
    private final ChunkRun run = new ChunkRun(fold, frames);

    private void receive(String type, long nanos, String sample, Map<String, Object> more, long receivedNanos)
            throws IOException {
        Map<String, Object> record = new LinkedHashMap<>(Map.of("event_type", type, "timestamp_ns", nanos));
        record.put("sample_uuid", sample);
        record.put("source_id", "client");
        record.put("life", 1L);
        record.putAll(more);
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            MsgpackTree.write(record, packer);
            DecodedEvent event = Events.decoded(packer.toByteArray());
            assertThat(run.bind(event)).isTrue();
            fold.apply(new DecodedEvent[] {event}, 1, receivedNanos);
        }
    }

    private void sample(int handle, String endpoint, long firstNanos) throws IOException {
        String id = "s" + handle;
        receive("sample.issued", SECOND, id, Map.of("labels", Map.of("endpoint", endpoint)), SECOND);
        receive("sample.recv_first", firstNanos, id, Map.of("handle", (long) handle), SECOND);
    }

    private void chunks(long nanos, long receivedNanos, int... handles) {
        chunks("client", nanos, receivedNanos, handles);
    }

    private void chunks(String source, long nanos, long receivedNanos, int... handles) {
        ChunkFrameEncoder encoder = new ChunkFrameEncoder(source, 1);
        for (int handle : handles) {
            encoder.add(handle, nanos, null, null);
        }
        apply(encoder, receivedNanos);
    }

    private void apply(ChunkFrameEncoder encoder, long receivedNanos) {
        byte[] payload = encoder.take(100);
        assertThat(frames.open(ByteBuffer.wrap(payload), 0, payload.length)).isTrue();
        assertThat(run.apply(receivedNanos)).isZero();
    }

    private void start() throws IOException {
        receive("session.started", SECOND, "", Map.of(), SECOND);
        receive("session.start_performance_tracking", SECOND, "", Map.of(), SECOND);
    }

    private Metric metric(String name) {
        return registry.renderExact(registry.newCopy(), false, () -> false).stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void each_value_of_a_label_that_has_a_chunk_in_a_frame_has_an_answer() throws IOException {
        start();
        sample(1, "a", SECOND);
        sample(2, "a", SECOND);
        sample(3, "b", SECOND);
        sample(4, "c", SECOND);
        chunks(SECOND + 5, 9 * SECOND, 1, 2, 1, 3, 1);
        LabelBreakdown labels = fold.optional().labels();
        assertThat(labels).isNotNull();
        assertThat(labels.keys().get(0).values())
                .extracting(each -> each.value() + " " + each.progress().idleNanos() / SECOND)
                .contains("a 0", "b 0", "c 8");
    }

    @Test
    void each_worker_whose_sample_has_a_chunk_in_a_frame_has_an_answer() throws IOException {
        receive("session.started", SECOND, "", Map.of(), SECOND);
        receive("sample.issued", SECOND, "s4", Map.of(), SECOND);
        receive("sample.recv_first", SECOND, "s4", Map.of("handle", 4L), SECOND);
        receive("session.start_performance_tracking", SECOND, "", Map.of(), SECOND);
        for (int handle = 1; handle <= 3; handle++) {
            String id = "s" + handle;
            receive("sample.issued", SECOND, id, Map.of("source_id", "node-" + handle), SECOND);
            receive("sample.recv_first", SECOND, id, Map.of("handle", (long) handle), SECOND);
        }
        assertThat(idleSeconds()).containsExactly("node-1 0", "node-2 0", "node-3 0");
        // The first chunk of a frame is an event; those behind it are a block.
        chunks(SECOND + 5, 9 * SECOND, 1, 1, 2, 1);
        assertThat(idleSeconds()).containsExactly("node-1 0", "node-2 0", "node-3 8");
        chunks(SECOND + 6, 10 * SECOND, 4, 4, 4);
        assertThat(idleSeconds()).containsExactly("node-1 1", "node-2 1", "node-3 9");
        chunks(SECOND + 7, 11 * SECOND, 3, 3, 3);
        assertThat(idleSeconds()).containsExactly("node-1 2", "node-2 2", "node-3 0");
    }

    /** For how long each worker whose samples are tracked has had no answer. */
    private List<String> idleSeconds() {
        LabelBreakdown labels = fold.optional().labels();
        assertThat(labels).isNotNull();
        return labels.keys().get(0).values().stream()
                .map(each -> each.value() + " " + each.progress().idleNanos() / SECOND)
                .toList();
    }

    @Test
    void a_gap_beyond_64_bits_is_counted_and_the_others_of_its_frame_are_recorded() throws IOException {
        start();
        sample(1, "a", SECOND);
        sample(2, "a", Long.MIN_VALUE + SECOND);
        sample(3, "a", SECOND);
        chunks(SECOND + 7, 2 * SECOND, 1, 1, 2, 3, 3);
        assertThat(metric("durations_overflowed")).extracting("value").isEqualTo(1L);
        assertThat(((SeriesMetric) metric("chunk_delta_ns")).total()).isEqualTo(14L);
        assertThat(((SeriesMetric) metric("chunk_delta_ns")).count()).isEqualTo(4);
    }

    private long counter(String name) {
        return ((CounterMetric) metric(name)).value();
    }

    @Test
    void a_handle_does_not_follow_a_row_to_the_next_sample() throws IOException {
        start();
        sample(1, "a", SECOND);
        chunks(SECOND + 5, SECOND, 1, 1, 1);
        receive("sample.complete", SECOND + 6, "s1", Map.of(), SECOND);
        // Takes the row that was the first sample's.
        sample(2, "a", SECOND);
        chunks(SECOND + 7, SECOND, 2, 1, 1);
        assertThat(counter("events_orphan")).isEqualTo(2);
        assertThat(((SeriesMetric) metric("chunk_delta_ns")).count()).isEqualTo(4);
        receive("sample.issued", 2 * SECOND, "s1", Map.of(), SECOND);
        chunks(2 * SECOND + 7, SECOND, 1, 1, 1);
        assertThat(counter("events_orphan")).isEqualTo(2);
        assertThat(((SeriesMetric) metric("chunk_delta_ns")).count()).isEqualTo(6);
    }

    @Test
    void a_handle_that_is_given_again_while_its_sample_is_in_flight_changes_nothing_of_that_sample()
            throws IOException {
        start();
        sample(1, "a", SECOND);
        chunks(SECOND + 5, SECOND, 1, 1, 1);
        receive("sample.issued", SECOND, "s2", Map.of(), SECOND);
        receive("sample.recv_first", SECOND + 100, "s2", Map.of("handle", 1L), SECOND);
        chunks(SECOND + 107, SECOND, 1, 1);
        assertThat(((SeriesMetric) metric("chunk_delta_ns")).total()).isEqualTo(5L + 7);
        receive("sample.recv_non_first", SECOND + 8, "s1", Map.of(), SECOND);
        assertThat(((SeriesMetric) metric("chunk_delta_ns")).total()).isEqualTo(5L + 7 + 3);
    }

    @Test
    void a_chunk_may_come_at_time_0() throws IOException {
        receive("session.started", -SECOND, "", Map.of(), SECOND);
        receive("session.start_performance_tracking", -SECOND, "", Map.of(), SECOND);
        receive("sample.issued", -SECOND, "s1", Map.of(), SECOND);
        receive("sample.recv_first", 2, "s1", Map.of("handle", 1L), SECOND);
        for (long time : new long[] {5, 0, 0, 7, -3, 9}) {
            chunks(time, SECOND, 1, 1);
        }
        assertThat(((SeriesMetric) metric("chunk_delta_ns")).total()).isEqualTo(7L);
        assertThat(((SeriesMetric) metric("chunk_delta_ns")).count()).isEqualTo(12);
    }

    @Test
    void chunks_count_for_the_worker_that_sent_their_frame() throws IOException {
        start();
        sample(1, "a", SECOND);
        receive("sample.issued", SECOND, "s2", Map.of("source_id", "other"), SECOND);
        receive("sample.recv_first", SECOND, "s2", Map.of("source_id", "other", "handle", 1L), SECOND);
        for (int round = 0; round < 3; round++) {
            chunks("client", SECOND + 5, SECOND, 1, 1);
            chunks("other", SECOND + 5, SECOND, 1, 1, 1);
        }
        assertThat(ledger.workers())
                .extracting(each -> each.worker() + " " + each.records())
                .containsExactly("client " + (2 + 2 + 6), "other " + (2 + 9));
    }

    @Test
    void chunks_of_a_frame_count_in_their_slices_whatever_their_order() throws IOException {
        start();
        sample(1, "a", SECOND);
        ChunkFrameEncoder encoder = new ChunkFrameEncoder("client", 1);
        encoder.from(SECOND);
        for (int i = 0; i < 300; i++) {
            encoder.add(1, SECOND + i % 3 * SECOND + i, null, null);
        }
        apply(encoder, SECOND);
        Slices slices = fold.slices();
        assertThat(slices.columns().get(0).name()).isEqualTo("records");
        // The three records behind that of the start count with the first.
        assertThat(slices.columns().get(0).values()).containsExactly(103, 100, 100);
        assertThat(fold.newestNanos()).isEqualTo(3 * SECOND + 299);
        // Now that all slices are there, the first chunk makes the first one current.
        encoder.from(SECOND);
        for (int i = 0; i < 300; i++) {
            encoder.add(1, SECOND + i % 3 * SECOND + i, null, null);
        }
        apply(encoder, SECOND);
        assertThat(fold.slices().columns().get(0).values()).containsExactly(203, 200, 200);
        encoder.from(0);
        for (int i = 0; i < 300; i++) {
            encoder.add(1, i % 3 == 2 ? 2 * SECOND : i % 3 == 1 ? SECOND - 1 : 3 * SECOND, null, null);
        }
        apply(encoder, SECOND);
        assertThat(fold.slices().outside()).as("before the first slice").isEqualTo(100);
        assertThat(fold.slices().columns().get(0).values()).containsExactly(203, 300, 300);
    }

    @Test
    void chunks_behind_one_of_the_current_slice_count_in_their_own() throws IOException {
        start();
        sample(1, "a", SECOND);
        chunks(3 * SECOND, SECOND, 1);
        // Makes the first slice the current one.
        chunks(SECOND, SECOND, 1);
        ChunkFrameEncoder encoder = new ChunkFrameEncoder("client", 1);
        encoder.from(SECOND);
        for (long time : new long[] {SECOND, 3 * SECOND, SECOND, 2 * SECOND - 1, 2 * SECOND}) {
            encoder.add(1, time, null, null);
        }
        apply(encoder, SECOND);
        assertThat(fold.slices().columns().get(0).values()).containsExactly(3 + 1 + 3, 1, 2);
    }

    @Test
    void the_newest_chunk_of_a_long_frame_may_be_its_first() throws IOException {
        start();
        sample(1, "a", SECOND);
        ChunkFrameEncoder encoder = new ChunkFrameEncoder("client", 1);
        encoder.from(SECOND);
        for (int i = 0; i < 3 * ChunkFrames.AHEAD_MAX; i++) {
            encoder.add(1, i == 0 ? SECOND + 9 : SECOND + i % 5, null, null);
        }
        apply(encoder, SECOND);
        assertThat(fold.newestNanos()).isEqualTo(SECOND + 9);
    }

    @Test
    void chunks_behind_the_end_of_the_session_are_late() throws IOException {
        start();
        sample(1, "a", SECOND);
        receive("session.ended", 2 * SECOND, "", Map.of(), SECOND);
        chunks(SECOND + 1, SECOND, 1, 1, 1);
        assertThat(ledger.eventsLate.value()).isEqualTo(3);
    }

    @Test
    void tokens_of_tracked_samples_share_the_gaps_of_these_alone() throws IOException {
        receive("session.started", SECOND, "", Map.of(), SECOND);
        sample(1, "a", SECOND);
        receive("session.start_performance_tracking", SECOND, "", Map.of(), SECOND);
        sample(2, "a", SECOND);
        sample(3, "a", SECOND);
        // From now on the chunks of all three are taken together.
        chunks(SECOND, SECOND, 1, 2, 3);
        ChunkFrameEncoder encoder = new ChunkFrameEncoder("client", 1);
        encoder.add(1, SECOND + 1, 1, null);
        encoder.add(2, SECOND + 20, 2, null);
        encoder.add(1, SECOND + 300, 3, null);
        encoder.add(3, SECOND + 4000, 4, null);
        encoder.add(2, SECOND + 60, null, ChunkPart.OUTPUT);
        apply(encoder, SECOND);
        SeriesMetric even = (SeriesMetric) metric("itl_even_ns");
        assertThat(even.count()).isEqualTo(2 + 4);
        assertThat(even.total().doubleValue()).isEqualTo(20.0 + 4000);
        assertThat(((SeriesMetric) metric("chunk_delta_ns")).total()).isEqualTo(20L + 4000 + 40);
        assertThat(((SeriesMetric) metric("ttfo_ns")).total()).isEqualTo(60L);
    }

    @Test
    void a_wait_begins_at_the_last_chunk_of_a_frame_however_many_it_has() throws IOException {
        start();
        sample(1, "a", SECOND);
        for (int count = 1; count <= Progress.STALLS_MAX; count++) {
            long receivedNanos = 100 * count * SECOND;
            ChunkFrameEncoder encoder = new ChunkFrameEncoder("client", 1);
            for (int i = 1; i <= count; i++) {
                encoder.add(1, SECOND + 1000 * count + i, null, null);
            }
            apply(encoder, receivedNanos);
        }
        Progress progress = fold.optional().progress();
        assertThat(progress).isNotNull();
        // The first one listed is the wait for the frame of one chunk, since the first record.
        assertThat(progress.stalls().subList(1, Progress.STALLS_MAX))
                .extracting(each -> each.fromEventNanos() - SECOND)
                .containsExactlyElementsOf(LongStream.range(1, Progress.STALLS_MAX)
                        .mapToObj(count -> 1001 * count)
                        .toList());
    }
}
