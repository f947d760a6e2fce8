package io.metricsaggregator.fold.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.fold.Events;
import io.metricsaggregator.registry.Seed;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RowsAheadTest {

    @Test
    void rowsThatComeAndGoWithinABlockAreFoundAsWithoutLookingAhead() {
        Random random = new Random(Seed.next(RowsAheadTest.class));
        InFlightTable table = new InFlightTable(1000, Long.MAX_VALUE, random.nextLong());
        RowsAhead rows = new RowsAhead(table);
        Map<String, Integer> model = new HashMap<>();
        for (int round = 0; round < 2000; round++) {
            // Ids of one, of two and of more longs; some blocks are larger than all before.
            int count = 1 + random.nextInt(round % 100 == 0 ? 64 + round : 64);
            String[] ids = new String[count];
            DecodedEvent[] events = new DecodedEvent[count];
            for (int i = 0; i < count; i++) {
                ids[i] = "id".repeat(1 + random.nextInt(12)) + random.nextInt(4);
                events[i] = Events.decoded(EventRecord.sample(EventType.SAMPLE_ISSUED, 1, ids[i]));
            }
            rows.look(events, count);
            for (int i = 0; i < count; i++) {
                rows.select(i);
                assertThat(rows.hash()).isEqualTo(table.hash(events[i]));
                int row = rows.find(events[i]);
                assertThat(row).as(ids[i]).isEqualTo(model.getOrDefault(ids[i], InFlightTable.NONE));
                if (row == InFlightTable.NONE) {
                    model.put(ids[i], table.insert(events[i], rows.hash()));
                } else if (random.nextBoolean()) {
                    table.remove(row, rows.hash());
                    model.remove(ids[i]);
                }
            }
        }
    }
}
