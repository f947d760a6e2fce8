package io.metricsaggregator.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.registry.raw.RawBudget;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ExactPassTest {
    private static LongSeries series(long... values) {
        LongSeries series = new Registry(3, 30, new RawBudget(Long.MAX_VALUE)).longSeries("s", HdrRange.DURATION_NANOS);
        for (long value : values) {
            series.record(value);
        }
        return series;
    }

    /** The values at the first two places of those that remain. */
    private static long @Nullable [] firstTwo(LongSeries all, LongSeries without) {
        ExactValues exact = ExactPass.of(all, without, new long[] {0, 1}, Workers.NONE, () -> false);
        return exact == null ? null : new long[] {exact.furtherRaw(0), exact.furtherRaw(1)};
    }

    @Test
    void values_are_taken_away_one_by_one_and_only_those_that_the_series_has() {
        LongSeries all = series(100, 2000, 2000, 40_000);
        assertThat(firstTwo(all, series(2000))).containsExactly(100, 2000);
        assertThat(firstTwo(all, series(100))).containsExactly(2000, 2000);
        assertThat(firstTwo(all, series(100, 2000))).containsExactly(2000, 40_000);
        assertThat(firstTwo(all, series())).containsExactly(100, 2000);
        for (long other : new long[] {0, 5, 150, 50_000, Long.MAX_VALUE}) {
            assertThat(firstTwo(all, series(other))).as("without %d", other).isNull();
        }
    }
}
