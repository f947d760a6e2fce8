package io.metricsaggregator.telemetry.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TimeGridTest {
    @Test
    void widerBucketsAndLateSamplesLoseNothing() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            TimeGrid grid = new TimeGrid(16, 10);
            TimeGrid.Column column = grid.columnWithExtremes();
            double sum = 0;
            double min = Double.POSITIVE_INFINITY;
            double max = Double.NEGATIVE_INFINITY;
            long from = Long.MAX_VALUE;
            long to = Long.MIN_VALUE;
            for (int i = 0; i < 100; i++) {
                long at = 100_000 + (long) (random.nextGaussian() * 20 * (i + 1));
                double value = random.nextInt(1000);
                column.record(at, value, 1);
                sum += value;
                min = Math.min(min, value);
                max = Math.max(max, value);
                from = Math.min(from, at);
                to = Math.max(to, at);
            }
            assertThat(sum(column.sums())).isCloseTo(sum, within(1e-6));
            assertThat(((List<?>) column.gauge().min())
                            .stream()
                                    .filter(each -> each != null)
                                    .mapToDouble(each -> (Double) each)
                                    .min())
                    .hasValue(min);
            assertThat(((List<?>) column.gauge().max())
                            .stream()
                                    .filter(each -> each != null)
                                    .mapToDouble(each -> (Double) each)
                                    .max())
                    .hasValue(max);
            long start = grid.timeBuckets().startNanos();
            long width = grid.timeBuckets().widthNanos();
            long buckets = grid.timeBuckets().count();
            assertThat(start).isLessThanOrEqualTo(from);
            assertThat(start + width * buckets).isGreaterThan(to);
            assertThat(buckets).isLessThanOrEqualTo(16);
        }
    }

    private static double sum(List<?> values) {
        return values.stream()
                .filter(each -> each != null)
                .mapToDouble(each -> (Double) each)
                .sum();
    }
}
