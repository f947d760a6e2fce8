package io.metricsaggregator.registry;

import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * A series of values: exact count, sums, smallest and largest, an HDR histogram for live views, and the values themselves for the
 * end. Recording belongs to the registry's owner and allocates nothing but room for values.
 */
public abstract sealed class Series permits LongSeries, DoubleSeries {
    final String name;
    final HdrRange range;
    final Histogram histogram;
    final RawValues raw;
    final int significantFigures;
    final int displayBuckets;
    final PercentileGrid grid;
    long count;
    long clamped;
    long negative;
    /** Whether snapshots say what is sure of its percentiles. */
    boolean certified;

    Series(
            String name,
            HdrRange range,
            int significantFigures,
            int displayBuckets,
            PercentileGrid grid,
            SlabStore values) {
        this.name = name;
        this.range = range;
        this.significantFigures = significantFigures;
        this.displayBuckets = displayBuckets;
        this.grid = grid;
        this.histogram = new Histogram(range.lowest(), range.highest(), significantFigures);
        this.raw = new RawValues(values);
    }

    /** Makes snapshots say what is sure of its percentiles; to be called before the first. */
    public final void certify() {
        certified = true;
    }

    /** Its name in snapshots. */
    public final String name() {
        return name;
    }

    /** Number of values recorded. */
    public final long count() {
        return count;
    }

    /** Values that the histogram holds at its edge. */
    public final long clamped() {
        return clamped;
    }

    /**
     * Adds another series of the same kind and range, as if its values had been recorded here.
     *
     * @throws IllegalArgumentException if kinds or ranges differ
     */
    public final void add(Series other) {
        if (other.getClass() != getClass() || !other.range.equals(range)) {
            throw new IllegalArgumentException("series " + other.name + " cannot be added to " + name);
        }
        if (other.count > 0) {
            addSums(other);
            histogram.add(other.histogram);
            raw.add(other.raw);
            count += other.count;
            clamped += other.clamped;
            negative += other.negative;
        }
    }

    abstract void addSums(Series other);

    final void recordInHistogram(long value) {
        long held = range.clamp(value);
        if (held != value) {
            clamped++;
        }
        histogram.recordValue(held);
    }

    /** A raw value as the histogram holds it. */
    abstract long held(long rawValue);

    /** A raw value as a number. */
    abstract double number(long rawValue);

    /** Copies all but the values into {@code into}, which was made for this series. */
    abstract void freezeInto(SeriesFreeze into);

    /** A place for copies of this series. */
    abstract SeriesFreeze newFreeze();

    /**
     * The percentiles, the bounds and the display histogram from the values themselves.
     *
     * @param bounds places of further values, from 0; negative for none
     * @param workers do it together
     * @param outOfTime asked now and then, by each of them; true gives up
     * @return null if not all values were kept, or time ran out
     */
    final @Nullable ExactPass exact(long[] bounds, Workers workers, BooleanSupplier outOfTime) {
        if (!raw.isComplete() || count == 0) {
            return null;
        }
        ExactPass pass = new ExactPass(this, bounds, workers);
        return pass.run(outOfTime) ? pass : null;
    }
}
