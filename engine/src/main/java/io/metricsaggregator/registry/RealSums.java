package io.metricsaggregator.registry;

import org.jspecify.annotations.Nullable;

/** Σx and Σx² of doubles by compensated summation (Neumaier), and their variance by Welford's recurrence. Adding a value allocates nothing. */
final class RealSums {
    private double total;
    private double totalRest;
    private double squares;
    private double squaresRest;
    private double mean;
    private double spread;
    private long count;

    void add(double value) {
        double newTotal = total + value;
        totalRest += Math.abs(total) >= Math.abs(value) ? total - newTotal + value : value - newTotal + total;
        total = newTotal;
        double square = value * value;
        double newSquares = squares + square;
        squaresRest += squares >= square ? squares - newSquares + square : square - newSquares + squares;
        squares = newSquares;
        count++;
        double off = value - mean;
        mean += off / count;
        spread += off * (value - mean);
    }

    /** Adds the sums of other values; the variances are combined by the formula of Chan, Golub and LeVeque. */
    void add(RealSums other) {
        if (other.count == 0) {
            return;
        }
        long both = count + other.count;
        double apart = other.mean - mean;
        spread += other.spread + apart * apart * count * other.count / both;
        mean += apart * other.count / both;
        count = both;
        total += other.total;
        totalRest += other.totalRest;
        squares += other.squares;
        squaresRest += other.squaresRest;
    }

    void copyFrom(RealSums other) {
        total = other.total;
        totalRest = other.totalRest;
        squares = other.squares;
        squaresRest = other.squaresRest;
        mean = other.mean;
        spread = other.spread;
        count = other.count;
    }

    /** Returns Σx. */
    double total() {
        return total + totalRest;
    }

    /** Returns Σx². */
    double squares() {
        return squares + squaresRest;
    }

    /** Returns the sample standard deviation, divided by n − 1; null below two values. */
    @Nullable
    Double standardDeviation() {
        return count < 2 ? null : (Double) Math.sqrt(spread / (count - 1));
    }
}
