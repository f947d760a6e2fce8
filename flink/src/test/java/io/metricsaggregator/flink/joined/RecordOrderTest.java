package io.metricsaggregator.flink.joined;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.event.EventType;
import io.metricsaggregator.flink.Journals;
import io.metricsaggregator.run.FrameCounts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The order of records of several nodes, and which of them are late. */
class RecordOrderTest {
    private static final long SECOND = 1_000_000_000L;
    private static final JoinTimes TIMES = new JoinTimes(5_000, 10_000, 0);
    private static final NodeMessage.Place PLACE = new NodeMessage.Place("run", "a", 2, 17, 1);

    private static PendingRecord record(String node, long nanos, EventType type, int partition, long offset) {
        return new PendingRecord(
                node, new NodeRecord(nanos, NodeRecord.rank(type), partition, offset, 5, 6, new byte[] {1, 2}));
    }

    @Test
    void records_are_ordered_by_time_then_kind_then_node_then_place_in_the_topic() {
        List<PendingRecord> expected = List.of(
                record("b", -1, EventType.SESSION_ENDED, 9, 9),
                record("b", 0, EventType.SESSION_STARTED, 1, 9),
                record("c", 0, EventType.SAMPLE_ISSUED, 0, 0),
                record("a", 0, EventType.SAMPLE_COMPLETE, 1, 7),
                record("b", 0, EventType.SAMPLE_COMPLETE, 0, 8),
                record("b", 0, EventType.SAMPLE_COMPLETE, 1, 3),
                record("b", 0, EventType.SAMPLE_COMPLETE, 1, 4),
                record("a", 0, EventType.SESSION_ENDED, 0, 0),
                record("a", 1, EventType.SAMPLE_ISSUED, 0, 0));
        long seed = System.nanoTime();
        List<PendingRecord> shuffled = new ArrayList<>(expected);
        Collections.shuffle(shuffled, new Random(seed));
        shuffled.sort(PendingRecord.ORDER);
        assertThat(shuffled).as("seed %d", seed).isEqualTo(expected);
    }

    @Test
    void a_waiting_record_is_the_same_after_a_restore_and_another_version_is_refused() throws IOException {
        PendingRecord record = record("näme", Long.MIN_VALUE, EventType.SAMPLE_ISSUED, 3, Long.MAX_VALUE);
        byte[] state = record.encode();
        assertThat(PendingRecord.decode(state)).usingRecursiveComparison().isEqualTo(record);
        state[0]++;
        assertThatThrownBy(() -> PendingRecord.decode(state))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("version 2");
    }

    @Test
    void a_record_is_late_if_it_is_behind_the_newest_of_its_partition_by_more_than_the_lateness() {
        assertThat(TIMES.isLate(5 * SECOND, 10 * SECOND)).isFalse();
        assertThat(TIMES.isLate(5 * SECOND - 1, 10 * SECOND)).isTrue();
        assertThat(TIMES.isLate(11 * SECOND, 10 * SECOND)).isFalse();
        assertThat(TIMES.isLate(Long.MIN_VALUE, Long.MIN_VALUE)).isFalse();
        assertThat(new JoinTimes(0, 1, 0).isLate(0, 1)).isTrue();
        assertThat(new JoinTimes(0, 1, 0).isLate(1, 1)).isFalse();
    }

    @Test
    void a_message_lets_its_partition_advance_to_its_newest_record_but_not_far_beyond_the_time_it_was_written() {
        ByteBuffer frame = Journals.frames(Journals.shape(1, 2, false)).get(0);
        long nanos = SplitRun.time(frame);
        byte[] bytes = SplitRun.shifted(frame, 0);
        NodeMessageReader reader = new NodeMessageReader(TIMES);
        NodeMessage honest = reader.read(PLACE, 0L, 7 * SECOND, nanos + 8 * SECOND, bytes);
        assertThat(honest.newestNanos()).isEqualTo(nanos + 7 * SECOND);
        assertThat(honest.records()).hasSize(1);
        assertThat(honest.records().get(0).nanos()).isEqualTo(nanos + 7 * SECOND);
        assertThat(honest.records().get(0).shiftNanos()).isEqualTo(7 * SECOND);
        assertThat(reader.read(PLACE, 0L, 3_600 * SECOND, nanos, bytes).newestNanos())
                .isEqualTo(nanos + 5 * SECOND);
        assertThat(reader.read(PLACE, 0L, Long.MAX_VALUE, -1, bytes).newestNanos())
                .isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void frames_without_records_are_counted_and_let_nothing_advance() {
        NodeMessage empty = new NodeMessageReader(TIMES).read(PLACE, 1L, 0, -1, new byte[40]);
        assertThat(empty.frames()).isEqualTo(new FrameCounts(1, 1, 40, 0, 0, 0));
        assertThat(empty.records()).isEmpty();
        assertThat(empty.newestNanos()).isEqualTo(Long.MIN_VALUE);
    }
}
