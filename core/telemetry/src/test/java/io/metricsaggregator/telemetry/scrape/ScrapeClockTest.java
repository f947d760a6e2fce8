package io.metricsaggregator.telemetry.scrape;

import static io.metricsaggregator.telemetry.Golden.fields;
import static io.metricsaggregator.telemetry.Golden.observation;
import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.telemetry.TelemetryFolds;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Rejection of scrapes because of their timestamp. */
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
    void scrapesWithOneWrongClockAreRejectedAndOthersAccepted() {
        TelemetryFolds telemetry = new TelemetryFolds();
        for (int i = 0; i < 20; i++) {
            double now = 1_700_000_000 + 5 * i;
            assertThat(telemetry.apply(observation(scrape("a", now)))).isTrue();
            assertThat(telemetry.apply(observation(scrape("b", now + 1)))).isTrue();
            // Two hours ahead, as from a wrong time zone.
            assertThat(telemetry.apply(observation(scrape("zone", now + 7200)))).isFalse();
        }
        assertThat(telemetry.rejected()).containsExactly(new SnapshotExtensions.MalformedRow("scrape.clock_off", 20));
    }

    @Test
    void theFirstClockIsRejectedIfTheOthersAgreeOnAnother() {
        TelemetryFolds telemetry = new TelemetryFolds();
        assertThat(telemetry.apply(observation(scrape("wrong", 4_000_000_000L))))
                .isTrue();
        int taken = 0;
        for (int i = 0; i < 20; i++) {
            taken += telemetry.apply(observation(scrape("a", 1_700_000_000 + 5 * i))) ? 1 : 0;
            taken += telemetry.apply(observation(scrape("b", 1_700_000_001 + 5 * i))) ? 1 : 0;
        }
        assertThat(taken).isGreaterThan(35);
        Map<?, ?> table =
                (Map<?, ?>) ((Map<?, ?>) telemetry.freeze(0, true).tree().get("scrape")).get("table");
        assertThat((Long) table.get("start_ns")).isBetween(1_699_999_000L * SECOND, 1_700_000_100L * SECOND);
    }

    @Test
    void afterAnHourWithoutScrapesTheTargetsAreAcceptedAgain() {
        TelemetryFolds telemetry = new TelemetryFolds();
        for (int i = 0; i < 5; i++) {
            telemetry.apply(observation(scrape("a", 1000 + i)));
            telemetry.apply(observation(scrape("b", 1000.5 + i)));
        }
        int taken = 0;
        for (int i = 0; i < 5; i++) {
            taken += telemetry.apply(observation(scrape("a", 5000 + i))) ? 1 : 0;
            taken += telemetry.apply(observation(scrape("b", 5000.5 + i))) ? 1 : 0;
        }
        assertThat(taken).isGreaterThanOrEqualTo(9);
    }

    @Test
    void targets_that_are_scraped_every_quarter_of_an_hour_lose_no_scrape() {
        for (int targets = 1; targets <= 4; targets++) {
            TelemetryFolds telemetry = new TelemetryFolds();
            for (int i = 0; i < 12; i++) {
                for (int target = 0; target < targets; target++) {
                    Map<String, Object> scrape = scrape("t" + target, 5000 + 900 * i + target);
                    scrape.put("wall_ns", (1_790_000_000L + 900 * i + target) * SECOND);
                    assertThat(telemetry.apply(observation(scrape)))
                            .as("scrape %d of target %d of %d", i, target, targets)
                            .isTrue();
                }
            }
        }
    }

    @Test
    void a_target_first_scraped_long_after_the_others_is_accepted_if_the_receiver_waited_as_long() {
        TelemetryFolds telemetry = new TelemetryFolds();
        telemetry.apply(observation(scrape("a", 1000)));
        telemetry.tick(7 * SECOND);
        assertThat(telemetry.apply(observation(scrape("early", 1900)))).isFalse();
        telemetry.tick((7 + 900) * SECOND);
        assertThat(telemetry.apply(observation(scrape("b", 1900)))).isTrue();
    }

    @Test
    void a_target_whose_wall_clock_was_set_ahead_is_rejected_and_others_are_accepted() {
        TelemetryFolds telemetry = new TelemetryFolds();
        int taken = 0;
        for (int i = 0; i < 20; i++) {
            for (String target : List.of("a", "b")) {
                Map<String, Object> scrape = scrape(target, 5000 + 15 * i);
                long ahead = target.equals("b") && i >= 10 ? 7200 : 0;
                scrape.put("wall_ns", (1_790_000_000L + 15 * i + ahead) * SECOND);
                taken += telemetry.apply(observation(scrape)) ? 1 : 0;
            }
        }
        assertThat(taken).isEqualTo(30);
    }
}
