package io.metricsaggregator.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.snapshot.histogram.HdrGrid;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** One encoder writes histograms of any size and layout as HdrHistogram writes them. */
class HistogramEncoderTest {
    @Test
    void theBytesAreThoseOfHdrHistogramAndTheCountsInThemTheSame() throws DataFormatException {
        HistogramEncoder encoder = new HistogramEncoder();
        for (long seed = 1; seed <= 30; seed++) {
            Random random = new Random(seed);
            HdrRange range = new HdrRange(1, random.nextBoolean() ? 3_600_000_000_000L : 1_000_000);
            Histogram histogram = new Histogram(range.lowest(), range.highest(), 1 + random.nextInt(4));
            int values = random.nextInt(3) == 0 ? 0 : random.nextInt(5000);
            for (int i = 0; i < values; i++) {
                histogram.recordValueWithCount(
                        random.nextLong(range.highest()), 1 + (random.nextLong() >>> (1 + random.nextInt(62))) / 5000);
            }
            ByteBuffer expected = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
            histogram.encodeIntoCompressedByteBuffer(expected, Deflater.BEST_SPEED);
            byte[] encoded = encoder.encode(histogram);
            assertThat(encoded).as("seed " + seed).isEqualTo(Arrays.copyOf(expected.array(), expected.position()));
            assertThat(Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(encoded), 0))
                    .isEqualTo(histogram);
            HdrGrid grid = new HdrGrid(range.lowest(), range.highest(), histogram.getNumberOfSignificantValueDigits());
            Map<Long, Long> expectedCounts = new LinkedHashMap<>();
            histogram
                    .recordedValues()
                    .forEach(each -> expectedCounts.put(
                            histogram.highestEquivalentValue(each.getValueIteratedTo()),
                            each.getCountAddedInThisIterationStep()));
            Map<Long, Long> counts = new LinkedHashMap<>();
            encoder.forEach((index, count) -> counts.put(grid.highestOf(index), count));
            assertThat(new ArrayList<>(counts.entrySet())).isEqualTo(new ArrayList<>(expectedCounts.entrySet()));
        }
    }
}
