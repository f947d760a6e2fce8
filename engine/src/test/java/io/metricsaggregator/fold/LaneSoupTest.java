package io.metricsaggregator.fold;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.registry.Seed;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Any events, folded in lanes that lag behind the head by any number of batches, give the snapshot of one fold but for waits by label, and
 * for the age of the oldest sample where times jump back: that is the greatest age.
 */
class LaneSoupTest {
    private static final int SOUPS = 40;
    private static final String EXCEPT =
            "/in_flight/oldest_age_ns|.*/by_label/.*/(endpoint_stalls|idle_ns|longest_idle_ns|stalled_ns|state)|/metrics/order";

    @Test
    void lanes_give_what_one_fold_gives() throws IOException {
        Random random = new Random(Seed.next(LaneSoupTest.class));
        for (int soup = 0; soup < SOUPS; soup++) {
            EventSoup made = new EventSoup(random);
            List<EventRecord> events = made.events(random.nextInt(1500));
            FoldOptions options = PartitionSoupTest.options(random);
            PartitionedRun whole = PartitionedRun.whole(options);
            PartitionedRun lanes = PartitionedRun.lanes(options, 1 + random.nextInt(16), random);
            whole.apply(events);
            lanes.apply(events);
            String except = EXCEPT
                    + (PartitionSoupTest.firstIsTracked(events, options) ? "" : PartitionSoupTest.SINCE_OPTIONAL_KEYS);
            assertThat(PartitionSoupTest.differences(whole.leaves(), lanes.leaves(), except))
                    .as("soup %d", soup)
                    .isEmpty();
        }
    }
}
