package io.metricsaggregator.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WorkerTableTest {
    private static final String LONG_NAME = "llm-bench-worker-7d9f8b6c5-x2x9k:4711:9f3c2a1b";
    private static final List<String> SENDERS = List.of("", "a", "b", LONG_NAME, LONG_NAME + "c", "7", "8");

    @Test
    void each_record_counts_for_its_sender_in_whatever_order_and_by_whichever_decoder_it_comes() {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        EventEncoder encoder = new EventEncoder();
        List<EventDecoder> decoders = List.of(new EventDecoder(), new EventDecoder());
        DecodedEvent event = new DecodedEvent();
        WorkerTable table = new WorkerTable();
        Map<String, Long> expected = new LinkedHashMap<>();
        expected.put("", 0L);
        String sender = "";
        for (int i = 0; i < 20_000; i++) {
            sender = random.nextInt(3) == 0 ? SENDERS.get(random.nextInt(SENDERS.size())) : sender;
            EventRecord record = EventRecord.sample(EventType.SAMPLE_RECV_FIRST, 1L << 50, "0".repeat(32));
            long number = expected.merge(sender, 1L, Long::sum) - 1;
            byte[] bytes;
            if (sender.isEmpty()) {
                // Neither has a name: one of them an empty one.
                bytes = encoder.encodePresent(record, random.nextBoolean() ? "" : null, null);
            } else if (Character.isDigit(sender.charAt(0))) {
                bytes = encoder.encode(record.from(Long.parseLong(sender), number));
            } else {
                // The name counts, not the number beside it.
                bytes = encoder.encodePresent(record.from(7, number).inLife(1L << 60), sender, null);
            }
            decoders.get(random.nextInt(2)).decode(ByteBuffer.wrap(bytes), 0, bytes.length, event);
            assertThat(table.received(event).worker()).isEqualTo(sender);
        }
        assertThat(table.rows()).allSatisfy(row -> {
            assertThat(row.records()).as(row.worker()).isEqualTo(expected.get(row.worker()));
            assertThat(row.sequenceLost() + row.sequenceRepeated() + row.sequenceRestarts())
                    .as(row.worker())
                    .isZero();
        });
        assertThat(table.rows()).hasSameSizeAs(SENDERS);
    }
}
