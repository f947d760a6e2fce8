package io.metricsaggregator.observe;

import static io.metricsaggregator.observe.Golden.fields;
import static io.metricsaggregator.observe.Golden.observation;
import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.snapshot.Additions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which scrapes are rejected because of their time. */
class ScrapeClockTest {
    private static final long SECOND = 1_000_000_000L;

    private static Map<String, Object> scrape(String instance, double seconds) {
        return fields(
                "event_type",
                "scrape.samples",
                "timestamp_ns",
                Math.round(seconds * SECOND),
                "source_id",
                "t",
                "job",
                "j",
                "instance",
                instance,
                "samples",
                List.of(List.of("g", Map.of("model", "m"), "gauge", 1L)));
    }

    @Test
    void oneWrongClockIsRejectedAndTheOthersGoOn() {
        Observations observations = new Observations();
        for (int i = 0; i < 20; i++) {
            double now = 1_700_000_000 + 5 * i;
            assertThat(observations.apply(observation(scrape("a", now)))).isTrue();
            assertThat(observations.apply(observation(scrape("b", now + 1)))).isTrue();
            // Two hours ahead, as a wrong time zone would have it.
            assertThat(observations.apply(observation(scrape("zone", now + 7200))))
                    .isFalse();
        }
        assertThat(observations.rejected()).containsExactly(new Additions.MalformedRow("scrape.clock_off", 20));
    }

    @Test
    void theFirstClockIsWrongIfTheOthersAgreeOnAnother() {
        Observations observations = new Observations();
        assertThat(observations.apply(observation(scrape("wrong", 4_000_000_000L))))
                .isTrue();
        int taken = 0;
        for (int i = 0; i < 20; i++) {
            taken += observations.apply(observation(scrape("a", 1_700_000_000 + 5 * i))) ? 1 : 0;
            taken += observations.apply(observation(scrape("b", 1_700_000_001 + 5 * i))) ? 1 : 0;
        }
        assertThat(taken).isGreaterThan(35);
        Map<?, ?> table = (Map<?, ?>) ((Map<?, ?>) observations.freeze(0, true).get("scrape")).get("table");
        assertThat((Long) table.get("start_ns")).isBetween(1_699_999_000L * SECOND, 1_700_000_100L * SECOND);
    }

    @Test
    void afterAnHourInWhichNothingCameTheTargetsAreTakenAgain() {
        Observations observations = new Observations();
        for (int i = 0; i < 5; i++) {
            observations.apply(observation(scrape("a", 1000 + i)));
            observations.apply(observation(scrape("b", 1000.5 + i)));
        }
        int taken = 0;
        for (int i = 0; i < 5; i++) {
            taken += observations.apply(observation(scrape("a", 5000 + i))) ? 1 : 0;
            taken += observations.apply(observation(scrape("b", 5000.5 + i))) ? 1 : 0;
        }
        assertThat(taken).isGreaterThanOrEqualTo(9);
    }

    @Test
    void targets_that_are_scraped_every_quarter_of_an_hour_lose_no_scrape() {
        for (int targets = 1; targets <= 4; targets++) {
            Observations observations = new Observations();
            for (int i = 0; i < 12; i++) {
                for (int target = 0; target < targets; target++) {
                    Map<String, Object> scrape = scrape("t" + target, 5000 + 900 * i + target);
                    scrape.put("wall_ns", (1_790_000_000L + 900 * i + target) * SECOND);
                    assertThat(observations.apply(observation(scrape)))
                            .as("scrape %d of target %d of %d", i, target, targets)
                            .isTrue();
                }
            }
        }
    }

    @Test
    void a_target_that_is_first_scraped_long_after_the_others_is_right_if_the_receiver_waited_as_long() {
        Observations observations = new Observations();
        observations.apply(observation(scrape("a", 1000)));
        observations.tick(7 * SECOND);
        assertThat(observations.apply(observation(scrape("early", 1900)))).isFalse();
        observations.tick((7 + 900) * SECOND);
        assertThat(observations.apply(observation(scrape("b", 1900)))).isTrue();
    }

    @Test
    void a_target_whose_wall_clock_was_set_ahead_is_rejected_and_the_others_go_on() {
        Observations observations = new Observations();
        int taken = 0;
        for (int i = 0; i < 20; i++) {
            for (String target : List.of("a", "b")) {
                Map<String, Object> scrape = scrape(target, 5000 + 15 * i);
                long ahead = target.equals("b") && i >= 10 ? 7200 : 0;
                scrape.put("wall_ns", (1_790_000_000L + 15 * i + ahead) * SECOND);
                taken += observations.apply(observation(scrape)) ? 1 : 0;
            }
        }
        assertThat(taken).isEqualTo(30);
    }
}
