package io.metricsaggregator.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HdrLayoutTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void bucketsEqualThoseOfHdrHistogram(int significantFigures) {
        long highest = HdrRange.DURATION_NANOS.highest();
        HdrLayout layout = new HdrLayout(significantFigures, highest);
        Histogram histogram = new Histogram(1, highest, significantFigures);
        Random random = new Random(significantFigures);
        for (int i = 0; i < 200_000; i++) {
            long value = (random.nextLong() >>> 1) >>> random.nextInt(63);
            if (value > highest) {
                continue;
            }
            int index = layout.index(value);
            assertThat(layout.lowestOf(index)).isEqualTo(histogram.lowestEquivalentValue(value));
            assertThat(layout.highestOf(index)).isEqualTo(histogram.highestEquivalentValue(value));
            assertThat(index).isLessThan(layout.length());
        }
        for (int index = 1; index < layout.length(); index++) {
            if (layout.lowestOf(index) != layout.highestOf(index - 1) + 1) {
                assertThat(layout.lowestOf(index)).isEqualTo(layout.highestOf(index - 1) + 1);
            }
        }
    }
}
