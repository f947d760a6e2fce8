package io.metricsaggregator.registry;

import io.metricsaggregator.snapshot.histogram.HdrGrid;
import java.util.Arrays;
import org.HdrHistogram.Histogram;

/**
 * How often each value was recorded since the histogram got the counts last. Counting here costs less than {@link Histogram#recordValue}, which also keeps a total and
 * extremes. Belongs to the thread that records.
 */
final class RecentCounts {
    /** Values at which the histogram has to get the counts; one more block fits. */
    static final int VALUES_MAX = 1 << 30;

    private final HdrRange range;
    private final HdrGrid grid;
    private final int[] counts;
    private final int most;
    private int values;

    /**
     * No counts.
     *
     * @param most values at which it is full, at most {@link #VALUES_MAX}
     */
    RecentCounts(SeriesLayout layout, int most) {
        this.most = most;
        range = layout.range();
        grid = new HdrGrid(range.lowest(), range.highest(), layout.significantFigures());
        counts = new int[grid.length()];
    }

    /** Whether the histogram has to get the counts before a block of values is added. */
    boolean isFull() {
        return values >= most;
    }

    /**
     * Counts the first {@code size} of {@code added}, from {@code low} to {@code high}, each at the nearer edge if it is outside the range.
     *
     * @return how many are outside
     */
    int add(long[] added, int size, long low, long high) {
        values += size;
        if (low < range.lowest() || high > range.highest()) {
            return addClamped(added, size);
        }
        HdrGrid at = grid;
        int[] into = counts;
        for (int i = 0; i < size; i++) {
            into[at.indexOf(added[i])]++;
        }
        return 0;
    }

    private int addClamped(long[] added, int size) {
        int outside = 0;
        for (int i = 0; i < size; i++) {
            long held = range.clamp(added[i]);
            outside += held == added[i] ? 0 : 1;
            counts[grid.indexOf(held)]++;
        }
        return outside;
    }

    /**
     * Gives the counts to the histogram.
     *
     * @param lowest at most the smallest value that was added, or the nearest double
     * @param highest at least the largest one, or the nearest double: those of the range are exact
     */
    void moveTo(Histogram histogram, double lowest, double highest) {
        if (values == 0) {
            return;
        }
        values = 0;
        int first = grid.indexOf(range.clamp((long) lowest));
        int last = grid.indexOf(range.clamp((long) highest));
        for (int i = first; i <= last; i++) {
            if (counts[i] > 0) {
                histogram.recordValueWithCount(grid.lowestOf(i), counts[i]);
            }
        }
        Arrays.fill(counts, first, last + 1, 0);
    }
}
