package io.metricsaggregator.registry;

import io.metricsaggregator.snapshot.HistogramBucket;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Exact percentiles, bounds and display buckets of a series in one look at its values. The HDR histogram says in which of its buckets each
 * of them lies: only the values of those few are gathered and sorted. Likewise most HDR buckets lie within one display bucket
 * and are added as a whole; only values of those that a display edge cuts are looked at one by one.
 */
final class ExactPass {
    /** More values than this in one HDR bucket are narrowed down by further looks rather than gathered: 8 MiB. */
    private static final int GATHER_MAX = 1 << 20;

    private static final int NARROWING_MAGNITUDE = 12;

    private static final byte CUT = 1;

    private final Series series;
    private final HdrLayout layout;
    private final LogBuckets buckets;
    /** Places among the ascending values: those of the percentiles, then those of the bounds; negative for none. */
    private final long[] ranks;

    private final double[] found;

    /**
     * A pass that is still to be run.
     *
     * @param bounds places of further values, from 0; negative for none
     */
    ExactPass(Series series, long[] bounds) {
        this.series = series;
        this.ranks = Arrays.copyOf(PercentileGrid.exactRanks(series.count), PercentileGrid.size() + bounds.length);
        System.arraycopy(bounds, 0, ranks, PercentileGrid.size(), bounds.length);
        this.found = new double[ranks.length];
        this.layout = new HdrLayout(series.significantFigures, series.range.highest());
        double min = series instanceof DoubleSeries real ? real.min : ((LongSeries) series).min;
        double max = series instanceof DoubleSeries real ? real.max : ((LongSeries) series).max;
        this.buckets = new LogBuckets(min, max, series.displayBuckets);
    }

    Map<String, Double> percentiles() {
        return PercentileGrid.map(found);
    }

    /** The values at the further places. */
    double[] bounds() {
        return Arrays.copyOfRange(found, PercentileGrid.size(), found.length);
    }

    List<HistogramBucket> buckets() {
        return buckets.buckets();
    }

    /** Does it; false if time ran out. */
    boolean run(BooleanSupplier outOfTime) {
        Plan plan = plan();
        byte[] role = plan.role;
        boolean[] late = new boolean[1];
        series.raw.forEachChunk((values, size) -> {
            for (int i = 0; i < size; i++) {
                long value = values[i];
                byte what = role[layout.index(series.held(value))];
                if (what != 0) {
                    if ((what & CUT) != 0) {
                        buckets.add(buckets.bucketOf(series.number(value)), 1);
                    }
                    plan.gather(what >> 1, value);
                }
            }
            late[0] = outOfTime.getAsBoolean();
            return !late[0];
        });
        if (late[0]) {
            return false;
        }
        plan.sort();
        for (int i = 0; i < ranks.length; i++) {
            if (ranks[i] < 0) {
                continue;
            }
            long[] values = plan.gathered[plan.slotOfRank[i]];
            if (values == null && outOfTime.getAsBoolean()) {
                return false;
            }
            int rest = (int) plan.restOfRank[i];
            long value = values == null ? narrow(plan.bucketOfRank[i], plan.restOfRank[i]) : values[rest];
            found[i] = series.number(value);
        }
        return true;
    }

    /** Where the values are, and what to do with the values of each HDR bucket. */
    private final class Plan {
        /** For each HDR bucket: {@link #CUT}, and twice the slot its values are gathered in, or 0. */
        final byte[] role = new byte[layout.length()];

        final int[] bucketOfRank = new int[ranks.length];
        final long[] restOfRank = new long[ranks.length];
        /** 0 for values that are too many to be gathered. */
        final int[] slotOfRank = new int[ranks.length];

        final long[] @Nullable [] gathered = new long[ranks.length + 1][];
        private final int[] used = new int[ranks.length + 1];
        private int slots;

        void find(int bucket, long before, long count) {
            int slot = 0;
            for (int i = 0; i < ranks.length; i++) {
                long rank = ranks[i];
                if (rank >= before && rank < before + count) {
                    if (slot == 0 && count <= GATHER_MAX) {
                        slot = ++slots;
                        gathered[slot] = new long[(int) count];
                        role[bucket] |= (byte) (slot << 1);
                    }
                    bucketOfRank[i] = bucket;
                    restOfRank[i] = rank - before;
                    slotOfRank[i] = slot;
                }
            }
        }

        void gather(int slot, long value) {
            long[] values = gathered[slot];
            if (values != null) {
                values[used[slot]++] = value;
            }
        }

        void sort() {
            for (long[] values : gathered) {
                if (values != null) {
                    Arrays.sort(values);
                }
            }
        }
    }

    private Plan plan() {
        Plan plan = new Plan();
        long before = 0;
        for (int bucket = 0; bucket < layout.length(); bucket++) {
            long count = series.histogram.getCountAtValue(layout.lowestOf(bucket));
            if (count > 0) {
                planDisplay(bucket, count, plan.role);
                plan.find(bucket, before, count);
                before += count;
            }
        }
        return plan;
    }

    private void planDisplay(int index, long count, byte[] role) {
        boolean atEdgeOfRange = index == layout.index(series.range.lowest()) || index == layout.length() - 1;
        int first = buckets.bucketOf((double) layout.lowestOf(index));
        // Real numbers reach up to the next bucket's lowest value.
        double highest = series instanceof DoubleSeries
                ? Math.nextDown((double) layout.highestOf(index) + 1)
                : (double) layout.highestOf(index);
        // Clamped values are in the buckets at the ends of the range, wherever they belong.
        if (atEdgeOfRange || buckets.bucketOf(highest) != first) {
            role[index] = CUT;
        } else {
            buckets.add(first, count);
        }
    }

    /** The value at a place among the values of one HDR bucket, by looking again at ever narrower ranges. */
    private long narrow(int index, long rank) {
        long[] range = {Long.MAX_VALUE, Long.MIN_VALUE};
        series.raw.forEachChunk((values, size) -> {
            for (int i = 0; i < size; i++) {
                if (layout.index(series.held(values[i])) == index) {
                    range[0] = Math.min(range[0], values[i]);
                    range[1] = Math.max(range[1], values[i]);
                }
            }
            return true;
        });
        long low = range[0];
        long high = range[1];
        long rest = rank;
        while (low < high) {
            int width = 64 - Long.numberOfLeadingZeros(high - low);
            int shift = Math.max(0, width - NARROWING_MAGNITUDE);
            long from = low;
            long to = high;
            long[] counts = new long[(int) ((high - low) >>> shift) + 1];
            series.raw.forEachChunk((values, size) -> {
                for (int i = 0; i < size; i++) {
                    long value = values[i];
                    if (value >= from && value <= to) {
                        counts[(int) ((value - from) >>> shift)]++;
                    }
                }
                return true;
            });
            int part = 0;
            while (rest >= counts[part]) {
                rest -= counts[part++];
            }
            low = from + ((long) part << shift);
            high = Math.min(to, low + (1L << shift) - 1);
        }
        return low;
    }
}
