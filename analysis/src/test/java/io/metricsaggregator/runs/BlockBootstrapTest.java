package io.metricsaggregator.runs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BlockBootstrapTest {
    /** Drawing copies runs of neighbours; here each value is looked up on the circle by its place. */
    @Test
    void blocks_continue_at_the_start_of_the_values() {
        long seed = 3;
        SplittableRandom random = new SplittableRandom(seed);
        for (int n : new int[] {8, 9, 100, 512}) {
            double[] values = random.doubles(n, 1, 2).toArray();
            for (int block : new int[] {1, 2, 3, n / 4}) {
                long places = random.nextLong();
                assertThat(BlockBootstrap.draw(values, block, 1.5, new SplittableRandom(places)))
                        .as("%d values in blocks of %d, seed %d", n, block, seed)
                        .isEqualTo(onCircle(values, block, 1.5, new SplittableRandom(places)));
            }
        }
    }

    private static double onCircle(double[] values, int block, double mean, SplittableRandom random) {
        int n = values.length;
        double sum = 0;
        int start = 0;
        for (int i = 0; i < n; i++) {
            start = i % block == 0 ? random.nextInt(n) : start;
            sum += values[(start + i % block) % n];
        }
        return mean + (sum / n - mean) / Math.sqrt(1 - (double) block / n);
    }
}
