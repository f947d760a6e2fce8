package io.metricsaggregator.registry;

import io.metricsaggregator.registry.sum.RealSums;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Statistics of real numbers; sums are exact. Adding a value allocates nothing. */
final class DoubleStatistics extends Statistics {
    private final RealSums sums = new RealSums();
    private double min;
    private double max;

    /** Adds a value, which must be finite. */
    void add(double value) {
        min = count() == 0 ? value : Math.min(min, value);
        max = count() == 0 ? value : Math.max(max, value);
        count(value < 0);
        sums.add(value);
    }

    /** Adds all values of other statistics. */
    void add(DoubleStatistics other) {
        if (other.count() > 0) {
            min = count() == 0 ? other.min : Math.min(min, other.min);
            max = count() == 0 ? other.max : Math.max(max, other.max);
            sums.add(other.sums);
            addCounts(other);
        }
    }

    @Override
    DoubleStatistics copy() {
        DoubleStatistics copy = new DoubleStatistics();
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
        to.writeDouble(min);
        to.writeDouble(max);
        sums.write(to);
    }

    /**
     * Reads what {@link #write} wrote into these statistics, which must be empty.
     *
     * @throws IOException if no values have these statistics
     */
    void read(DataInput from) throws IOException {
        readCounts(from);
        min = from.readDouble();
        max = from.readDouble();
        sums.read(from, count());
        if (!(Double.isFinite(min) && Double.isFinite(max) && min <= max)) {
            throw new IOException("the extremes " + min + " and " + max + " are not those of numbers");
        }
    }

    @Override
    double lowest() {
        return min;
    }

    @Override
    double highest() {
        return max;
    }

    /** An empty series of reals has an integer here: so does the reference, and its readers expect it. */
    @Override
    Number min() {
        return count() == 0 ? (Number) 0L : (Number) min;
    }

    @Override
    Number max() {
        return count() == 0 ? (Number) 0L : (Number) max;
    }

    @Override
    Number total() {
        return sums.total();
    }

    @Override
    Number squares() {
        return sums.squares();
    }

    @Override
    @Nullable
    Double standardDeviation() {
        return sums.standardDeviation();
    }
}
