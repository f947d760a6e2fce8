package io.metricsaggregator.fold.row;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TimedChangesTest {
    private record Change(long nanos, int by) {}

    private static List<Change> content(TimedChanges changes) {
        List<Change> content = new ArrayList<>();
        for (int i = 0; i < changes.size(); i++) {
            content.add(new Change(changes.nanos(i), changes.by(i)));
        }
        return content;
    }

    @Test
    void changes_are_in_the_order_of_time_and_those_of_equal_times_in_that_of_arrival() {
        long seed = Long.getLong("test.seed", System.nanoTime());
        System.out.println("TimedChangesTest seed: -Dtest.seed=" + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            TimedChanges changes = new TimedChanges();
            List<Change> expected = new ArrayList<>();
            // From all alike to any of 64 bits; some streams go on with time, most hardly disordered.
            int bits = random.nextInt(65);
            long step = random.nextInt(3) == 0 ? 0 : 1L << random.nextInt(30);
            for (int i = 0; i < 2_000; i++) {
                long nanos = i * step + (bits == 0 ? 0 : random.nextLong() >> 64 - bits);
                changes.add(nanos, i);
                expected.add(new Change(nanos, i));
                if (random.nextInt(500) == 0) {
                    changes.sort();
                    expected.sort(Comparator.comparingLong(Change::nanos));
                    int gone = random.nextInt(expected.size());
                    changes.removeFirst(gone);
                    expected.subList(0, gone).clear();
                }
            }
            changes.sort();
            expected.sort(Comparator.comparingLong(Change::nanos));
            assertThat(content(changes)).isEqualTo(expected);
        }
    }
}
