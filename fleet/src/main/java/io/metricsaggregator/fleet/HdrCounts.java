package io.metricsaggregator.fleet;

import io.metricsaggregator.codec.MalformedMessageException;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * The counts of one histogram of a snapshot, checked and inflated, and otherwise as HdrHistogram's encoding V2 has them: a ZigZag LEB128 number
 * per count, where a negative number stands for as many zeros. They are added up without decoding them into a histogram. Immutable.
 */
final class HdrCounts {
    private static final int COMPRESSED_COOKIE = 0x1c849304;
    private static final int COOKIE = 0x1c849303;
    /** The word size of counts, which the encoding V2 has in its cookies and does not use. */
    private static final int WORD_SIZE_BITS = 0xf0;

    private static final int COMPRESSED_HEADER_BYTES = 8;
    private static final int HEADER_BYTES = 40;
    private static final int COUNT_MAX_BYTES = 9;
    /** Most bytes of counts: a histogram of a million different values has fewer. */
    private static final int COUNTS_MAX_BYTES = 1 << 20;

    private final HdrGrid grid;
    private final byte[] numbers;
    private final long total;

    private HdrCounts(HdrGrid grid, byte[] numbers) throws MalformedMessageException {
        this.grid = grid;
        this.numbers = numbers;
        Totals totals = new Totals(grid.length());
        walk(totals);
        total = totals.total;
    }

    /** Receives the counts above 0 in ascending order of their index. */
    interface Sink {
        void count(int index, long count);
    }

    private static final class Totals implements Sink {
        private final int length;
        private long total;
        private boolean inside = true;

        Totals(int length) {
            this.length = length;
        }

        @Override
        public void count(int index, long count) {
            inside &= index < length && total <= Long.MAX_VALUE - count;
            total += count;
        }
    }

    /**
     * Reads a compressed histogram.
     *
     * @param inflater reset and reused
     * @throws MalformedMessageException if it is damaged, of another encoding than V2, or holds more than 2^63 − 1 values
     */
    static HdrCounts read(byte[] compressed, Inflater inflater) throws MalformedMessageException {
        ByteBuffer header = ByteBuffer.wrap(compressed);
        if (compressed.length < COMPRESSED_HEADER_BYTES || (header.getInt() & ~WORD_SIZE_BITS) != COMPRESSED_COOKIE) {
            throw new MalformedMessageException("the histogram is not in HdrHistogram's compressed encoding V2");
        }
        int length = header.getInt();
        if (length < 0 || length > header.remaining()) {
            throw new MalformedMessageException("the histogram is cut short");
        }
        inflater.reset();
        inflater.setInput(compressed, COMPRESSED_HEADER_BYTES, length);
        ByteBuffer inner = ByteBuffer.wrap(inflate(inflater, HEADER_BYTES));
        if ((inner.getInt() & ~WORD_SIZE_BITS) != COOKIE) {
            throw new MalformedMessageException("the histogram is not in HdrHistogram's encoding V2");
        }
        int bytes = inner.getInt();
        int offset = inner.getInt();
        int figures = inner.getInt();
        HdrGrid grid;
        try {
            grid = new HdrGrid(inner.getLong(), inner.getLong(), figures);
        } catch (IllegalArgumentException e) {
            throw new MalformedMessageException(String.valueOf(e.getMessage()));
        }
        if (bytes < 0 || bytes > Math.min(COUNTS_MAX_BYTES, (long) COUNT_MAX_BYTES * grid.length()) || offset != 0) {
            throw new MalformedMessageException("the histogram has " + bytes + " bytes of counts at offset " + offset);
        }
        return new HdrCounts(grid, inflate(inflater, bytes));
    }

    private static byte[] inflate(Inflater inflater, int length) throws MalformedMessageException {
        byte[] bytes = new byte[length];
        int filled = 0;
        try {
            while (filled < length) {
                int more = inflater.inflate(bytes, filled, length - filled);
                if (more == 0) {
                    throw new MalformedMessageException("the histogram is cut short");
                }
                filled += more;
            }
        } catch (DataFormatException e) {
            throw new MalformedMessageException("the histogram cannot be inflated: " + e.getMessage());
        }
        return bytes;
    }

    private void walk(Totals totals) throws MalformedMessageException {
        try {
            forEach(totals);
        } catch (IndexOutOfBoundsException e) {
            throw new MalformedMessageException("the histogram ends within a count");
        }
        if (!totals.inside) {
            throw new MalformedMessageException("the histogram has counts beyond its range, or too large ones");
        }
    }

    /** Hands every count above 0 to {@code sink}. */
    void forEach(Sink sink) {
        int index = 0;
        int at = 0;
        while (at < numbers.length) {
            long read = numbers[at++];
            if (read < 0) {
                read &= 0x7f;
                int shift = 7;
                while (true) {
                    long next = numbers[at++];
                    if (shift == 56) {
                        read |= next << shift;
                        break;
                    }
                    read |= (next & 0x7f) << shift;
                    if (next >= 0) {
                        break;
                    }
                    shift += 7;
                }
            }
            long number = (read >>> 1) ^ -(read & 1);
            if (number < 0) {
                // Beyond the array for a number of zeros that no array has.
                index = (int) Math.min(Integer.MAX_VALUE, index - Math.max(number, -Integer.MAX_VALUE));
            } else {
                if (number > 0) {
                    sink.count(index, number);
                }
                index = index == Integer.MAX_VALUE ? index : index + 1;
            }
        }
    }

    /** The buckets that the counts belong to. */
    HdrGrid grid() {
        return grid;
    }

    /** Sum of the counts. */
    long total() {
        return total;
    }

    /** Bytes of memory that the counts take. */
    int bytes() {
        return numbers.length;
    }
}
