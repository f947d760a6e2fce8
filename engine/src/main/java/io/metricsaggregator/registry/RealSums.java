package io.metricsaggregator.registry;

import org.jspecify.annotations.Nullable;

/** Σx, Σx² and the spread of doubles: compensated sums (Neumaier), and Welford's recurrence for the spread. */
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

    /** Adds other values' sums; the spreads by the formula of Chan, Golub and LeVeque. */
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

    double total() {
        return total + totalRest;
    }

    double squares() {
        return squares + squaresRest;
    }

    /** Divided by n − 1; null below two values. */
    @Nullable
    Double standardDeviation() {
        return count < 2 ? null : (Double) Math.sqrt(spread / (count - 1));
    }
}
