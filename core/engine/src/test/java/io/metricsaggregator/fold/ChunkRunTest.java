package io.metricsaggregator.fold;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.MsgpackTree;
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
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

class ChunkRunTest {
    private static final long SECOND = 1_000_000_000L;

    private final Registry registry = new Registry(3, 30, new RawBudget(Long.MAX_VALUE));
    private final LoadgenFold fold = new LoadgenFold(
            registry,
            new RecordLedger(),
            new FoldOptions(Streaming.ON, 1000, 1 << 20, 1, null, TimeCut.NONE, true, TokenSource.USAGE));
    private final ChunkFrames frames = new ChunkFrames();

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
            assertThat(frames.bind(event)).isTrue();
            fold.apply(new DecodedEvent[] {event}, 1, receivedNanos);
        }
    }

    private void sample(int handle, String endpoint, long firstNanos) throws IOException {
        String id = "s" + handle;
        receive("sample.issued", SECOND, id, Map.of("labels", Map.of("endpoint", endpoint)), SECOND);
        receive("sample.recv_first", firstNanos, id, Map.of("handle", (long) handle), SECOND);
    }

    private void chunks(long nanos, long receivedNanos, int... handles) {
        ChunkFrameEncoder encoder = new ChunkFrameEncoder("client", 1);
        for (int handle : handles) {
            encoder.add(handle, nanos, null, null);
        }
        byte[] payload = encoder.take(100);
        assertThat(frames.open(ByteBuffer.wrap(payload), 0, payload.length)).isTrue();
        assertThat(new ChunkRun(fold).apply(frames, receivedNanos)).isZero();
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
}
