package io.metricsaggregator.registry;

import io.metricsaggregator.snapshot.histogram.HdrCounts;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.Deflater;
import org.HdrHistogram.Histogram;

/**
 * Writes histograms in the compressed form V2 of HdrHistogram, byte for byte as {@link Histogram#encodeIntoCompressedByteBuffer} does, but with one
 * buffer and one compressor for all of them. Those that HdrHistogram makes for each would be half of an idle daemon's heap. One owner at a time.
 */
final class HistogramEncoder {
    private static final int COMPRESSED_COOKIE = 0x1c849304 | 0x10;
    private static final int HEADER_BYTES = 8;
    private static final int FIRST_BYTES = 512;

    private final Deflater deflater = new Deflater(Deflater.BEST_SPEED);
    private ByteBuffer plain = ByteBuffer.allocate(0);
    private int size;
    private byte[] compressed = new byte[FIRST_BYTES];

    /** Returns the histogram as any port of HdrHistogram reads and merges it. */
    byte[] encode(Histogram histogram) {
        int capacity = histogram.getNeededByteBufferCapacity();
        if (plain.capacity() < capacity) {
            plain = ByteBuffer.allocate(capacity);
        }
        plain.clear();
        size = histogram.encodeIntoByteBuffer(plain);
        deflater.reset();
        deflater.setInput(plain.array(), 0, size);
        deflater.finish();
        int length = HEADER_BYTES;
        while (!deflater.finished()) {
            if (length == compressed.length) {
                compressed = Arrays.copyOf(compressed, 2 * length);
            }
            length += deflater.deflate(compressed, length, compressed.length - length);
        }
        ByteBuffer.wrap(compressed).putInt(COMPRESSED_COOKIE).putInt(length - HEADER_BYTES);
        return Arrays.copyOf(compressed, length);
    }

    /** Hands every count above 0 of the histogram that was encoded last to {@code sink}: much faster than HdrHistogram's own iterator. */
    void forEach(HdrCounts.Sink sink) {
        HdrCounts.forEachOf(plain.array(), size, sink);
    }
}
