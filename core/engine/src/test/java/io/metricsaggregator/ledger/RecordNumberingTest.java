package io.metricsaggregator.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.DecodedEvent;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordNumberingTest {
    private static final long UNNAMED = DecodedEvent.NO_LIFE;

    private final RecordNumbering numbering = new RecordNumbering();

    private void take(long life, long from, long to) {
        for (long number = from; number < to; number++) {
            numbering.take(number, life);
        }
    }

    private void assertCounts(long restarts, long gaps, long lost, long repeated, long unknownStart) {
        assertThat(numbering.restarts()).as("restarts").isEqualTo(restarts);
        assertThat(numbering.gaps()).as("gaps").isEqualTo(gaps);
        assertThat(numbering.lost()).as("lost").isEqualTo(lost);
        assertThat(numbering.repeated()).as("repeated").isEqualTo(repeated);
        assertThat(numbering.unknownStart()).as("unknown start").isEqualTo(unknownStart);
    }

    @Test
    void numbers_in_runs_count_as_they_do_one_by_one() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        RecordNumbering runs = new RecordNumbering();
        long number = 0;
        for (int i = 0; i < 20_000; i++) {
            long life = random.nextInt(10) > 0 ? 1 : random.nextInt(4) == 0 ? UNNAMED : random.nextInt(40);
            long count = 1 + random.nextInt(5);
            runs.take(number, count, life);
            take(life, number, number + count);
            assertCounts(runs.restarts(), runs.gaps(), runs.lost(), runs.repeated(), runs.unknownStart());
            number = Math.max(0, number + count + (random.nextInt(3) == 0 ? random.nextInt(9) - 5 : 0));
        }
        assertThat(runs.repeated()).as("seed %d", seed).isPositive();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 57})
    void a_restart_without_a_life_that_loses_its_first_records_counts_every_loss_and_no_repetition(long head) {
        take(UNNAMED, 0, 20_000);
        take(UNNAMED, head, 5_000);
        take(UNNAMED, 5_100, 15_000);
        assertCounts(1, head == 0 ? 1 : 2, head + 100, 0, 0);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 57, 150, 5_000})
    void a_restart_with_a_life_is_counted_exactly_whatever_is_lost(long head) {
        take(7, 0, 200);
        take(8, head, head + 1_000);
        assertCounts(1, head == 0 ? 0 : 1, head, 0, 0);
    }

    @Test
    void numbers_below_the_first_received_one_are_an_unknown_start_and_no_loss() {
        take(UNNAMED, 4_000, 5_000);
        assertCounts(0, 0, 0, 0, 4_000);
    }

    @Test
    void a_number_that_falls_back_a_little_is_a_repetition() {
        take(UNNAMED, 0, 100);
        take(UNNAMED, 90, 120);
        assertCounts(0, 0, 0, 10, 0);
    }

    @Test
    void within_a_life_a_number_that_falls_back_any_distance_is_a_repetition() {
        take(7, 0, 100);
        take(7, 3, 5);
        take(7, 100, 110);
        assertCounts(0, 0, 0, 2, 0);
    }

    @Test
    void processes_that_share_a_name_are_distinguished_by_their_lives() {
        for (long number = 0; number < 1_000; number++) {
            numbering.take(number, 7);
            if (number != 500) {
                numbering.take(number, 8);
            }
        }
        assertCounts(1, 1, 1, 0, 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 40, 256, 257, 400})
    void any_number_of_processes_that_share_a_name_lose_nothing(int lives) {
        for (long number = 0; number < 100; number++) {
            for (long life = 1; life <= lives; life++) {
                numbering.take(number, life);
            }
        }
        assertCounts(lives - 1, 0, 0, 0, 0);
    }

    @Test
    void lives_beyond_the_limit_take_no_memory() {
        for (long life = 0; life < 10_000; life++) {
            take(life, 0, 3);
        }
        assertCounts(9_999, 0, 0, 0, 0);
    }

    @Test
    void numbers_at_the_end_of_their_range_do_not_wrap() {
        numbering.take(0, 7);
        numbering.take(Long.MAX_VALUE, 7);
        numbering.take(Long.MAX_VALUE, 8);
        numbering.take(3, 9);
        assertThat(numbering.lost()).isEqualTo(Long.MAX_VALUE);
        assertThat(numbering.restarts()).isEqualTo(2);
    }
}
