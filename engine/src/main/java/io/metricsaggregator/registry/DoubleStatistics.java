package io.metricsaggregator.registry;

import org.jspecify.annotations.Nullable;

/** Statistics of real numbers; sums are compensated. Adding a value allocates nothing. */
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
