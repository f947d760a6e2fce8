package io.metricsaggregator.snapshot.percentile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HistogramPercentilesTest {
    private static final double[] PERCENTILES = {99.9, 50, 99, 90, 1};

    private static HistogramPercentiles counted(double[] percentiles, int width, long... sorted) {
        HistogramPercentiles estimate = new HistogramPercentiles(percentiles, sorted.length);
        int i = 0;
        while (i < sorted.length) {
            long bucket = sorted[i] / width;
            int end = i;
            while (end < sorted.length && sorted[end] / width == bucket) {
                end++;
            }
            estimate.add((double) HistogramPercentiles.middle(bucket * width, width), end - i);
            i = end;
        }
        return estimate;
    }

    @Test
    void linear_percentiles_are_those_of_numpy() {
        double[] sorted = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512};
        // numpy.percentile(sorted, [0, 1, 50, 75, 90, 99, 100])
        double[] expected = {1.0, 1.09, 24.0, 112.0, 281.6000000000001, 488.96, 512.0};
        double[] percents = {0, 1, 50, 75, 90, 99, 100};
        for (int i = 0; i < percents.length; i++) {
            assertThat(Linear.of(sorted, percents[i])).isCloseTo(expected[i], within(1e-12));
        }
        assertThat(Linear.of(new double[] {7}, 99)).isEqualTo(7);
    }

    @Test
    void buckets_of_one_value_each_give_the_percentiles_of_the_values() {
        long seed = Long.getLong("test.seed", System.nanoTime());
        System.out.println("HistogramPercentilesTest seed: -Dtest.seed=" + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            long[] values =
                    random.longs(1 + random.nextInt(200), 0, 1000).sorted().toArray();
            double[] sorted = Arrays.stream(values).asDoubleStream().toArray();
            double[] found = counted(PERCENTILES, 1, values).of(sorted[0], sorted[sorted.length - 1]);
            for (int i = 0; i < found.length; i++) {
                assertThat(found[i]).isEqualTo(Linear.of(sorted, PERCENTILES[i]));
            }
        }
    }

    @Test
    void an_estimate_is_off_by_half_a_bucket_at_most_and_inside_the_extremes() {
        long seed = Long.getLong("test.seed", System.nanoTime());
        System.out.println("HistogramPercentilesTest seed: -Dtest.seed=" + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            int width = 1 + random.nextInt(300);
            long[] values =
                    random.longs(1 + random.nextInt(50), 0, 2000).sorted().toArray();
            double[] sorted = Arrays.stream(values).asDoubleStream().toArray();
            double[] found = counted(PERCENTILES, width, values).of(sorted[0], sorted[sorted.length - 1]);
            for (int i = 0; i < found.length; i++) {
                assertThat(found[i])
                        .isCloseTo(Linear.of(sorted, PERCENTILES[i]), within(width / 2.0))
                        .isBetween(sorted[0], sorted[sorted.length - 1]);
            }
        }
    }

    @Test
    void one_value_is_every_percentile_and_two_values_are_the_extremes() {
        assertThat(counted(PERCENTILES, 100, 77).of(77, 77)).containsOnly(77);
        assertThat(counted(new double[] {50, 90}, 100, 3, 199).of(3, 199)).containsExactly(101, 179.4);
    }

    @Test
    void without_values_every_percentile_is_the_smallest_value() {
        assertThat(new HistogramPercentiles(PERCENTILES, 0).of(0, 0)).containsOnly(0);
    }

    @Test
    void extremes_that_are_not_known_are_those_of_the_buckets() {
        assertThat(counted(new double[] {1, 50, 100}, 100, 3, 120, 250).within(0, 240))
                .containsExactly(52, 150, 240);
    }

    @Test
    void percentiles_by_key_have_the_order_of_the_keys() {
        HistogramPercentiles estimate = HistogramPercentiles.ofKeys(List.of("99.0", "50.0"), 3);
        estimate.add(10, 1);
        estimate.add(20, 2);
        Map<String, Double> found = estimate.of(List.of("99.0", "50.0"), 10, 21);
        assertThat(found).containsExactly(Map.entry("99.0", 20.98), Map.entry("50.0", 20.0));
    }
}
