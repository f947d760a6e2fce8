package io.metricsaggregator.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.fold.LoadgenFold;
import io.metricsaggregator.fold.series.FoldOptions;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.storage.ValueStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

class SessionChangeTest {
    private final EventEncoder encoder = new EventEncoder();
    private final RecordLedger ledger = new RecordLedger();
    private final LoadgenFold fold = new LoadgenFold(
            new Registry(3, 30, new ValueStorage(1 << 20, null)), ledger, new FoldOptions(false, 10, 1 << 20, 1));
    private final SessionChange change = new SessionChange(fold);

    private boolean isIn(String topic, byte[] payload) {
        byte[] frame = Topic.frame(topic, payload);
        return change.isIn(ByteBuffer.wrap(frame), 0, frame.length);
    }

    private void start(long at) {
        byte[] frame =
                Topic.frame("session.started", encoder.encode(EventRecord.session(EventType.SESSION_STARTED, at)));
        Ingest ingest = new Ingest(new FrameApplier(ledger, fold), () -> 0);
        ingest.onFrame(ByteBuffer.wrap(frame), 0, frame.length);
        ingest.onBurstEnd();
    }

    private byte[] session(EventType type, long at) {
        return encoder.encode(EventRecord.session(type, at));
    }

    @Test
    void before_a_session_has_started_no_start_is_another_session() {
        assertThat(isIn("session.started", session(EventType.SESSION_STARTED, 7)))
                .isFalse();
    }

    @Test
    void a_start_at_another_time_is_another_session_and_a_repeated_start_is_not() {
        start(5);
        assertThat(isIn("session.started", session(EventType.SESSION_STARTED, 5)))
                .isFalse();
        assertThat(isIn("session.started", session(EventType.SESSION_STARTED, 7)))
                .isTrue();
    }

    @Test
    void the_start_is_found_at_any_position_in_a_batch() {
        start(5);
        List<byte[]> records = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            records.add(encoder.encode(EventRecord.sample(EventType.SAMPLE_COMPLETE, i, "s" + i)));
        }
        for (EventType type : EventType.values()) {
            if (type != EventType.SESSION_STARTED) {
                records.add(session(type, 9));
            }
        }
        assertThat(isIn("batch", encoder.encodeBatch(records))).isFalse();
        for (int place : new int[] {0, 4500, records.size()}) {
            List<byte[]> with = new ArrayList<>(records);
            with.add(place, session(EventType.SESSION_STARTED, 7));
            assertThat(isIn("batch", encoder.encodeBatch(with))).as("%d", place).isTrue();
        }
    }

    @Test
    void the_start_is_found_in_any_record_layout_and_no_other_record_matches() throws IOException {
        start(5);
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            packer.packMapHeader(2).packString("timestamp_ns").packLong(7);
            packer.packString("event_type").packString("session.started");
            byte[] record = packer.toByteArray();
            assertThat(isIn("anything", record)).isTrue();
            for (int length = 0; length < record.length; length++) {
                assertThat(isIn("anything", Arrays.copyOf(record, length))).isFalse();
            }
        }
        assertThat(isIn("batch", new byte[] {1, 2, 3})).isFalse();
    }
}
