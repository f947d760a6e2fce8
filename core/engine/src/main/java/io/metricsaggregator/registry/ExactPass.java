package io.metricsaggregator.registry;

import io.metricsaggregator.snapshot.histogram.HdrGrid;
import io.metricsaggregator.snapshot.histogram.LogBuckets;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Finds exact percentiles, bounds and display buckets of a series in one scan of its values, shared among workers. The HDR histogram
 * tells in which of its buckets each percentile lies: only the values of those few buckets are gathered and sorted; {@link RankNarrowing}
 * scans again where a bucket holds too many. Most HDR buckets lie within one display bucket and are added as a whole; only the values of
 * those that a display edge cuts are sorted into display buckets one by one. Used once, by the thread that owns the registry.
 */
final class ExactPass {
    /** Values in one HDR bucket beyond which {@link RankNarrowing} is used rather than gathering: 4 MiB of them. */
    private static final int GATHER_MAX = 1 << 19;

    /** Values below which one thread scans alone. */
    private static final long SHARED_MIN = 1 << 20;

    private static final byte CUT = 1;

    /** HDR buckets that are gathered from at most: a slot has to fit a byte beside {@link #CUT}. */
    private static final int SLOTS_MAX = 63;

    private final Series series;
    /** Values to leave out, each taking one equal value out of the series; null for none. */
    private final @Nullable Series without;

    private final HdrGrid layout;
    private final LogBuckets buckets;
    /** Places among the ascending values: those of the percentiles, then the further ones; negative for none. */
    private final long[] ranks;

    /** The values at those places, as the series keeps them. */
    private final long[] raw;

    private final Workers workers;

    private ExactPass(Series series, @Nullable Series without, long[] further, Workers workers) {
        this.series = series;
        this.without = without;
        this.workers = series.count() < SHARED_MIN ? Workers.NONE : workers;
        PercentileGrid grid = series.layout().grid();
        long left = without == null ? series.count() : series.count() - without.count();
        this.ranks = Arrays.copyOf(grid.exactRanks(left), grid.size() + further.length);
        System.arraycopy(further, 0, ranks, grid.size(), further.length);
        this.raw = new long[ranks.length];
        HdrRange range = series.layout().range();
        this.layout =
                new HdrGrid(range.lowest(), range.highest(), series.layout().significantFigures());
        this.buckets = series.layout().newBuckets(series.statistics());
    }

    /**
     * Scans a series.
     *
     * @param further places of values wanted beside the percentiles, from 0; negative for none
     * @param workers scan together
     * @param outOfTime asked after each block, by every worker; true ends the scan
     * @return null if the series is empty, not all its values were kept or can be read, or time ran out
     */
    static @Nullable ExactValues of(Series series, long[] further, Workers workers, BooleanSupplier outOfTime) {
        if (!series.raw().isComplete() || series.count() == 0) {
            return null;
        }
        return new ExactPass(series, null, further, workers).run(outOfTime);
    }

    /**
     * Scans the values of a series that remain when those of another are taken away.
     *
     * @param without a series whose values are all among those of {@code series}, as often there as here
     * @param further places of values among those that remain
     * @return null if not all values of both were kept or can be read, some of {@code without} are not in {@code series}, or time ran out
     */
    static @Nullable ExactValues of(
            Series series, Series without, long[] further, Workers workers, BooleanSupplier outOfTime) {
        if (!series.raw().isComplete() || !without.raw().isComplete()) {
            return null;
        }
        return new ExactPass(series, without, further, workers).run(outOfTime);
    }

    private @Nullable ExactValues run(BooleanSupplier outOfTime) {
        Plan plan = plan();
        if (plan == null) {
            return null;
        }
        Gathering[] parts = scanShared(plan, outOfTime);
        Gathering away = new Gathering(plan);
        if (parts == null || !scanAway(away, outOfTime)) {
            return null;
        }
        fillBuckets(parts, away);
        return findRanks(plan, parts, away, outOfTime) ? result() : null;
    }

    /** Scans the series, a part of it by each worker; returns null if a part was not scanned whole. */
    private Gathering @Nullable [] scanShared(Plan plan, BooleanSupplier outOfTime) {
        Gathering[] parts = new Gathering[workers.count()];
        boolean[] whole = new boolean[parts.length];
        workers.run(part -> {
            Gathering gathering = new Gathering(plan);
            parts[part] = gathering;
            whole[part] = series.raw().visit(part, parts.length, (values, size) -> {
                gathering.scan(values, size);
                return !outOfTime.getAsBoolean();
            });
        });
        for (boolean each : whole) {
            if (!each) {
                return null;
            }
        }
        return parts;
    }

    private boolean scanAway(Gathering away, BooleanSupplier outOfTime) {
        return without == null
                || without.raw().visit(0, 1, (values, size) -> {
                    away.scan(values, size);
                    return !outOfTime.getAsBoolean();
                });
    }

    private void fillBuckets(Gathering[] parts, Gathering away) {
        for (int bucket = 0; bucket < away.display.length; bucket++) {
            for (Gathering part : parts) {
                buckets.add(bucket, part.display[bucket]);
            }
            buckets.add(bucket, -away.display[bucket]);
        }
    }

    private boolean findRanks(Plan plan, Gathering[] parts, Gathering away, BooleanSupplier outOfTime) {
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
        return crowded.find(outOfTime, raw);
    }

    private ExactValues result() {
        double[] found = new double[ranks.length];
        for (int i = 0; i < ranks.length; i++) {
            if (ranks[i] >= 0) {
                found[i] = series.number(raw[i]);
            }
        }
        return new ExactValues(found, raw, series.layout().grid().size(), buckets.buckets());
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

    /** The HDR bucket of each place, and what the scan does with the values of each HDR bucket. */
    private final class Plan {
        /** For each HDR bucket: {@link #CUT}, and twice the slot its values are gathered in, or 0. */
        final byte[] role = new byte[layout.length()];

        final int[] bucketOfRank = new int[ranks.length];
        final long[] restOfRank = new long[ranks.length];
        /** 0 where the bucket holds too many values to gather. */
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

        final long[] display = new long[series.layout().displayBuckets()];
        final long[][] gathered;
        final int[] used;
        private final byte[] role;

        Gathering(Plan plan) {
            role = plan.role;
            gathered = new long[plan.slots + 1][FIRST];
            used = new int[plan.slots + 1];
        }

        void scan(long[] values, int size) {
            for (int i = 0; i < size; i++) {
                long value = values[i];
                byte what = role[layout.indexOf(series.held(value))];
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

    /** Returns null if a value to leave out is not in the series. */
    private @Nullable Plan plan() {
        Plan plan = new Plan();
        Histogram all = series.histogram();
        Histogram away = without == null ? null : without.histogram();
        long least = away == null ? all.getMinValue() : Math.min(all.getMinValue(), away.getMinValue());
        long most = away == null ? all.getMaxValue() : Math.max(all.getMaxValue(), away.getMaxValue());
        long before = 0;
        for (int bucket = layout.indexOf(least); bucket <= layout.indexOf(most); bucket++) {
            long lowest = layout.lowestOf(bucket);
            long held = all.getCountAtValue(lowest);
            long count = held - (away == null ? 0 : away.getCountAtValue(lowest));
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
        HdrRange range = series.layout().range();
        boolean atEdgeOfRange = index == layout.indexOf(range.lowest()) || index == layout.length() - 1;
        int first = buckets.bucketOf((double) layout.lowestOf(index));
        double highest = series.highestNumber(layout.highestOf(index));
        // The buckets at the ends of the range hold clamped values too, which may belong to any display bucket.
        if (atEdgeOfRange || buckets.bucketOf(highest) != first) {
            role[index] = CUT;
        } else {
            buckets.add(first, count);
        }
    }
}
