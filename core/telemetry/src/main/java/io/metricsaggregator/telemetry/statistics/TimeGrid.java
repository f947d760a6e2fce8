package io.metricsaggregator.telemetry.statistics;

import io.metricsaggregator.snapshot.telemetry.GaugeTimeline;
import io.metricsaggregator.snapshot.telemetry.TimeBuckets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A time axis that columns of values share, for plots: buckets of equal width, which doubles when there would be too many. Values a day or
 * more off the grid are dropped and counted, because one wrong clock must not coarsen all columns. When more values lie off the grid than on
 * it, the grid starts again at the new time. Belongs to the thread that applies events.
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
     * A grid without buckets.
     *
     * @param bucketsMax most buckets, an even number
     * @param widthNanos initial width of a bucket
     */
    public TimeGrid(int bucketsMax, long widthNanos) {
        this.bucketsMax = bucketsMax;
        this.widthNanos = widthNanos;
    }

    /** One row of values over time: a gauge, or the increments of a counter. */
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
         * Records a value in the bucket of its time.
         *
         * @param weight weight of the value in the mean; 0 to leave it out
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

        /** Subtracts a recorded value from sums and weights. Extremes, first and last stay; {@link #means} and {@link #sums} do not use them. */
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

        /** Mean, min, max, first and last value of each bucket, for a column that keeps extremes; null where nothing was measured. */
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

        /** The sum of the weights in a span. */
        public double weight(Span span) {
            return total(weights, span);
        }

        /** The sum of the weighted values in a span. */
        public double sum(Span span) {
            return total(sums, span);
        }

        private static double total(double[] of, Span span) {
            double total = 0;
            for (int i = span.from; i < Math.min(span.to, of.length); i++) {
                total += of[i];
            }
            return total;
        }

        /** The highest value in a span, for a column that keeps extremes; NaN without values. */
        public double highest(Span span) {
            double highest = Double.NaN;
            for (int i = span.from; i < Math.min(span.to, maxs.length); i++) {
                highest = -smaller(-highest, -maxs[i]);
            }
            return highest;
        }

        /** The newest value in a span, for a column that keeps extremes; NaN without values. */
        public double newest(Span span) {
            double newest = Double.NaN;
            for (int i = span.from; i < Math.min(span.to, lasts.length); i++) {
                newest = Double.isNaN(lasts[i]) ? newest : lasts[i];
            }
            return newest;
        }

        /** The weighted mean of each bucket; null where nothing was measured. */
        public List<@Nullable Double> means() {
            double[] means = new double[buckets];
            for (int i = 0; i < buckets; i++) {
                means[i] = i >= sums.length || weights[i] == 0 ? Double.NaN : sums[i] / weights[i];
            }
            return list(means, buckets);
        }

        /** The sum of each bucket; null where nothing was measured. */
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

    /** A new column with means and sums only, in a third of the memory. */
    public Column column() {
        return add(new Column(false));
    }

    /** A new column that also keeps the minimum, maximum, first and last value of each bucket. */
    public Column columnWithExtremes() {
        return add(new Column(true));
    }

    private Column add(Column column) {
        columns.add(column);
        return column;
    }

    /** The index of the bucket of that time, which is created if missing; negative if the time is off the grid. */
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
            // More values lie off the grid than on it, so the clock of the first values was wrong.
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
            // Buckets of all grids start at multiples of their width.
            columns.forEach(column -> column.shift(1));
            startNanos -= widthNanos;
            buckets++;
        }
        columns.forEach(Column::halve);
        widthNanos *= 2;
        buckets = (buckets + 1) / 2;
    }

    /** Consecutive buckets. */
    public static final class Span {
        private final int from;
        private final int to;
        private final long fromNanos;
        private final long toNanos;

        private Span(int from, int to, long fromNanos, long toNanos) {
            this.from = from;
            this.to = to;
            this.fromNanos = fromNanos;
            this.toNanos = toNanos;
        }

        /** Start of the first bucket. */
        public long fromNanos() {
            return fromNanos;
        }

        /** End of the last bucket. */
        public long toNanos() {
            return toNanos;
        }
    }

    /** All buckets. */
    public Span all() {
        return new Span(0, buckets, startNanos, startNanos + buckets * widthNanos);
    }

    /** The buckets that lie wholly between two times; null if there is none. Valid until the next value is recorded. */
    public @Nullable Span within(long fromNanos, long toNanos) {
        long from = Math.max(0, -Math.floorDiv(startNanos - fromNanos, widthNanos));
        long to = Math.min(buckets, Math.floorDiv(toNanos - startNanos, widthNanos));
        return from >= to
                ? null
                : new Span((int) from, (int) to, startNanos + from * widthNanos, startNanos + to * widthNanos);
    }

    /** The buckets, and the number of dropped values. */
    public TimeBuckets timeBuckets() {
        return new TimeBuckets(startNanos, widthNanos, buckets, off);
    }
}
