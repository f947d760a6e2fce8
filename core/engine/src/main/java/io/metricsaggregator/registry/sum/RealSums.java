package io.metricsaggregator.registry.sum;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * Σx and Σx² of doubles without rounding, so that they are the same for any order of the values and any grouping of them. Adding a value allocates
 * nothing.
 */
public final class RealSums {
    /** The smallest double above 0 is 2^−1074. */
    private static final int LOWEST_EXPONENT = -1074;

    /** Place of the highest bit of a double, counted from that of the smallest. */
    private static final int VALUE_BITS = 2098;

    private final ExactReal total = new ExactReal(VALUE_BITS);
    private final ExactReal squares = new ExactReal(2 * VALUE_BITS);
    private long count;

    /** Adds a value, which must be finite. */
    public void add(double value) {
        count++;
        long bits = Double.doubleToRawLongBits(value);
        int exponent = (int) (bits >> 52) & 0x7ff;
        long fraction = bits & 0xf_ffff_ffff_ffffL;
        long magnitude = exponent == 0 ? fraction : fraction | 1L << 52;
        int position = Math.max(0, exponent - 1);
        total.add(0, magnitude, position, bits < 0);
        squares.add(Math.multiplyHigh(magnitude, magnitude), magnitude * magnitude, 2 * position, false);
    }

    /** Adds the sums of other values. */
    public void add(RealSums other) {
        total.add(other.total);
        squares.add(other.squares);
        count += other.count;
    }

    public void copyFrom(RealSums other) {
        total.copyFrom(other.total);
        squares.copyFrom(other.squares);
        count = other.count;
    }

    /** Returns Σx as the nearest double. */
    public double total() {
        return ExactReal.nearest(total.units(), LOWEST_EXPONENT);
    }

    /** Returns Σx² as the nearest double. */
    public double squares() {
        return ExactReal.nearest(squares.units(), 2 * LOWEST_EXPONENT);
    }

    /** Returns the sample standard deviation √((n·Σx² − (Σx)²) / (n·(n − 1))) for n values; null below two values. */
    @Nullable
    public Double standardDeviation() {
        if (count < 2) {
            return null;
        }
        double degrees = (double) count * (double) (count - 1);
        return Math.sqrt(ExactReal.nearest(spread(), 2 * LOWEST_EXPONENT) / degrees);
    }

    /** n·Σx² − (Σx)², which no values make negative. */
    private BigInteger spread() {
        return BigInteger.valueOf(count)
                .multiply(squares.units())
                .subtract(total.units().pow(2));
    }

    /** Writes the sums without the number of values. */
    public void write(DataOutput to) throws IOException {
        total.write(to);
        squares.write(to);
    }

    /**
     * Reads the sums of {@code values} values; these sums must be 0.
     *
     * @throws IOException if no values have these sums
     */
    public void read(DataInput from, long values) throws IOException {
        total.read(from);
        squares.read(from);
        count = values;
        if (squares.units().signum() < 0 || spread().signum() < 0) {
            throw new IOException("no " + values + " values have these sums");
        }
    }
}
