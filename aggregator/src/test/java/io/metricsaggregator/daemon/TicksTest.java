package io.metricsaggregator.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class TicksTest {
    private static final long MILLI = 1_000_000L;

    /** Snapshots taken in six minutes of ticks that are up to 20 ms late. */
    private static int taken(boolean silent, long intervalMillis) {
        int taken = 0;
        long last = 0;
        for (long tick : LongStream.rangeClosed(1, 360_000 / intervalMillis).toArray()) {
            long now = (tick * intervalMillis + tick % 3 * 10) * MILLI;
            if (Ticks.isOld(now - last, silent, intervalMillis * MILLI)) {
                taken++;
                last = now;
            }
        }
        return taken;
    }

    @Test
    void a_snapshot_that_nobody_looks_at_is_taken_once_a_second_and_once_a_minute_where_nothing_arrives() {
        assertThat(taken(false, 250)).isEqualTo(360);
        assertThat(taken(true, 250)).isEqualTo(6);
        assertThat(taken(true, 5_000)).isEqualTo(6);
        assertThat(taken(false, 5_000)).as("each tick").isEqualTo(72);
    }

    @Test
    void a_tick_comes_once_a_second_where_nobody_looks_and_nothing_arrives() {
        assertThat(Ticks.interval(250 * MILLI, false, true)).isEqualTo(1_000 * MILLI);
        assertThat(Ticks.interval(5_000 * MILLI, false, true)).isEqualTo(5_000 * MILLI);
        assertThat(Ticks.interval(250 * MILLI, true, true)).as("somebody looks").isEqualTo(250 * MILLI);
        assertThat(Ticks.interval(250 * MILLI, false, false))
                .as("something arrives")
                .isEqualTo(250 * MILLI);
    }
}
