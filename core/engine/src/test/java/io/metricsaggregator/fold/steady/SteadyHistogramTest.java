package io.metricsaggregator.fold.steady;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SteadyHistogramTest {
    private static final long SEED = 20261123;

    @Test
    void the_mean_is_the_same_in_any_order_and_grouping() {
        double[] durations = new Random(SEED).doubles(10_000, 0, 2e9).toArray();
        SteadyHistogram forwards = new SteadyHistogram();
        SteadyHistogram backwards = new SteadyHistogram();
        SteadyHistogram joined = new SteadyHistogram();
        for (int i = 0; i < durations.length; i++) {
            forwards.record(durations[i]);
            backwards.record(durations[durations.length - 1 - i]);
        }
        for (int group = 0; group < 7; group++) {
            SteadyHistogram part = new SteadyHistogram();
            for (int i = group; i < durations.length; i += 7) {
                part.record(durations[i]);
            }
            joined.add(part);
        }
        double mean = Arrays.stream(durations).average().orElseThrow();
        assertThat(forwards.mean()).as("seed %d", SEED).isCloseTo(mean, within(1e-5));
        assertThat(backwards.mean()).as("seed %d", SEED).isEqualTo(forwards.mean());
        assertThat(joined.mean()).as("seed %d", SEED).isEqualTo(forwards.mean());
    }

    @Test
    void a_mean_of_whole_nanoseconds_is_exact_and_negative_ones_count_as_0() {
        SteadyHistogram histogram = new SteadyHistogram();
        assertThat(histogram.mean()).isNaN();
        histogram.record(3_000_000_001.0);
        histogram.record(1_000_000_000.0);
        histogram.record(-5);
        histogram.record(0);
        assertThat(histogram.mean()).isEqualTo(4_000_000_001.0 / 4);
        assertThat(histogram.count()).isEqualTo(4);
    }
}
