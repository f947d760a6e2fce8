package io.metricsaggregator.registry;

import java.math.BigInteger;

/** A series of integers. */
public final class LongSeries extends Series {
    final ExactSums sums = new ExactSums();
    long min;
    long max;

    LongSeries(
            String name,
            HdrRange range,
            int significantFigures,
            int displayBuckets,
            PercentileGrid grid,
            SlabStore values) {
        super(name, range, significantFigures, displayBuckets, grid, values);
    }

    /** Records a value; any is allowed. One outside the range is held at its edge in the histogram, and only there. */
    public void record(long value) {
        if (count == 0) {
            min = value;
            max = value;
        } else if (value < min) {
            min = value;
        } else if (value > max) {
            max = value;
        }
        count++;
        if (value < 0) {
            negative++;
        }
        sums.add(value);
        recordInHistogram(value);
        raw.add(value);
    }

    /** Their sum. */
    public BigInteger total() {
        return sums.total();
    }

    @Override
    void addSums(Series other) {
        LongSeries same = (LongSeries) other;
        min = count == 0 ? same.min : Math.min(min, same.min);
        max = count == 0 ? same.max : Math.max(max, same.max);
        sums.add(same.sums);
    }

    @Override
    long held(long rawValue) {
        return range.clamp(rawValue);
    }

    @Override
    double number(long rawValue) {
        return rawValue;
    }

    @Override
    SeriesFreeze newFreeze() {
        return new SeriesFreeze(this);
    }

    @Override
    void freezeInto(SeriesFreeze into) {
        into.copyCommon(this);
        into.sums.copyFrom(sums);
        into.min = min;
        into.max = max;
    }
}
