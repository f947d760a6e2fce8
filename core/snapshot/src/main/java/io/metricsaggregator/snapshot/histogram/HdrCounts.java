package io.metricsaggregator.snapshot.histogram;

import io.metricsaggregator.codec.MalformedMessageException;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * The counts of one histogram of a snapshot, checked and inflated, and otherwise as HdrHistogram's encoding V2 has them: a ZigZag LEB128 number
 * per count, where a negative number stands for as many zeros. They are added up without decoding them into a histogram. Immutable.
 */
public final class HdrCounts {
    private static final int COMPRESSED_COOKIE = 0x1c849304;
    private static final int COOKIE = 0x1c849303;
    /** The word size of counts, which the encoding V2 has in its cookies and does not use. */
    private static final int WORD_SIZE_BITS = 0xf0;

    private static final int COMPRESSED_HEADER_BYTES = 8;
    private static final int HEADER_BYTES = 40;
    private static final int COUNT_MAX_BYTES = 9;
    /** Most bytes of counts: a histogram of a million different values has fewer. */
    private static final int COUNTS_MAX_BYTES = 1 << 20;

    /** The bit of each of eight bytes that tells numbers of zeros from counts. */
    private static final long OF_ZEROS = 0x0101010101010101L;
    /** The bit of each of eight bytes that says that a number goes on. */
    private static final long GOES_ON = 0x8080808080808080L;

    private final HdrGrid grid;
    private final byte[] numbers;
    private final long total;

    private HdrCounts(HdrGrid grid, byte[] numbers) throws MalformedMessageException {
        this.grid = grid;
        this.numbers = numbers;
        total = checkedTotal(numbers, grid.length());
    }

    /** Receives the counts above 0 in ascending order of their index. */
    public interface Sink {
        /** Receives a count. */
        void count(int index, long count);
    }

    /**
     * Reads a compressed histogram.
     *
     * @param inflater reset and reused
     * @throws MalformedMessageException if it is damaged, of another encoding than V2, or holds more than 2^63 − 1 values
     */
    public static HdrCounts read(byte[] compressed, Inflater inflater) throws MalformedMessageException {
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

    /** The sum of the counts, after a check that all are whole and inside the range. Eight numbers of a byte each at a time are the usual case. */
    private static long checkedTotal(byte[] numbers, int length) throws MalformedMessageException {
        ByteBuffer words = ByteBuffer.wrap(numbers);
        long total = 0;
        long index = 0;
        int at = 0;
        while (at < numbers.length) {
            if (at + Long.BYTES <= numbers.length && total < 1L << 62) {
                long word = words.getLong(at);
                long halves = (word & ~OF_ZEROS) >>> 1;
                long ofZeros = (word & OF_ZEROS) * 0xff;
                long after = index + Long.BYTES + sumOfBytes(halves & ofZeros);
                if ((word & GOES_ON) == 0 && after <= length) {
                    total += sumOfBytes(halves & ~ofZeros);
                    index = after;
                    at += Long.BYTES;
                    continue;
                }
            }
            long number = numbers[at];
            if (number >= 0) {
                at++;
            } else {
                int end = endOf(numbers, at);
                number = read(numbers, at, end);
                at = end;
            }
            if ((number & 1) != 0) {
                // As many zeros; beyond the array for a number of zeros that no array has.
                index = Math.min(Integer.MAX_VALUE, index + Math.min(Integer.MAX_VALUE, (number >>> 1) + 1));
            } else {
                long count = number >>> 1;
                if (count > 0 && (index >= length || total > Long.MAX_VALUE - count)) {
                    throw new MalformedMessageException("the histogram has counts beyond its range, or too large ones");
                }
                total += count;
                index++;
            }
        }
        return total;
    }

    /** The sum of eight bytes below 128. */
    private static long sumOfBytes(long bytes) {
        long pairs = (bytes & 0x00ff00ff00ff00ffL) + ((bytes >>> 8) & 0x00ff00ff00ff00ffL);
        return (pairs * 0x0001000100010001L) >>> 48;
    }

    /** Where a number of several bytes ends. */
    private static int endOf(byte[] numbers, int start) throws MalformedMessageException {
        int last = start;
        while (last < numbers.length && numbers[last] < 0 && last - start < COUNT_MAX_BYTES - 1) {
            last++;
        }
        if (last == numbers.length) {
            throw new MalformedMessageException("the histogram ends within a count");
        }
        return last + 1;
    }

    /** A number of several bytes, of which the ninth has eight bits. */
    private static long read(byte[] numbers, int start, int end) {
        long read = 0;
        for (int i = start; i < end; i++) {
            boolean ninth = i - start == COUNT_MAX_BYTES - 1;
            read |= (ninth ? numbers[i] & 0xffL : numbers[i] & 0x7fL) << (7 * (i - start));
        }
        return read;
    }

    /** Hands every count above 0 to {@code sink}. */
    public void forEach(Sink sink) {
        forEach(numbers, 0, numbers.length, sink);
    }

    /**
     * Hands every count above 0 of an encoded histogram to {@code sink}.
     *
     * @param encoded as HdrHistogram wrote it in this process: it is not checked
     * @param size number of its bytes
     */
    public static void forEachOf(byte[] encoded, int size, Sink sink) {
        forEach(encoded, HEADER_BYTES, size, sink);
    }

    private static void forEach(byte[] numbers, int from, int end, Sink sink) {
        int index = 0;
        int at = from;
        while (at < end) {
            int start = at++;
            long number = numbers[start];
            if (number < 0) {
                while (numbers[at - 1] < 0 && at - start < COUNT_MAX_BYTES) {
                    at++;
                }
                number = read(numbers, start, at);
            }
            if ((number & 1) != 0) {
                index += 1 + (int) Math.min(Integer.MAX_VALUE - 1 - index, number >>> 1);
            } else {
                if (number != 0) {
                    sink.count(index, number >>> 1);
                }
                index++;
            }
        }
    }

    /**
     * Adds every count to that at its index; sums stay at 2^63 − 1.
     *
     * @param counts at least as many as the grid has
     * @return one more than the last index of a count above 0
     */
    public int addTo(long[] counts) {
        ByteBuffer words = ByteBuffer.wrap(numbers);
        int index = 0;
        int at = 0;
        while (at < numbers.length && index < counts.length) { // beyond the array are zeros
            if (at + Long.BYTES <= numbers.length && index + Long.BYTES <= counts.length) {
                long word = words.getLong(at);
                if ((word & (OF_ZEROS | GOES_ON)) == 0) {
                    for (int i = 0; i < Long.BYTES; i++) {
                        add(counts, index + i, word >>> 57);
                        word <<= Byte.SIZE;
                    }
                    index += Long.BYTES;
                    at += Long.BYTES;
                    continue;
                }
            }
            long number = numbers[at++];
            if (number < 0) {
                number &= 0x7f;
                int shift = 7;
                long next;
                do {
                    next = numbers[at++];
                    boolean ninth = shift == 7 * (COUNT_MAX_BYTES - 1);
                    number |= (ninth ? next & 0xff : next & 0x7f) << shift;
                    next = ninth ? 0 : next;
                    shift += 7;
                } while (next < 0);
            }
            if ((number & 1) != 0) {
                index += 1 + (int) Math.min(counts.length, number >>> 1);
            } else {
                add(counts, index++, number >>> 1);
            }
        }
        int used = Math.min(index, counts.length);
        while (used > 0 && counts[used - 1] == 0) {
            used--;
        }
        return used;
    }

    private static void add(long[] counts, int index, long count) {
        long sum = counts[index] + count;
        counts[index] = sum < 0 ? Long.MAX_VALUE : sum;
    }

    /** The buckets that the counts belong to. */
    public HdrGrid grid() {
        return grid;
    }

    /** Sum of the counts. */
    public long total() {
        return total;
    }

    /** Bytes of memory that the counts take. */
    public int bytes() {
        return numbers.length;
    }
}
