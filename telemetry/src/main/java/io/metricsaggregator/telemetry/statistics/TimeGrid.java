package io.metricsaggregator.telemetry.statistics;

import io.metricsaggregator.snapshot.telemetry.GaugeTimeline;
import io.metricsaggregator.snapshot.telemetry.TimeBuckets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A common grid of time for columns of values, for plots: buckets of one width, which doubles when they would become too many. What lies
 * a day or more off the grid is left out and counted: one wrong clock must not blur all the others. If more lies off it than on it, it begins anew there.
 */
public final class TimeGrid {
    private static final long OFF_NANOS = 86_400_000_000_000L;
    private static final int FIRST = 16;

    private final int bucketsMax;
    private final List<Column> columns = new ArrayList<>();
    private long widthNanos;
    private long startNanos;
    private int buckets;
    private long off;
    private long placed;
    private long offInARow;

    /**
     * A grid.
     *
     * @param bucketsMax an even number
     * @param widthNanos of a bucket at first
     */
    public TimeGrid(int bucketsMax, long widthNanos) {
        this.bucketsMax = bucketsMax;
        this.widthNanos = widthNanos;
    }

    /** Values over time; of a gauge, or of the increments of a counter. */
    public final class Column {
        private static final double[] NOT_KEPT = new double[0];

        private final boolean extremes;
        private double[] sums = new double[FIRST];
        private double[] weights = new double[FIRST];
        private double[] mins = NOT_KEPT;
        private double[] maxs = NOT_KEPT;
        private double[] firsts = NOT_KEPT;
        private double[] lasts = NOT_KEPT;

        private Column(boolean extremes) {
            this.extremes = extremes;
            if (extremes) {
                mins = new double[FIRST];
                maxs = new double[FIRST];
                firsts = new double[FIRST];
                lasts = new double[FIRST];
            }
            clear(0);
        }

        private void clear(int from) {
            Arrays.fill(sums, from, sums.length, 0);
            Arrays.fill(weights, from, weights.length, 0);
            if (extremes) {
                for (double[] each : List.of(mins, maxs, firsts, lasts)) {
                    Arrays.fill(each, from, each.length, Double.NaN);
                }
            }
        }

        private void grow(int size) {
            int old = sums.length;
            if (size <= old) {
                return;
            }
            int wider = Math.max(size, Math.min(bucketsMax, 2 * old));
            sums = Arrays.copyOf(sums, wider);
            weights = Arrays.copyOf(weights, wider);
            if (extremes) {
                growExtremes(wider);
            }
            clear(old);
        }

        private void growExtremes(int wider) {
            mins = Arrays.copyOf(mins, wider);
            maxs = Arrays.copyOf(maxs, wider);
            firsts = Arrays.copyOf(firsts, wider);
            lasts = Arrays.copyOf(lasts, wider);
        }

        /**
         * A value.
         *
         * @param weight what it counts for in the mean; 0 for none
         */
        public void record(long nanos, double value, double weight) {
            int at = place(nanos);
            if (at < 0) {
                return;
            }
            grow(at + 1);
            sums[at] += value * weight;
            weights[at] += weight;
            if (!extremes) {
                return;
            }
            if (Double.isNaN(firsts[at])) {
                firsts[at] = value;
                mins[at] = value;
                maxs[at] = value;
            }
            mins[at] = Math.min(mins[at], value);
            maxs[at] = Math.max(maxs[at], value);
            lasts[at] = value;
        }

        /** Takes back a value from the sums and weights; the extremes, first and last stay, which {@link #means} and {@link #sums} do not use. */
        public void takeBack(long nanos, double value, double weight) {
            int at = place(nanos);
            if (at < 0 || at >= weights.length || weights[at] <= 0) {
                return;
            }
            sums[at] -= value * weight;
            weights[at] -= weight;
            if (weights[at] <= weight * 1e-9) {
                sums[at] = 0;
                weights[at] = 0;
            }
        }

        private void halve() {
            for (int i = 0; i < sums.length; i++) {
                int to = i / 2;
                boolean second = i % 2 == 1;
                sums[to] = second ? sums[to] + sums[i] : sums[i];
                weights[to] = second ? weights[to] + weights[i] : weights[i];
                if (!extremes) {
                    continue;
                }
                mins[to] = second ? smaller(mins[to], mins[i]) : mins[i];
                maxs[to] = second ? -smaller(-maxs[to], -maxs[i]) : maxs[i];
                firsts[to] = second && !Double.isNaN(firsts[to]) ? firsts[to] : firsts[i];
                lasts[to] = second && Double.isNaN(lasts[i]) ? lasts[to] : lasts[i];
            }
            clear((sums.length + 1) / 2);
        }

        private static double smaller(double a, double b) {
            return Double.isNaN(a) ? b : Double.isNaN(b) ? a : Math.min(a, b);
        }

        private void shift(int by) {
            grow(Math.min(bucketsMax, sums.length + by));
            for (double[] each : List.of(sums, weights)) {
                System.arraycopy(each, 0, each, by, each.length - by);
                Arrays.fill(each, 0, by, 0);
            }
            if (extremes) {
                for (double[] each : List.of(mins, maxs, firsts, lasts)) {
                    System.arraycopy(each, 0, each, by, each.length - by);
                    Arrays.fill(each, 0, by, Double.NaN);
                }
            }
        }

        /** Mean, min, max, first and last of each bucket, of a column that keeps extremes; null where there is nothing. */
        public GaugeTimeline gauge() {
            double[] means = new double[buckets];
            for (int i = 0; i < buckets; i++) {
                means[i] = i >= sums.length || weights[i] == 0 ? Double.NaN : sums[i] / weights[i];
            }
            return new GaugeTimeline(
                    list(means, buckets),
                    list(mins, buckets),
                    list(maxs, buckets),
                    list(firsts, buckets),
                    list(lasts, buckets));
        }

        /** Means alone. */
        public List<@Nullable Double> means() {
            double[] means = new double[buckets];
            for (int i = 0; i < buckets; i++) {
                means[i] = i >= sums.length || weights[i] == 0 ? Double.NaN : sums[i] / weights[i];
            }
            return list(means, buckets);
        }

        /** Sums of each bucket; null where nothing was measured. */
        public List<@Nullable Double> sums() {
            double[] known = new double[buckets];
            for (int i = 0; i < buckets; i++) {
                known[i] = i >= sums.length || weights[i] == 0 ? Double.NaN : sums[i];
            }
            return list(known, buckets);
        }
    }

    private static List<@Nullable Double> list(double[] values, int size) {
        List<@Nullable Double> list = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            list.add(i >= values.length || Double.isNaN(values[i]) ? null : (Double) values[i]);
        }
        return list;
    }

    /** A column of means and sums alone: a third of the memory. */
    public Column column() {
        return add(new Column(false));
    }

    /** A column that keeps the minimum, maximum, first and last of each bucket as well. */
    public Column columnWithExtremes() {
        return add(new Column(true));
    }

    private Column add(Column column) {
        columns.add(column);
        return column;
    }

    /** The bucket of that time, which is made if there is none; negative for none. */
    private int place(long nanos) {
        if (buckets == 0) {
            startNanos = Math.floorDiv(nanos, widthNanos) * widthNanos;
            buckets = 1;
            placed++;
            return 0;
        }
        long end = startNanos + buckets * widthNanos;
        if (nanos < startNanos - OFF_NANOS || nanos > end + OFF_NANOS) {
            off++;
            if (++offInARow <= placed) {
                return -1;
            }
            // More lies off it than on it: it was the first whose clock was wrong.
            columns.forEach(column -> column.clear(0));
            buckets = 0;
            placed = 0;
            offInARow = 0;
            return place(nanos);
        }
        placed++;
        while (Math.max(end, nanos + 1) - Math.min(startNanos, nanos) > (bucketsMax - 1L) * widthNanos) {
            widen();
            end = startNanos + buckets * widthNanos;
        }
        if (nanos < startNanos) {
            int by = (int) ((startNanos - nanos + widthNanos - 1) / widthNanos);
            columns.forEach(column -> column.shift(by));
            startNanos -= by * widthNanos;
            buckets += by;
        }
        int at = (int) ((nanos - startNanos) / widthNanos);
        buckets = Math.max(buckets, at + 1);
        return at;
    }

    private void widen() {
        if (Math.floorMod(startNanos, 2 * widthNanos) != 0) {
            // So that buckets of all grids begin at multiples of their width.
            columns.forEach(column -> column.shift(1));
            startNanos -= widthNanos;
            buckets++;
        }
        columns.forEach(Column::halve);
        widthNanos *= 2;
        buckets = (buckets + 1) / 2;
    }

    /** The buckets, and how many values were left out. */
    public TimeBuckets timeBuckets() {
        return new TimeBuckets(startNanos, widthNanos, buckets, off);
    }

    /** Where it begins, how wide a bucket is, how many there are, and what is off it. */
    public Map<String, @Nullable Object> freeze() {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("start_ns", startNanos);
        tree.put("width_ns", widthNanos);
        tree.put("buckets", (long) buckets);
        tree.put("off_grid", off);
        return tree;
    }
}
