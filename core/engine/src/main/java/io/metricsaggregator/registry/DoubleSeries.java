package io.metricsaggregator.registry;

import io.metricsaggregator.registry.raw.SlabStore;

/** A series of real numbers, such as nanoseconds per token. Its histogram holds their integer parts. */
public final class DoubleSeries extends Series {
    private final DoubleStatistics statistics;

    DoubleSeries(SeriesLayout layout, SlabStore values) {
        this(layout, new DoubleStatistics(), values);
    }

    private DoubleSeries(SeriesLayout layout, DoubleStatistics statistics, SlabStore values) {
        super(layout, statistics, values);
        this.statistics = statistics;
    }

    /**
     * Records a value. One outside the range is clamped in the histogram, and only there.
     *
     * @throws IllegalArgumentException if it is not finite
     */
    public void record(double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("series " + name() + " cannot hold " + value);
        }
        // Kept before it is counted: without memory to keep it, the percentiles of all that is counted are still there.
        // Adding 0 turns -0 into 0.
        keep((long) value, sortable(Double.doubleToRawLongBits(value + 0.0)));
        statistics.add(value);
    }

    /**
     * Adds all values of another series, as if they had been recorded here.
     *
     * @throws IllegalArgumentException if its range differs
     */
    public void add(DoubleSeries other) {
        requireSameRange(other);
        statistics.add(other.statistics);
        keepAll(other);
    }

    /** Maps the bits of a number to an integer of the same order, and back. */
    private static long sortable(long bits) {
        return bits ^ (bits >> 63 & Long.MAX_VALUE);
    }

    @Override
    void settle() {
        // Each value is added up when it is recorded.
    }

    @Override
    long held(long rawValue) {
        return layout().range().clamp((long) number(rawValue));
    }

    @Override
    double number(long rawValue) {
        return Double.longBitsToDouble(sortable(rawValue));
    }

    @Override
    double highestNumber(long held) {
        return Math.nextDown((double) held + 1);
    }
}
