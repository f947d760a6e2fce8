package io.metricsaggregator.registry;

import io.metricsaggregator.registry.raw.RawValues;
import io.metricsaggregator.registry.raw.SlabStore;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * A series of values: exact count, sums and extremes, an HDR histogram for live views, and the values themselves for exact percentiles at
 * the end. Only the thread that owns the registry records; recording allocates nothing but room for values and counts.
 */
public abstract class Series {
    /** Values from which on a series has recent counts, which take half as much memory as its histogram. */
    private static final int MANY = 4096;

    private final SeriesLayout layout;
    private final Statistics statistics;
    /** Null before the first value: many runs leave some series empty, and each histogram is a quarter of a megabyte. */
    private @Nullable Histogram histogram;

    /** Counts that the histogram does not have yet, of a series with many values; null before. */
    private @Nullable RecentCounts recent;

    private final RawValues raw;
    private long clamped;
    private boolean certified;

    Series(SeriesLayout layout, Statistics statistics, SlabStore values) {
        this.layout = layout;
        this.statistics = statistics;
        this.raw = new RawValues(values);
    }

    /** Makes snapshots state with certainty 0.99 what bounds its percentiles; to be called before the first snapshot. */
    public final void certify() {
        certified = true;
    }

    final boolean isCertified() {
        return certified;
    }

    /** Adds the values that are recorded but not added up yet; to be called before anything of the series is read. */
    abstract void settle();

    /** Makes a series whose statistics were read one without values. */
    final void setWithoutValues(long clampedValues) {
        clamped = clampedValues;
        raw.leaveOut();
    }

    /** Returns its name in snapshots. */
    public final String name() {
        return layout.name();
    }

    /** Number of values recorded. */
    public final long count() {
        settle();
        return statistics.count();
    }

    /** Number of values outside the range of the histogram, which holds them at its edge. */
    public final long clamped() {
        settle();
        return clamped;
    }

    /** A percentile of the histogram, in the unit of its integers; 0 without values. Belongs to the thread that records. */
    public final long histogramPercentile(double percentile) {
        return count() == 0 ? 0 : histogram().getValueAtPercentile(percentile);
    }

    final SeriesLayout layout() {
        return layout;
    }

    final Statistics statistics() {
        settle();
        return statistics;
    }

    final Histogram histogram() {
        settle();
        complete();
        return ready();
    }

    private void complete() {
        RecentCounts counts = recent;
        if (counts != null) {
            counts.moveTo(ready(), statistics.lowest(), statistics.highest());
        }
    }

    /** Makes room to count values, once there are many, before they are counted anywhere. */
    final void prepare() {
        RecentCounts counts = recent;
        if (counts == null) {
            recent = statistics.count() < MANY ? null : new RecentCounts(layout, RecentCounts.VALUES_MAX);
        } else if (counts.isFull()) {
            complete();
        }
    }

    /** Makes the histogram if there is none; returns it, without recent values. */
    final Histogram ready() {
        Histogram made = histogram;
        if (made == null) {
            made = layout.newHistogram();
            histogram = made;
        }
        return made;
    }

    final RawValues raw() {
        settle();
        return raw;
    }

    /**
     * Keeps a value that the statistics get next.
     *
     * @param value its integer part, for the histogram
     * @param rawValue as {@link #number} takes it
     */
    final void keep(long value, long rawValue) {
        hold(value);
        raw.add(rawValue);
    }

    private void hold(long value) {
        long held = layout.range().clamp(value);
        if (held != value) {
            clamped++;
        }
        ready().recordValue(held);
    }

    /**
     * Keeps values that the statistics get next.
     *
     * @param values integers from {@code low} to {@code high}, each its own raw value
     * @param size number of values
     */
    final void keep(long[] values, int size, long low, long high) {
        RecentCounts counts = recent;
        if (counts != null) {
            clamped += counts.add(values, size, low, high);
        } else {
            for (int i = 0; i < size; i++) {
                hold(values[i]);
            }
        }
        raw.add(values, size, low, high);
    }

    /** Keeps all values of another series, whose statistics have been added. */
    final void keepAll(Series other) {
        settle();
        if (other.count() > 0) {
            ready().add(other.histogram());
            raw.add(other.raw);
            clamped += other.clamped;
        }
    }

    /** Refuses to add a series whose values have another range. */
    final void requireSameRange(Series other) {
        if (!other.layout.range().equals(layout.range())) {
            throw new IllegalArgumentException("series " + other.name() + " cannot be added to " + name()
                    + ": its range is " + other.layout.range() + " rather than " + layout.range());
        }
    }

    /** Returns a kept value as the histogram holds it. */
    abstract long held(long rawValue);

    /** Returns a kept value as a number. */
    abstract double number(long rawValue);

    /** Returns the largest number that the histogram holds as {@code held}. */
    abstract double highestNumber(long held);

    /** Returns a place for copies of this series. */
    final SeriesSnapshot newSnapshot(HistogramEncoder encoder) {
        return new SeriesSnapshot(layout, certified, encoder);
    }

    /** Copies all but the values into {@code into}, which was made for this series. */
    final void copyInto(SeriesSnapshot into) {
        settle();
        complete();
        into.set(histogram, this::addLatest, statistics.copy(), clamped);
    }

    private boolean addLatest(Histogram to, long present) {
        return raw.visitLatest(statistics.count(), present, value -> to.recordValue(held(value)));
    }
}
