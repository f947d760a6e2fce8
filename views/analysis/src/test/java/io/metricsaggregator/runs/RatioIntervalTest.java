package io.metricsaggregator.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RatioIntervalTest {
    private static final int PAIRS = 2000;

    /** Expected values from numpy and scipy (fft.dct, stats.t), by the formulas of the docstrings. */
    @Test
    void the_interval_is_that_of_the_first_cosines_and_students_t() {
        double[] base = values(40, i -> 100 + (i * 37) % 11 + 3 * (i / 10));
        double[] other = values(50, i -> 110 + (i * 29) % 13 + 2 * (i / 7));

        assertThat(RatioInterval.decay(base)).isEqualTo(0.97);
        assertThat(RatioInterval.decay(other)).isCloseTo(0.5951439610058096, within(1e-12));
        assertThat(RatioInterval.cosines(other)).isEqualTo(4);
        RatioInterval interval = RatioInterval.of(base, other);
        assertThat(interval).isNotNull();
        assertThat(interval.low()).isCloseTo(1.0585149320519582, within(1e-8));
        assertThat(interval.high()).isCloseTo(1.177096769163488, within(1e-8));
        assertThat(interval.p()).isCloseTo(0.0014247408628765307, within(1e-9));
    }

    @ParameterizedTest(name = "{0} slices that decay by {1} a slice, {2} of their variance noise")
    @CsvSource({"58, 0, 0", "58, 0.36, 0", "198, 0.9, 0", "198, 0.9, 0.5", "598, 0.9, 0.7", "28, 0.1, 0"})
    void the_interval_holds_the_true_ratio_in_90_to_97_of_100_pairs(int slices, double decay, double noise) {
        long seed = 20261125;
        Random random = new Random(seed);
        int held = 0;
        for (int i = 0; i < PAIRS; i++) {
            RatioInterval interval =
                    RatioInterval.of(stream(random, slices, decay, noise), stream(random, slices, decay, noise));
            assertThat(interval).isNotNull();
            held += interval.low() <= 1 && interval.high() >= 1 ? 1 : 0;
            assertThat(interval.p() < 0.05)
                    .as("p of pair %d, seed %d", i, seed)
                    .isEqualTo(interval.low() > 1 || interval.high() < 1);
        }
        assertThat((double) held / PAIRS).as("seed %d", seed).isBetween(0.90, 0.97);
    }

    @Test
    void a_difference_of_five_per_cent_of_independent_slices_is_found() {
        long seed = 7;
        Random random = new Random(seed);
        int found = 0;
        for (int i = 0; i < 200; i++) {
            double[] base = stream(random, 58, 0, 0);
            double[] other = stream(random, 58, 0, 0);
            RatioInterval interval = RatioInterval.of(base, values(58, j -> 1.15 * other[j]));
            assertThat(interval).isNotNull();
            found += interval.low() > 1 ? 1 : 0;
        }
        assertThat(found).as("seed %d", seed).isGreaterThan(180);
    }

    @Test
    void runs_without_a_spread_differ_by_exactly_their_ratio() {
        assertThat(RatioInterval.of(values(8, i -> 4), values(9, i -> 5))).isEqualTo(new RatioInterval(1.25, 1.25, 0));
        assertThat(RatioInterval.of(values(8, i -> 4), values(9, i -> 4))).isEqualTo(new RatioInterval(1, 1, 1));
    }

    @Test
    void fewer_than_eight_slices_and_means_of_zero_are_not_tested() {
        assertThat(RatioInterval.of(values(7, i -> i + 1), values(8, i -> i + 1)))
                .isNull();
        assertThat(RatioInterval.of(values(8, i -> i + 1), values(8, i -> 0))).isNull();
        assertThat(RatioInterval.of(null, values(8, i -> 1))).isNull();
    }

    private static double[] values(int n, IntToDoubleFunction value) {
        return IntStream.range(0, n).mapToDouble(value).toArray();
    }

    /** Slices of a log-normal process whose logarithm decays by {@code decay} a slice, under independent noise. */
    private static double[] stream(Random random, int n, double decay, double noise) {
        double[] values = new double[n];
        double state = random.nextGaussian();
        for (int i = 0; i < n; i++) {
            double logarithm = Math.sqrt(1 - noise) * state + Math.sqrt(noise) * random.nextGaussian();
            values[i] = Math.exp(0.2 * logarithm);
            state = decay * state + Math.sqrt(1 - decay * decay) * random.nextGaussian();
        }
        return values;
    }
}
