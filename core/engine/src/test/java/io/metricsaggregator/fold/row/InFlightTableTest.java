package io.metricsaggregator.fold.row;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.fold.Events;
import io.metricsaggregator.registry.Seed;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class InFlightTableTest {

    private static DecodedEvent event(String id) {
        return Events.decoded(EventRecord.sample(EventType.SAMPLE_ISSUED, 1, id));
    }

    private static String id(Random random, int number) {
        return switch (number % 4) {
            case 0 -> String.format("%032x", number * 0x9e3779b97f4a7c15L);
            case 1 -> "short " + number;
            case 2 -> "a longer id that two longs cannot hold, number " + number;
            default -> new java.util.UUID(number, random.nextInt(1) + 7).toString();
        };
    }

    @Test
    void itBehavesLikeALinkedHashMap() {
        Random random = new Random(Seed.next(InFlightTableTest.class));
        InFlightTable table = new InFlightTable(1_000_000, Long.MAX_VALUE, random.nextLong());
        Map<String, Long> model = new LinkedHashMap<>();
        int guess = InFlightTable.NONE;
        for (int step = 0; step < 200_000; step++) {
            String id = id(random, random.nextInt(step < 100_000 ? 20_000 : 300));
            DecodedEvent event = event(id);
            int hash = table.hash(event);
            // A guess of any earlier time, right or wrong, leads to the same row.
            int row = table.find(event, hash, guess);
            assertThat(row).isEqualTo(table.find(event, hash));
            guess = table.guess(table.hash(event(id(random, random.nextInt(300)))));
            assertThat(row != InFlightTable.NONE).isEqualTo(model.containsKey(id));
            if (row == InFlightTable.NONE) {
                row = table.insert(event, hash);
                table.issued(row, step);
                assertThat(table.isTracked(row) || table.hasFirstReceived(row) || table.hasFailed(row))
                        .isFalse();
                table.track(row, step % 1000, step % 60);
                model.put(id, (long) step);
            } else {
                assertThat(table.issued(row)).isEqualTo(model.get(id));
                assertThat(table.window(row)).isEqualTo((int) (model.get(id) % 1000));
                assertThat(table.worker(row)).isEqualTo((int) (model.get(id) % 60));
                if (random.nextInt(3) > 0) {
                    table.remove(row, hash);
                    model.remove(id);
                }
            }
            assertThat(table.size()).isEqualTo(model.size());
            if (!model.isEmpty()) {
                assertThat(table.issued(table.oldest()))
                        .isEqualTo(model.values().iterator().next());
            }
        }
        while (!model.isEmpty()) {
            String first = model.keySet().iterator().next();
            table.removeOldest();
            model.remove(first);
            assertThat(table.find(event(first), table.hash(event(first)))).isEqualTo(InFlightTable.NONE);
        }
        assertThat(table.oldest()).isEqualTo(InFlightTable.NONE);
    }

    @Test
    void idsWithTheSameHashAreDistinguished() {
        // Ids of 16 bytes and more are found by a hash; only their text distinguishes two ids with the same hash.
        InFlightTable table = new InFlightTable(1000, Long.MAX_VALUE, 1);
        DecodedEvent a = event("an id of more than 15 bytes");
        DecodedEvent b = event("an id of more than 15 bytes.");
        int row = table.insert(a, 77);
        assertThat(table.find(b, 77)).isEqualTo(InFlightTable.NONE);
        int other = table.insert(b, 77);
        assertThat(table.find(a, 77)).isEqualTo(row);
        assertThat(table.find(b, 77)).isEqualTo(other);
        table.remove(row, 77);
        assertThat(table.find(b, 77)).isEqualTo(other);
    }

    @Test
    void itsCapacityIsLimitedByRowsAndByBytesOfLongIds() {
        InFlightTable table = new InFlightTable(3, 100, 1);
        for (int i = 0; i < 3; i++) {
            assertThat(table.isFull()).isFalse();
            DecodedEvent event = event("s" + i);
            table.insert(event, table.hash(event));
        }
        assertThat(table.isFull()).isTrue();
        table.removeOldest();
        assertThat(table.isFull()).isFalse();
        DecodedEvent large = event("x".repeat(200));
        table.insert(large, table.hash(large));
        table.removeOldest();
        assertThat(table.isFull()).isTrue();
        table.remove(table.find(large, table.hash(large)), table.hash(large));
        assertThat(table.isFull()).isFalse();
    }

    @Test
    void addingAndRemovingSamplesAllocatesNothing() {
        InFlightTable table = new InFlightTable(100_000, Long.MAX_VALUE, 1);
        List<DecodedEvent> events = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            events.add(event(String.format("%032x", i * 0x9e3779b97f4a7c15L)));
        }
        addAndRemove(table, events);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int round = 0; round < 20; round++) {
            addAndRemove(table, events);
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(10_000);
    }

    private static void addAndRemove(InFlightTable table, List<DecodedEvent> events) {
        for (int i = 0; i < events.size(); i++) {
            table.insert(events.get(i), table.hash(events.get(i)));
        }
        for (int i = 0; i < events.size(); i++) {
            int hash = table.hash(events.get(i));
            table.remove(table.find(events.get(i), hash), hash);
        }
    }
}
