package io.metricsaggregator.registry;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** Σx and Σx² of 64-bit integers without rounding: 128 and 192 bits. */
final class ExactSums {
    private long totalLow;
    private long totalHigh;
    private long squaresLow;
    private long squaresMiddle;
    private long squaresHigh;

    void add(long value) {
        long total = totalLow + value;
        // The carry of an unsigned addition, and the sign extension of the value.
        totalHigh += (value >> 63) + (Long.compareUnsigned(total, totalLow) < 0 ? 1 : 0);
        totalLow = total;

        long low = value * value;
        long high = Math.multiplyHigh(value, value);
        long newLow = squaresLow + low;
        long carry = Long.compareUnsigned(newLow, squaresLow) < 0 ? 1 : 0;
        squaresLow = newLow;
        long newMiddle = squaresMiddle + high + carry;
        // high is below 2^63, so high + carry does not wrap by itself.
        if (Long.compareUnsigned(newMiddle, squaresMiddle) < 0) {
            squaresHigh++;
        }
        squaresMiddle = newMiddle;
    }

    void add(ExactSums other) {
        BigInteger total = total().add(other.total());
        BigInteger squares = squares().add(other.squares());
        totalLow = total.longValue();
        totalHigh = total.shiftRight(64).longValue();
        squaresLow = squares.longValue();
        squaresMiddle = squares.shiftRight(64).longValue();
        squaresHigh = squares.shiftRight(128).longValue();
    }

    void copyFrom(ExactSums other) {
        totalLow = other.totalLow;
        totalHigh = other.totalHigh;
        squaresLow = other.squaresLow;
        squaresMiddle = other.squaresMiddle;
        squaresHigh = other.squaresHigh;
    }

    BigInteger total() {
        return BigInteger.valueOf(totalHigh).shiftLeft(64).add(unsigned(totalLow));
    }

    BigInteger squares() {
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

    /** √((n·Σx² − (Σx)²) / (n·(n − 1))); null below two values. */
    @Nullable
    Double standardDeviation(long count) {
        return standardDeviation(total(), squares(), count);
    }

    /** As above, of given sums. */
    static @Nullable Double standardDeviation(BigInteger total, BigInteger squares, long count) {
        if (count < 2) {
            return null;
        }
        BigInteger n = BigInteger.valueOf(count);
        BigInteger spread = n.multiply(squares).subtract(total.pow(2));
        BigInteger degrees = n.multiply(BigInteger.valueOf(count - 1));
        return Math.sqrt(spread.doubleValue() / degrees.doubleValue());
    }
}
