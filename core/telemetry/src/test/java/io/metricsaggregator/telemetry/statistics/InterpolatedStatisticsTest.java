package io.metricsaggregator.telemetry.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.snapshot.percentile.Linear;
import io.metricsaggregator.snapshot.telemetry.ValueStatistics;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
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
        ValueStatistics exact = all.summary();
        ValueStatistics counted = few.summary();
        List.<Function<ValueStatistics, Double>>of(
                        ValueStatistics::sum,
                        ValueStatistics::mean,
                        ValueStatistics::min,
                        ValueStatistics::max,
                        ValueStatistics::stddev)
                .forEach(same -> {
                    double value = same.apply(exact);
                    assertThat(same.apply(counted)).isCloseTo(value, within(1e-9 * Math.abs(value)));
                });
        java.util.Arrays.sort(values);
        for (double p : new double[] {50, 90, 95, 99, 99.9}) {
            double interpolated = Linear.of(values, p);
            assertThat(few.percentile(p)).as("p%s", p).isCloseTo(interpolated, within(1e-3 * Math.abs(interpolated)));
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
