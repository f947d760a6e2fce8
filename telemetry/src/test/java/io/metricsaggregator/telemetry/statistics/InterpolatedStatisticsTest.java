package io.metricsaggregator.telemetry.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InterpolatedStatisticsTest {
    @ParameterizedTest
    @ValueSource(doubles = {1e-9, 1, 1e12})
    void histogramResultsAgreeWithExactValuesToThreeDigits(double scale) {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        InterpolatedStatistics all = new InterpolatedStatistics();
        InterpolatedStatistics few = new InterpolatedStatistics(100);
        double[] values = new double[20_000];
        for (int i = 0; i < values.length; i++) {
            double value = scale * (random.nextGaussian() * 10 + 3);
            values[i] = value;
            all.add(value);
            few.add(value);
        }
        assertThat(all.method()).isEqualTo("linear");
        assertThat(few.method()).isEqualTo("hdr");
        var exact = all.statistics();
        var counted = few.statistics();
        for (String same : new String[] {"sum", "mean", "min", "max", "stddev"}) {
            double value = (Double) exact.get(same);
            assertThat((Double) counted.get(same)).as(same).isCloseTo(value, within(1e-9 * Math.abs(value)));
        }
        java.util.Arrays.sort(values);
        for (double p : new double[] {50, 90, 95, 99, 99.9}) {
            double nearestRank = values[(int) Math.ceil(p / 100 * values.length) - 1];
            assertThat(few.percentile(p)).as("p%s", p).isCloseTo(nearestRank, within(1e-3 * Math.abs(nearestRank)));
        }
    }

    @Test
    void smallValuesKeepTheirPrecisionBesideALargeOne() {
        InterpolatedStatistics values = new InterpolatedStatistics(100);
        values.add(1e15);
        for (int i = 0; i < 10_000; i++) {
            values.add(0.1);
        }
        assertThat(values.method()).isEqualTo("hdr");
        assertThat(values.sum() - 1e15).isCloseTo(1000, within(0.5));
    }
}
