package io.metricsaggregator.registry;

import io.metricsaggregator.registry.sum.ExactSums;
import io.metricsaggregator.snapshot.SeriesMetric;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.math.BigInteger;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Statistics of integers; sums are exact. Adding a value allocates nothing. */
final class LongStatistics extends Statistics {
    private final ExactSums sums = new ExactSums();
    private long min;
    private long max;

    /** Adds the first {@code size} of {@code values}, at least one, from {@code low} to {@code high}. */
    void add(long[] values, int size, long low, long high) {
        min = count() == 0 ? low : Math.min(min, low);
        max = count() == 0 ? high : Math.max(max, high);
        addCounts(size, low < 0 ? countNegative(values, size) : 0);
        sums.add(values, size, low, high);
    }

    private static int countNegative(long[] values, int size) {
        int negative = 0;
        for (int i = 0; i < size; i++) {
            negative += values[i] < 0 ? 1 : 0;
        }
        return negative;
    }

    /** Adds all values of other statistics. */
    void add(LongStatistics other) {
        if (other.count() > 0) {
            min = count() == 0 ? other.min : Math.min(min, other.min);
            max = count() == 0 ? other.max : Math.max(max, other.max);
            sums.add(other.sums);
            addCounts(other);
        }
    }

    /**
     * Returns the statistics of the values that remain when others are taken away. An extreme that is among those too comes from the histogram.
     *
     * @param part statistics of values that are all among these
     * @param left the histogram of the values that remain, at least one
     */
    LongStatistics without(LongStatistics part, Histogram left) {
        LongStatistics rest = new LongStatistics();
        rest.sums.set(sums.total().subtract(part.sums.total()), sums.squares().subtract(part.sums.squares()));
        rest.setCounts(count() - part.count(), negative() - part.negative());
        rest.min = part.min > min || rest.negative() > 0
                ? min
                : Math.max(min, left.lowestEquivalentValue(left.getMinValue()));
        rest.max = part.max < max ? max : Math.min(max, left.highestEquivalentValue(left.getMaxValue()));
        return rest;
    }

    /** Sets the extremes of values that were counted otherwise. */
    void setExtremes(long newMin, long newMax) {
        min = newMin;
        max = newMax;
    }

    @Override
    LongStatistics copy() {
        LongStatistics copy = new LongStatistics();
        copy.sums.copyFrom(sums);
        copy.min = min;
        copy.max = max;
        copy.addCounts(this);
        return copy;
    }

    /** Writes count, negative values, extremes and sums. */
    void write(DataOutput to) throws IOException {
        to.writeLong(count());
        to.writeLong(negative());
        to.writeLong(min);
        to.writeLong(max);
        sums.write(to);
    }

    /**
     * Reads what {@link #write} wrote into these statistics, which must be empty.
     *
     * @throws IOException if no values have these statistics
     */
    void read(DataInput from) throws IOException {
        readCounts(from);
        min = from.readLong();
        max = from.readLong();
        sums.read(from, count());
        if (min > max) {
            throw new IOException("the smallest value " + min + " is above the largest value " + max);
        }
    }

    /** Sum of the values, exact. */
    BigInteger exactTotal() {
        return sums.total();
    }

    @Override
    double lowest() {
        return min;
    }

    @Override
    double highest() {
        return max;
    }

    @Override
    Number min() {
        return min;
    }

    @Override
    Number max() {
        return max;
    }

    @Override
    Number total() {
        return SeriesMetric.whole(sums.total());
    }

    @Override
    Number squares() {
        return count() == 0 ? (Number) 0L : (Number) sums.squares().doubleValue();
    }

    @Override
    @Nullable
    Double standardDeviation() {
        return sums.standardDeviation(count());
    }
}
