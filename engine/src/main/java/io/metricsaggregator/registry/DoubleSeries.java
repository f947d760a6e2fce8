package io.metricsaggregator.registry;

/** A series of real numbers. Its histogram holds their integer parts. */
public final class DoubleSeries extends Series {
    final RealSums sums = new RealSums();
    double min;
    double max;

    DoubleSeries(
            String name,
            HdrRange range,
            int significantFigures,
            int displayBuckets,
            PercentileGrid grid,
            SlabStore values) {
        super(name, range, significantFigures, displayBuckets, grid, values);
    }

    /**
     * Records a value.
     *
     * @throws IllegalArgumentException if it is not finite
     */
    public void record(double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("series " + name + " cannot hold " + value);
        }
        if (count == 0) {
            min = value;
            max = value;
        } else {
            min = Math.min(min, value);
            max = Math.max(max, value);
        }
        count++;
        if (value < 0) {
            negative++;
        }
        sums.add(value);
        recordInHistogram((long) value);
        raw.add(sortable(Double.doubleToRawLongBits(value + 0.0)));
    }

    /** Bits whose order as integers is that of the numbers; its own inverse. */
    private static long sortable(long bits) {
        return bits ^ (bits >> 63 & Long.MAX_VALUE);
    }

    @Override
    void addSums(Series other) {
        DoubleSeries same = (DoubleSeries) other;
        min = count == 0 ? same.min : Math.min(min, same.min);
        max = count == 0 ? same.max : Math.max(max, same.max);
        sums.add(same.sums);
    }

    @Override
    long held(long rawValue) {
        return range.clamp((long) number(rawValue));
    }

    @Override
    double number(long rawValue) {
        return Double.longBitsToDouble(sortable(rawValue));
    }

    @Override
    SeriesFreeze newFreeze() {
        return new SeriesFreeze(this);
    }

    @Override
    void freezeInto(SeriesFreeze into) {
        into.copyCommon(this);
        into.realSums.copyFrom(sums);
        into.realMin = min;
        into.realMax = max;
    }
}
