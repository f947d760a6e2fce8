package io.metricsaggregator.fold;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.parts.PartHeader;
import io.metricsaggregator.registry.RawBudget;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.Seed;
import io.metricsaggregator.snapshot.SessionState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a partition does with bytes that nobody wrote. */
class SamplePartitionTest {
    private static final FoldOptions OPTIONS = new FoldOptions(true, 1000, Long.MAX_VALUE, 1);
    private static final PartHeader HEADER =
            new PartHeader("run", null, null, SessionState.COMPLETE, Map.of(), "1", false);

    private final SamplePartition partition = new SamplePartition(OPTIONS, SamplePartitionTest::registry);

    private static Registry registry() {
        return new Registry(3, 30, new RawBudget(Long.MAX_VALUE));
    }

    /** The events of samples as the head of a run writes them. */
    private static List<byte[]> stamped(List<EventRecord> events) {
        List<byte[]> stamped = new ArrayList<>();
        LoadgenFold head = new LoadgenFold(registry(), new RecordLedger(), OPTIONS);
        StampBytes stamps = new StampBytes();
        head.sendSamplesTo((event, stamp) -> stamped.add(stamps.write(event, stamp)));
        for (EventRecord each : events) {
            head.apply(new DecodedEvent[] {Events.decoded(each)}, 1);
        }
        return stamped;
    }

    private static List<byte[]> sample(String id) {
        return stamped(List.of(
                EventRecord.session(EventType.SESSION_STARTED, 1),
                EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, 2),
                EventRecord.sample(EventType.SAMPLE_ISSUED, 10, id).withLabels(Map.of("host", "a")),
                EventRecord.sample(EventType.SAMPLE_RECV_FIRST, 20, id).withTokens(3),
                EventRecord.sample(EventType.SAMPLE_COMPLETE, 30, id)));
    }

    @Test
    void a_row_lives_as_bytes_from_issue_to_completion() {
        List<byte[]> events = sample("a");
        byte[] issued = partition.apply(null, events.get(0));
        byte[] received = partition.apply(issued, events.get(1));
        assertThat(issued).isNotNull();
        assertThat(received).isNotNull().hasSizeGreaterThan(issued.length);
        assertThat(partition.apply(received, events.get(2))).isNull();
    }

    @Test
    void a_row_of_another_sample_or_of_another_version_is_rejected_and_its_event_is_an_orphan() {
        byte[] row = partition.apply(null, sample("a").get(0));
        assertThat(row).isNotNull();
        assertThat(partition.apply(row, sample("b").get(2))).isNull();
        assertThat(partition.rowsRejected()).isEqualTo(1);
        row[0]++;
        assertThat(partition.apply(row, sample("a").get(2))).isNull();
        assertThat(partition.rowsRejected()).isEqualTo(2);
        assertThat(partition.apply(null, sample("a").get(2))).isNull();
        assertThat(partition.rowsRejected()).isEqualTo(2);
    }

    @Test
    void an_event_of_another_version_leaves_the_row_as_it_is() {
        byte[] row = partition.apply(null, sample("a").get(0));
        byte[] event = sample("a").get(2);
        event[0]++;
        assertThat(partition.apply(row, event)).isSameAs(row);
        assertThat(partition.eventsRejected()).isEqualTo(1);
    }

    @Test
    void any_altered_bytes_are_applied_or_counted_and_never_throw() {
        Random random = new Random(Seed.next(SamplePartitionTest.class));
        for (int round = 0; round < 60; round++) {
            List<EventRecord> soup = new EventSoup(random).events(80);
            soup.removeIf(each -> each == null);
            byte[] row = null;
            for (byte[] each : stamped(soup)) {
                row = altered(row, random);
                if (row != null && random.nextInt(20) == 0) {
                    partition.giveUp(row);
                }
                row = partition.apply(row, altered(each, random));
            }
            partition.flush(HEADER);
        }
        assertThat(partition.events()).isPositive();
        assertThat(partition.eventsRejected()).isPositive();
        assertThat(partition.rowsRejected()).isPositive();
    }

    private static byte[] altered(byte[] bytes, Random random) {
        if (bytes == null || random.nextInt(3) == 0) {
            return bytes;
        }
        byte[] copy = random.nextInt(10) == 0
                ? java.util.Arrays.copyOf(bytes, random.nextInt(bytes.length + 9))
                : bytes.clone();
        for (int i = random.nextInt(3); i > 0 && copy.length > 0; i--) {
            copy[random.nextInt(Math.min(copy.length, 90))] = (byte) random.nextInt();
        }
        return copy;
    }
}
