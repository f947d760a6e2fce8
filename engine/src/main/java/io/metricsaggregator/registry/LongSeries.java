package io.metricsaggregator.registry;

import java.math.BigInteger;

/** A series of integers, such as durations in nanoseconds or token counts. */
public final class LongSeries extends Series {
    private final LongStatistics statistics;

    LongSeries(SeriesLayout layout, SlabStore values) {
        this(layout, new LongStatistics(), values);
    }

    private LongSeries(SeriesLayout layout, LongStatistics statistics, SlabStore values) {
        super(layout, statistics, values);
        this.statistics = statistics;
    }

    /** Records a value. One outside the range is clamped in the histogram, and only there. */
    public void record(long value) {
        statistics.add(value);
        keep(value, value);
    }

    /**
     * Adds all values of another series, as if they had been recorded here.
     *
     * @throws IllegalArgumentException if its range differs
     */
    public void add(LongSeries other) {
        requireSameRange(other);
        statistics.add(other.statistics);
        keepAll(other);
    }

    /** Returns the exact sum of the values. */
    public BigInteger total() {
        return statistics.exactTotal();
    }

    /** Returns the statistics of the values that remain when {@code part} is taken away; see {@link LongStatistics#without}. */
    LongStatistics statisticsWithout(LongSeries part, long newMin, long newMax) {
        return statistics.without(part.statistics, newMin, newMax);
    }

    @Override
    long held(long rawValue) {
        return layout().range().clamp(rawValue);
    }

    @Override
    double number(long rawValue) {
        return rawValue;
    }

    @Override
    double highestNumber(long held) {
        return (double) held;
    }
}
