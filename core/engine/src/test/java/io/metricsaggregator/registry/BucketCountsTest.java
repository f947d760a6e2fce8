package io.metricsaggregator.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.registry.raw.RawBudget;
import java.util.Random;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BucketCountsTest {
    @ParameterizedTest
    @EnumSource(SeriesTest.Shape.class)
    void theHistogramIsThatOfHdrHistogramWheneverItIsRead(SeriesTest.Shape shape) {
        Random random = new Random(Seed.next(BucketCountsTest.class));
        LongSupplier source = shape.values(random);
        LongSeries series = new Registry(3, 30, new RawBudget(Long.MAX_VALUE)).longSeries("s", HdrRange.DURATION_NANOS);
        Histogram expected = new Histogram(1, HdrRange.DURATION_NANOS.highest(), 3);
        long clamped = 0;
        for (int i = 0; i < shape.count(); i++) {
            long value = source.getAsLong();
            series.record(value);
            expected.recordValue(HdrRange.DURATION_NANOS.clamp(value));
            clamped += HdrRange.DURATION_NANOS.clamp(value) == value ? 0 : 1;
            if (random.nextInt(20_000) == 0) {
                assertThat(series.histogram()).as("after %d values", i + 1).isEqualTo(expected);
            }
        }
        assertThat(series.histogram()).isEqualTo(expected);
        assertThat(series.clamped()).isEqualTo(clamped);
    }
}
