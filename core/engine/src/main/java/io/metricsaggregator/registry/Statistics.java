package io.metricsaggregator.registry;

import java.io.DataInput;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Count, sums and extremes of a series, as far as they do not need its histogram. Belongs to the thread that records; a {@link #copy}
 * can be handed to another.
 */
abstract class Statistics {
    private long count;
    private long negative;

    /** Counts one value, before its subclass adds it up. */
    final void count(boolean isNegative) {
        count++;
        if (isNegative) {
            negative++;
        }
    }

    /** Sets the number of values, and how many of them are negative. */
    final void setCounts(long values, long negativeValues) {
        count = values;
        negative = negativeValues;
    }

    final void addCounts(Statistics other) {
        addCounts(other.count, other.negative);
    }

    /** Counts values, and how many of them are negative. */
    final void addCounts(long values, long negativeValues) {
        count += values;
        negative += negativeValues;
    }

    /** Reads count and negative values, the first two numbers of written statistics. */
    final void readCounts(DataInput from) throws IOException {
        count = from.readLong();
        negative = from.readLong();
        if (count < 1 || negative < 0 || negative > count) {
            throw new IOException(count + " values of which " + negative + " are negative");
        }
    }

    /** Number of values. */
    final long count() {
        return count;
    }

    /** Number of values below 0. */
    final long negative() {
        return negative;
    }

    /** Returns a copy that later values do not change. */
    abstract Statistics copy();

    /** Smallest value as a number for calculations; 0 if there is none. */
    abstract double lowest();

    /** Largest value as a number for calculations; 0 if there is none. */
    abstract double highest();

    /** Smallest value as snapshots show it; 0 if there is none. */
    abstract Number min();

    /** Largest value as snapshots show it; 0 if there is none. */
    abstract Number max();

    /** Sum of the values as snapshots show it. */
    abstract Number total();

    /** Sum of the squares of the values as snapshots show it. */
    abstract Number squares();

    /** Sample standard deviation, divided by n − 1; null below two values. */
    abstract @Nullable Double standardDeviation();
}
