package io.metricsaggregator.registry.sum;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** Σx and Σx² of 64-bit integers without rounding, in 128 and 192 bits. Adding a value allocates nothing. */
public final class ExactSums {
    private long totalLow;
    private long totalHigh;
    private long squaresLow;
    private long squaresMiddle;
    private long squaresHigh;

    /** Adds the first {@code size} of {@code values}, from {@code low} to {@code high}. */
    public void add(long[] values, int size, long low, long high) {
        if (low >= 0 && high <= Integer.MAX_VALUE) {
            addSmall(values, size);
        } else {
            addLarge(values, size);
        }
    }

    /** Adds values from 0 to 2^31 − 1, 2.1 s in nanoseconds: their squares have no carry until the end of the block. */
    private void addSmall(long[] values, int size) {
        long total = 0;
        long lower = 0;
        long upper = 0;
        for (int i = 0; i < size; i++) {
            long value = values[i];
            long square = value * value;
            total += value;
            lower += square & 0xffffffffL;
            upper += square >>> 32;
        }
        totalLow += total;
        totalHigh += Long.compareUnsigned(totalLow, total) < 0 ? 1 : 0;
        addSquares(upper << 32, upper >>> 32);
        addSquares(lower, 0);
    }

    private void addSquares(long low, long middle) {
        squaresLow += low;
        long carried = middle + (Long.compareUnsigned(squaresLow, low) < 0 ? 1 : 0);
        squaresMiddle += carried;
        squaresHigh += Long.compareUnsigned(squaresMiddle, carried) < 0 ? 1 : 0;
    }

    private void addLarge(long[] values, int size) {
        long low = totalLow;
        long high = totalHigh;
        long squares0 = squaresLow;
        long squares1 = squaresMiddle;
        long squares2 = squaresHigh;
        for (int i = 0; i < size; i++) {
            long value = values[i];
            low += value;
            // The carry of an unsigned addition, and the sign extension of the value.
            high += (value >> 63) + (Long.compareUnsigned(low, value) < 0 ? 1 : 0);
            long square = value * value;
            squares0 += square;
            // Below 2^62 and the carry: the sum cannot wrap.
            long upper = Math.multiplyHigh(value, value) + (Long.compareUnsigned(squares0, square) < 0 ? 1 : 0);
            squares1 += upper;
            squares2 += Long.compareUnsigned(squares1, upper) < 0 ? 1 : 0;
        }
        totalLow = low;
        totalHigh = high;
        squaresLow = squares0;
        squaresMiddle = squares1;
        squaresHigh = squares2;
    }

    /** Adds the sums of other values. */
    public void add(ExactSums other) {
        set(total().add(other.total()), squares().add(other.squares()));
    }

    /** Replaces both sums; they must fit 128 and 192 bits. */
    public void set(BigInteger total, BigInteger squares) {
        totalLow = total.longValue();
        totalHigh = total.shiftRight(64).longValue();
        squaresLow = squares.longValue();
        squaresMiddle = squares.shiftRight(64).longValue();
        squaresHigh = squares.shiftRight(128).longValue();
    }

    /** Takes the sums of another. */
    public void copyFrom(ExactSums other) {
        totalLow = other.totalLow;
        totalHigh = other.totalHigh;
        squaresLow = other.squaresLow;
        squaresMiddle = other.squaresMiddle;
        squaresHigh = other.squaresHigh;
    }

    /** Returns Σx. */
    public BigInteger total() {
        return BigInteger.valueOf(totalHigh).shiftLeft(64).add(unsigned(totalLow));
    }

    /** Returns Σx². */
    public BigInteger squares() {
        return BigInteger.valueOf(squaresHigh)
                .shiftLeft(64)
                .add(unsigned(squaresMiddle))
                .shiftLeft(64)
                .add(unsigned(squaresLow));
    }

    private static BigInteger unsigned(long bits) {
        BigInteger value = BigInteger.valueOf(bits);
        return bits >= 0 ? value : value.add(BigInteger.ONE.shiftLeft(64));
    }

    /** Returns the sample standard deviation √((n·Σx² − (Σx)²) / (n·(n − 1))) for n = {@code count}; null below two values. */
    @Nullable
    public Double standardDeviation(long count) {
        if (count < 2) {
            return null;
        }
        BigInteger n = BigInteger.valueOf(count);
        BigInteger spread = n.multiply(squares()).subtract(total().pow(2));
        BigInteger degrees = n.multiply(BigInteger.valueOf(count - 1));
        return Math.sqrt(spread.doubleValue() / degrees.doubleValue());
    }

    /** Writes both sums: 128 and 192 bits. */
    public void write(DataOutput to) throws IOException {
        to.writeLong(totalHigh);
        to.writeLong(totalLow);
        to.writeLong(squaresHigh);
        to.writeLong(squaresMiddle);
        to.writeLong(squaresLow);
    }

    /**
     * Reads the sums of {@code count} values.
     *
     * @throws IOException if no values have these sums
     */
    public void read(DataInput from, long count) throws IOException {
        totalHigh = from.readLong();
        totalLow = from.readLong();
        squaresHigh = from.readLong();
        squaresMiddle = from.readLong();
        squaresLow = from.readLong();
        BigInteger most = BigInteger.valueOf(count).multiply(squares());
        if (squaresHigh < 0 || most.compareTo(total().pow(2)) < 0) {
            throw new IOException("no " + count + " values have these sums");
        }
    }
}
