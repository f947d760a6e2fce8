package io.metricsaggregator.registry;

import io.metricsaggregator.registry.raw.SlabStore;
import java.math.BigInteger;

/**
 * A series of integers, such as durations in nanoseconds or token counts. Single values are recorded in a small array and added up {@value #BLOCK} at a
 * time, or when the series is read: a loop over a block costs less than as many separate additions.
 */
public final class LongSeries extends Series {
    /** Single values that are added up together. */
    public static final int BLOCK = 64;

    private static final long[] NO_VALUES = {};

    private final LongStatistics statistics;
    /** Values that are not added up yet; without room before the first. */
    private long[] pending = NO_VALUES;

    private int pendingSize;

    LongSeries(SeriesLayout layout, SlabStore values) {
        this(layout, new LongStatistics(), values);
    }

    private LongSeries(SeriesLayout layout, LongStatistics statistics, SlabStore values) {
        super(layout, statistics, values);
        this.statistics = statistics;
    }

    /** Records a value. One outside the range is clamped in the histogram, and only there. */
    public void record(long value) {
        if (pendingSize == pending.length) {
            makeRoom();
        }
        pending[pendingSize++] = value;
    }

    /** Records the first {@code size} of {@code values} as {@link #record(long)} does. */
    public void record(long[] values, int size) {
        if (size >= BLOCK) {
            settle();
            prepare();
            add(values, size);
            return;
        }
        if (size > pending.length - pendingSize) {
            makeRoom();
        }
        System.arraycopy(values, 0, pending, pendingSize, size);
        pendingSize += size;
    }

    /** Keeps no values from now on; to be called before the first. */
    void withoutValues() {
        setWithoutValues(0);
    }

    private void makeRoom() {
        if (pendingSize == 0) {
            // Before the first value is counted, so that none is lost if there is no memory.
            ready();
            pending = new long[BLOCK];
        } else {
            settle();
        }
    }

    @Override
    void settle() {
        int size = pendingSize;
        if (size > 0) {
            prepare();
            // First, so that no value is kept twice if there is no memory to keep it. Counted last: the percentiles of
            // all that is counted are then there.
            pendingSize = 0;
            add(pending, size);
        }
    }

    private void add(long[] values, int size) {
        long low = values[0];
        long high = low;
        for (int i = 1; i < size; i++) {
            low = Math.min(low, values[i]);
            high = Math.max(high, values[i]);
        }
        keep(values, size, low, high);
        statistics.add(values, size, low, high);
    }

    /**
     * Adds all values of another series, as if they had been recorded here.
     *
     * @throws IllegalArgumentException if its range differs
     */
    public void add(LongSeries other) {
        requireSameRange(other);
        settle();
        other.settle();
        statistics.add(other.statistics);
        keepAll(other);
    }

    /** Returns the exact sum of the values. */
    public BigInteger total() {
        settle();
        return statistics.exactTotal();
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
