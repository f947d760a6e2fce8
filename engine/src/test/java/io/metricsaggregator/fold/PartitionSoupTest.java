package io.metricsaggregator.fold;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.registry.Seed;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Any events, folded by the daemon and by a head with partitions, give the same snapshot but for what needs an order between samples. */
class PartitionSoupTest {
    private static final int SOUPS = 25;
    /** What a run in partitions does not have, or has as of the ends of slices. */
    private static final String EXCEPT = "/run/recomputed.*|/in_flight/peak|.*/in_flight(_max)?/.*|/progress/.*"
            + "|/usage/mismatch/.*|/by_label/.*/(endpoint_stalls|idle_ns|longest_idle_ns|stalled_ns|state)"
            + "|/metrics/order";
    /** What depends on the order of the samples of a conversation. */
    private static final String OF_CONVERSATIONS =
            "|/conversations/.*|/metrics/(.*_turn_ns|think_time_ns|conversation.*|turns_.*|values_clamped)(/.*)?";
    /** What begins with the first optional key of a tracked sample in the daemon, and of any sample in partitions. */
    static final String SINCE_OPTIONAL_KEYS =
            "|/metrics/(ttfo_.*|answers_missing|itl_request_ns|latency_per_token_ns|values_clamped)(/.*)?";

    /** What changes when a sample is given up. */
    private static final String OF_SAMPLES_GIVEN_UP =
            "|/in_flight/.*|/by_label/.*/in_flight|/metrics/inflight_evicted/value";

    @Test
    void a_head_and_partitions_give_what_the_daemon_gives() throws IOException {
        Random random = new Random(Seed.next(PartitionSoupTest.class));
        for (int soup = 0; soup < SOUPS; soup++) {
            EventSoup made = new EventSoup(random);
            List<EventRecord> events = made.events(random.nextInt(1500));
            FoldOptions options = options(random);
            PartitionedRun whole = PartitionedRun.whole(options);
            PartitionedRun parts = PartitionedRun.partitioned(options, 1 + random.nextInt(16), random);
            whole.apply(events);
            parts.apply(events);
            String except = EXCEPT
                    + (firstIsTracked(events, options) ? "" : SINCE_OPTIONAL_KEYS)
                    + (made.hasConversations() ? OF_CONVERSATIONS : "");
            assertThat(differences(whole.leaves(), parts.leaves(), except))
                    .as("soup %d", soup)
                    .isEmpty();
            parts.partitions().forEach(each -> {
                assertThat(each.eventsRejected()).isZero();
                assertThat(each.rowsRejected()).isZero();
            });
        }
    }

    @Test
    void samples_that_are_given_up_leave_those_in_flight_and_are_counted_as_evicted() throws IOException {
        Random random = new Random(Seed.next(PartitionSoupTest.class));
        long givenUp = 0;
        for (int soup = 0; soup < SOUPS; soup++) {
            List<EventRecord> events = new EventSoup(random).events(random.nextInt(1500));
            FoldOptions options = options(random);
            PartitionedRun kept = PartitionedRun.partitioned(options, 3, random);
            PartitionedRun parts = PartitionedRun.partitioned(options, 3, random);
            kept.apply(events);
            parts.apply(events);
            parts.giveUpAll();
            Map<String, Object> before = kept.leaves();
            Map<String, Object> after = parts.leaves();
            long inFlight = Long.parseLong((String) before.get("/in_flight/count"));
            givenUp += inFlight;
            assertThat(after)
                    .as("soup %d", soup)
                    .containsEntry("/metrics/inflight_evicted/value", Long.toString(inFlight))
                    .containsEntry("/in_flight/count", "0")
                    .containsEntry("/in_flight/tracked", "0")
                    .containsEntry("/in_flight/failed", "0");
            assertThat(after.entrySet())
                    .filteredOn(each -> each.getKey().matches("/by_label/.*/in_flight"))
                    .allMatch(each -> each.getValue().equals("0"));
            assertThat(differences(before, after, EXCEPT + OF_SAMPLES_GIVEN_UP))
                    .as("soup %d", soup)
                    .isEmpty();
            parts.partitions().forEach(each -> assertThat(each.rowsRejected()).isZero());
        }
        assertThat(givenUp).isPositive();
    }

    static FoldOptions options(Random random) {
        return new FoldOptions(
                Streaming.values()[random.nextInt(3)],
                1_000_000,
                Long.MAX_VALUE,
                random.nextLong(),
                random.nextBoolean() ? null : new Slo(100_000_000, 20_000_000, 900_000_000, 0.9),
                switch (random.nextInt(3)) {
                    case 0 -> new TimeCut(500_000_000, 0, Long.MAX_VALUE);
                    case 1 -> new TimeCut(0, 1_000_000_000, 30_000_000_000L);
                    default -> TimeCut.NONE;
                },
                random.nextInt(4) == 0,
                random.nextBoolean() ? TokenSource.TOKENIZER : TokenSource.USAGE);
    }

    static boolean firstIsTracked(List<EventRecord> events, FoldOptions options) {
        return events.size() > 4
                && events.get(2) != null
                && events.get(2).sampleUuid().equals("first")
                && options.cut().equals(TimeCut.NONE);
    }

    /** Leaves that differ, each with both values. */
    static List<String> differences(Map<String, Object> whole, Map<String, Object> parts, String except) {
        Set<String> paths = new TreeSet<>(whole.keySet());
        paths.addAll(parts.keySet());
        return paths.stream()
                .filter(each -> !each.matches(except) && !Objects.equals(whole.get(each), parts.get(each)))
                .map(each -> each + ": " + whole.get(each) + " / " + parts.get(each))
                .toList();
    }
}
