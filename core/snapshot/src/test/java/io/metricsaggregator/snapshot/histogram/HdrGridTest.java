package io.metricsaggregator.snapshot.histogram;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Buckets against HdrHistogram itself. */
class HdrGridTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void bucketsEqualThoseOfHdrHistogram(int significantFigures) {
        long highest = 3_600_000_000_000L;
        HdrGrid grid = new HdrGrid(1, highest, significantFigures);
        Histogram histogram = new Histogram(1, highest, significantFigures);
        Random random = new Random(significantFigures);
        for (int i = 0; i < 200_000; i++) {
            long value = (random.nextLong() >>> 1) >>> random.nextInt(63);
            if (value > highest) {
                continue;
            }
            int index = grid.indexOf(value);
            assertThat(grid.lowestOf(index)).isEqualTo(histogram.lowestEquivalentValue(value));
            assertThat(grid.highestOf(index)).isEqualTo(histogram.highestEquivalentValue(value));
            assertThat(index).isLessThan(grid.length());
        }
        for (int index = 1; index < grid.length(); index++) {
            if (grid.lowestOf(index) != grid.highestOf(index - 1) + 1) {
                assertThat(grid.lowestOf(index)).isEqualTo(grid.highestOf(index - 1) + 1);
            }
        }
    }
}
