package io.metricsaggregator.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** One encoder writes histograms of any size and layout as HdrHistogram writes them. */
class HistogramEncoderTest {
    @Test
    void theBytesAreThoseOfHdrHistogram() throws DataFormatException {
        HistogramEncoder encoder = new HistogramEncoder();
        for (long seed = 1; seed <= 30; seed++) {
            Random random = new Random(seed);
            HdrRange range = new HdrRange(1, random.nextBoolean() ? 3_600_000_000_000L : 1_000_000);
            Histogram histogram = new Histogram(range.lowest(), range.highest(), 1 + random.nextInt(4));
            int values = random.nextInt(3) == 0 ? 0 : random.nextInt(5000);
            for (int i = 0; i < values; i++) {
                histogram.recordValue(random.nextLong(range.highest()));
            }
            ByteBuffer expected = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
            histogram.encodeIntoCompressedByteBuffer(expected, Deflater.BEST_SPEED);
            byte[] encoded = encoder.encode(histogram);
            assertThat(encoded).as("seed " + seed).isEqualTo(Arrays.copyOf(expected.array(), expected.position()));
            assertThat(Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(encoded), 0))
                    .isEqualTo(histogram);
        }
    }
}
