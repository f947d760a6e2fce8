package io.metricsaggregator.registry;

import io.metricsaggregator.snapshot.HistogramBucket;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Exact percentiles, bounds and display buckets of a series in one look at its values, shared out among workers. The HDR histogram
 * says in which of its buckets each of them lies: only the values of those few are gathered and sorted. Where a bucket holds too
 * many, further looks narrow the range in which the value lies. Likewise most HDR buckets lie within one display bucket and are
 * added as a whole; only values of those that a display edge cuts are looked at one by one.
 */
final class ExactPass {
    /** More values than this in one HDR bucket are left to {@link RankNarrowing} rather than gathered: 4 MiB. */
    private static final int GATHER_MAX = 1 << 19;

    /** Fewer values than this are not worth waking others. */
    private static final long SHARED_MIN = 1 << 20;

    private static final byte CUT = 1;

    /** More HDR buckets than this are not gathered from: a slot has to fit a byte beside {@link #CUT}. */
    private static final int SLOTS_MAX = 63;

    private final Series series;
    /** Values that are looked away from: each takes one of its kind out of the series; null for none. */
    private final @Nullable Series without;

    private final HdrLayout layout;
    private final LogBuckets buckets;
    /** Places among the ascending values: those of the percentiles, then those of the bounds; negative for none. */
    private final long[] ranks;

    /** The values at those places, as they were kept and as numbers. */
    private final long[] raw;

    private final double[] found;
    private final Workers workers;

    /**
     * A pass that is still to be run.
     *
     * @param bounds places of further values, from 0; negative for none
     */
    ExactPass(Series series, long[] bounds, Workers workers) {
        this(series, null, bounds, workers);
    }

    /**
     * A pass over the values of a series that are not those of another.
     *
     * @param without values that are all among those of {@code series}, as often there as here
     * @param bounds places of further values among those that are left
     */
    ExactPass(Series series, @Nullable Series without, long[] bounds, Workers workers) {
        this.series = series;
        this.without = without;
        this.workers = series.count < SHARED_MIN ? Workers.NONE : workers;
        long left = without == null ? series.count : series.count - without.count;
        this.ranks = Arrays.copyOf(series.grid.exactRanks(left), series.grid.size() + bounds.length);
        System.arraycopy(bounds, 0, ranks, series.grid.size(), bounds.length);
        this.raw = new long[ranks.length];
        this.found = new double[ranks.length];
        this.layout = new HdrLayout(series.significantFigures, series.range.highest());
        double min = series instanceof DoubleSeries real ? real.min : ((LongSeries) series).min;
        double max = series instanceof DoubleSeries real ? real.max : ((LongSeries) series).max;
        this.buckets = new LogBuckets(min, max, series.displayBuckets);
    }

    Map<String, Double> percentiles() {
        return series.grid.map(found);
    }

    /** The values at the further places. */
    double[] further() {
        return Arrays.copyOfRange(found, series.grid.size(), found.length);
    }

    /** A value at one of the further places as it was kept: of a series of integers, the value itself. */
    long furtherRaw(int index) {
        return raw[series.grid.size() + index];
    }

    /** The values at the places of the percentiles. */
    double[] found() {
        return Arrays.copyOf(found, series.grid.size());
    }

    List<HistogramBucket> buckets() {
        return buckets.buckets();
    }

    /** Does it; false if time ran out, or values could not be read. */
    boolean run(BooleanSupplier outOfTime) {
        Plan plan = plan();
        if (plan == null) {
            return false;
        }
        Gathering[] parts = new Gathering[workers.count()];
        boolean[] whole = new boolean[parts.length];
        workers.run(part -> {
            Gathering gathering = new Gathering(plan);
            parts[part] = gathering;
            whole[part] = series.raw.visit(part, parts.length, (values, size) -> {
                gathering.look(values, size);
                return !outOfTime.getAsBoolean();
            });
        });
        for (boolean each : whole) {
            if (!each) {
                return false;
            }
        }
        Gathering away = new Gathering(plan);
        if (without != null
                && !without.raw.visit(0, 1, (values, size) -> {
                    away.look(values, size);
                    return !outOfTime.getAsBoolean();
                })) {
            return false;
        }
        for (int bucket = 0; bucket < series.displayBuckets; bucket++) {
            for (Gathering part : parts) {
                buckets.add(bucket, part.display[bucket]);
            }
            buckets.add(bucket, -away.display[bucket]);
        }
        long[][] sorted = new long[plan.slots + 1][];
        for (int slot = 1; slot <= plan.slots; slot++) {
            long[] left = SortedValues.without(sorted(parts, slot), sorted(new Gathering[] {away}, slot));
            if (left == null) {
                return false;
            }
            sorted[slot] = left;
        }
        RankNarrowing crowded = new RankNarrowing(series, without, layout, workers, ranks.length);
        for (int i = 0; i < ranks.length; i++) {
            if (ranks[i] >= 0 && plan.slotOfRank[i] > 0) {
                raw[i] = sorted[plan.slotOfRank[i]][(int) plan.restOfRank[i]];
            } else if (ranks[i] >= 0) {
                crowded.add(i, plan.bucketOfRank[i], plan.restOfRank[i]);
            }
        }
        if (!crowded.find(outOfTime, raw)) {
            return false;
        }
        for (int i = 0; i < ranks.length; i++) {
            if (ranks[i] >= 0) {
                found[i] = series.number(raw[i]);
            }
        }
        return true;
    }

    private static long[] sorted(Gathering[] parts, int slot) {
        int size = 0;
        for (Gathering part : parts) {
            size += part.used[slot];
        }
        long[] all = new long[size];
        int at = 0;
        for (Gathering part : parts) {
            System.arraycopy(part.gathered[slot], 0, all, at, part.used[slot]);
            at += part.used[slot];
        }
        Arrays.sort(all);
        return all;
    }

    /** Where the values are, and what to do with the values of each HDR bucket. */
    private final class Plan {
        /** For each HDR bucket: {@link #CUT}, and twice the slot its values are gathered in, or 0. */
        final byte[] role = new byte[layout.length()];

        final int[] bucketOfRank = new int[ranks.length];
        final long[] restOfRank = new long[ranks.length];
        /** 0 for values that are too many to be gathered. */
        final int[] slotOfRank = new int[ranks.length];

        int slots;

        void find(int bucket, long before, long count, long held) {
            int slot = 0;
            for (int i = 0; i < ranks.length; i++) {
                long rank = ranks[i];
                if (rank >= before && rank < before + count) {
                    if (slot == 0 && held <= GATHER_MAX && slots < SLOTS_MAX) {
                        slot = ++slots;
                        role[bucket] |= (byte) (slot << 1);
                    }
                    bucketOfRank[i] = bucket;
                    restOfRank[i] = rank - before;
                    slotOfRank[i] = slot;
                }
            }
        }
    }

    /** What one worker finds in its part of the values. */
    private final class Gathering {
        private static final int FIRST = 1 << 10;

        final long[] display = new long[series.displayBuckets];
        final long[][] gathered;
        final int[] used;
        private final byte[] role;

        Gathering(Plan plan) {
            role = plan.role;
            gathered = new long[plan.slots + 1][FIRST];
            used = new int[plan.slots + 1];
        }

        void look(long[] values, int size) {
            for (int i = 0; i < size; i++) {
                long value = values[i];
                byte what = role[layout.index(series.held(value))];
                if (what != 0) {
                    if ((what & CUT) != 0) {
                        display[buckets.bucketOf(series.number(value))]++;
                    }
                    if (what >> 1 > 0) {
                        gather(what >> 1, value);
                    }
                }
            }
        }

        private void gather(int slot, long value) {
            if (used[slot] == gathered[slot].length) {
                gathered[slot] = Arrays.copyOf(gathered[slot], 2 * used[slot]);
            }
            gathered[slot][used[slot]++] = value;
        }
    }

    /** Null if not all values that are to be looked away from are there. */
    private @Nullable Plan plan() {
        Plan plan = new Plan();
        long before = 0;
        for (int bucket = 0; bucket < layout.length(); bucket++) {
            long lowest = layout.lowestOf(bucket);
            long held = series.histogram.getCountAtValue(lowest);
            long count = held - (without == null ? 0 : without.histogram.getCountAtValue(lowest));
            if (count < 0) {
                return null;
            }
            if (count > 0) {
                planDisplay(bucket, count, plan.role);
                plan.find(bucket, before, count, held);
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
}
