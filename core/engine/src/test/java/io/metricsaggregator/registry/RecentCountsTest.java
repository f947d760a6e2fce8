package io.metricsaggregator.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.registry.raw.RawBudget;
import java.util.Random;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RecentCountsTest {
    private static final HdrRange RANGE = HdrRange.DURATION_NANOS;

    @ParameterizedTest
    @EnumSource(SeriesTest.Shape.class)
    void a_series_of_many_values_has_the_histogram_of_values_recorded_one_by_one(SeriesTest.Shape shape) {
        Random random = new Random(Seed.next(RecentCountsTest.class));
        LongSupplier source = shape.values(random);
        LongSeries series = new Registry(3, 30, new RawBudget(Long.MAX_VALUE)).longSeries("s", RANGE);
        Histogram expected = new Histogram(RANGE.lowest(), RANGE.highest(), 3);
        long[] block = new long[2 * LongSeries.BLOCK];
        long clamped = 0;
        for (int step = 0; step < 1000; step++) {
            int size = random.nextInt(block.length + 1);
            for (int i = 0; i < size; i++) {
                block[i] = source.getAsLong();
                long held = RANGE.clamp(block[i]);
                clamped += held == block[i] ? 0 : 1;
                expected.recordValue(held);
            }
            if (random.nextBoolean()) {
                series.record(block, size);
            } else {
                for (int i = 0; i < size; i++) {
                    series.record(block[i]);
                }
            }
            if (step == 999 || random.nextInt(50) == 0) {
                assertThat(series.clamped()).isEqualTo(clamped);
                assertThat(series.histogram()).as("after %d steps", step).isEqualTo(expected);
                assertThat(series.histogramPercentile(99)).isEqualTo(expected.getValueAtPercentile(99));
            }
        }
        LongSeries sum = new Registry(3, 30, new RawBudget(0)).longSeries("t", RANGE);
        sum.add(series);
        sum.record(block, block.length);
        sum.add(series);
        expected.add(expected.copy());
        for (long value : block) {
            expected.recordValue(RANGE.clamp(value));
        }
        assertThat(sum.histogram()).isEqualTo(expected);
    }

    @Test
    void counts_that_are_full_have_room_again_when_the_histogram_has_them() {
        SeriesLayout layout = new SeriesLayout("s", RANGE, 3, 30, PercentileGrid.STANDARD);
        RecentCounts counts = new RecentCounts(layout, 3);
        Histogram histogram = layout.newHistogram();
        assertThat(counts.add(new long[] {7, -7}, 2, -7, 7)).isEqualTo(1);
        assertThat(counts.isFull()).isFalse();
        assertThat(counts.add(new long[] {7, Long.MAX_VALUE, 9}, 2, 7, Long.MAX_VALUE))
                .isEqualTo(1);
        assertThat(counts.isFull()).isTrue();
        for (int i = 0; i < 2; i++) {
            counts.moveTo(histogram, -7, Long.MAX_VALUE);
            assertThat(counts.isFull()).isFalse();
            assertThat(histogram.getTotalCount()).isEqualTo(4);
            assertThat(histogram.getCountAtValue(7)).isEqualTo(2);
            assertThat(histogram.getCountAtValue(1)).isEqualTo(1);
            assertThat(histogram.getCountAtValue(RANGE.highest())).isEqualTo(1);
        }
    }
}
