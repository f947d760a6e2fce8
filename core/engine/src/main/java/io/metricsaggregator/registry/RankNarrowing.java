package io.metricsaggregator.registry;

import io.metricsaggregator.snapshot.histogram.HdrGrid;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Exact values at given ranks within HDR buckets that hold too many values to be gathered and sorted. Each scan of the series
 * counts, for all ranks together, how many values lie in each of {@value #CELLS} equal cells of a rank's range, and so narrows the
 * range to one cell, until it holds a single value. Memory is bounded by the number of ranks. Used once, by one thread, which
 * shares out the scans among workers.
 */
final class RankNarrowing {
    private static final int CELLS_MAGNITUDE = 12;
    private static final int CELLS = 1 << CELLS_MAGNITUDE;

    private final Series series;
    private final @Nullable Series without;
    private final HdrGrid layout;
    private final Workers workers;

    /** For each rank: its index among the results. */
    private final int[] place;
    /** For each rank: number of values of its range, at first its bucket, that lie below it. */
    private final long[] rest;

    private final int[] bucket;
    private final long[] low;
    private final long[] high;
    /** For each HDR bucket: 1 + the first rank that lies in it, or 0; ranks of one bucket follow each other. */
    private final byte[] firstRank;

    private int size;

    /** Counts a block of values in the cells of one worker. */
    private interface BlockCount {
        void add(long[] cells, long[] values, int count);
    }

    /**
     * A narrowing without ranks.
     *
     * @param without a series whose values are all among those of {@code series} and are left out; null for none
     * @param layout of the histogram of {@code series}
     * @param ranksMax how many ranks are added at most; below 128
     */
    RankNarrowing(Series series, @Nullable Series without, HdrGrid layout, Workers workers, int ranksMax) {
        this.series = series;
        this.without = without;
        this.layout = layout;
        this.workers = workers;
        this.place = new int[ranksMax];
        this.rest = new long[ranksMax];
        this.bucket = new int[ranksMax];
        this.low = new long[ranksMax];
        this.high = new long[ranksMax];
        this.firstRank = new byte[layout.length()];
    }

    /**
     * Adds a rank for {@link #find}.
     *
     * @param result index of its value in the results
     * @param inBucket HDR bucket in which it lies
     * @param restInBucket how many values of that bucket lie below it
     */
    void add(int result, int inBucket, long restInBucket) {
        place[size] = result;
        bucket[size] = inBucket;
        rest[size] = restInBucket;
        size++;
    }

    /**
     * Finds the values at all ranks that were added.
     *
     * @param results takes each value as the series keeps it, at its index; untouched if not all are found
     * @return false if time ran out, or values could not be read
     */
    boolean find(BooleanSupplier outOfTime, long[] results) {
        if (size == 0) {
            return true;
        }
        sortByBucket();
        if (!findBounds(outOfTime)) {
            return false;
        }
        while (isWide()) {
            if (!narrow(outOfTime)) {
                return false;
            }
        }
        for (int i = 0; i < size; i++) {
            results[place[i]] = low[i];
        }
        return true;
    }

    private void sortByBucket() {
        for (int i = 1; i < size; i++) {
            for (int k = i; k > 0 && bucket[k - 1] > bucket[k]; k--) {
                swap(k - 1, k);
            }
        }
        for (int i = size - 1; i >= 0; i--) {
            firstRank[bucket[i]] = (byte) (i + 1);
        }
    }

    private void swap(int a, int b) {
        int atA = place[a];
        place[a] = place[b];
        place[b] = atA;
        int inA = bucket[a];
        bucket[a] = bucket[b];
        bucket[b] = inA;
        long restA = rest[a];
        rest[a] = rest[b];
        rest[b] = restA;
    }

    private boolean isWide() {
        for (int i = 0; i < size; i++) {
            if (low[i] < high[i]) {
                return true;
            }
        }
        return false;
    }

    /** Finds the smallest and the largest value of each bucket; they are unknown, because the outermost buckets hold clamped values. */
    private boolean findBounds(BooleanSupplier outOfTime) {
        long[][] bounds = scan(outOfTime, 2 * size, (own, values, count) -> {
            for (int k = 0; k < count; k++) {
                long value = values[k];
                int first = firstRank[layout.indexOf(series.held(value))] - 1;
                if (first >= 0) {
                    // Cells start at 0, which is the neutral element of max; for the minimum complements make it so.
                    int at = 2 * first;
                    own[at] = Math.max(own[at], Long.MAX_VALUE - Math.max(value, 0));
                    own[at + 1] = Math.max(own[at + 1], Math.max(value, 0));
                    if (value < 0) {
                        own[at] = Long.MAX_VALUE;
                    }
                }
            }
        });
        if (bounds == null) {
            return false;
        }
        for (int i = 0; i < size; i++) {
            int at = 2 * (firstRank[bucket[i]] - 1);
            long complement = 0;
            long top = 0;
            for (long[] own : bounds) {
                complement = Math.max(complement, own[at]);
                top = Math.max(top, own[at + 1]);
            }
            // With negative values the lower bound is that of 64-bit numbers.
            low[i] = complement == Long.MAX_VALUE ? Long.MIN_VALUE : Long.MAX_VALUE - complement;
            high[i] = top;
        }
        return true;
    }

    private int shift(int i) {
        int width = 64 - Long.numberOfLeadingZeros(high[i] - low[i]);
        return Math.max(0, width - CELLS_MAGNITUDE);
    }

    /** Narrows every range to one of its cells; false if time ran out, or values could not be read. */
    private boolean narrow(BooleanSupplier outOfTime) {
        int[] shifts = new int[size];
        for (int i = 0; i < size; i++) {
            shifts[i] = shift(i);
        }
        BlockCount inCells = (own, values, count) -> {
            for (int k = 0; k < count; k++) {
                long value = values[k];
                int index = layout.indexOf(series.held(value));
                int first = firstRank[index] - 1;
                for (int i = first; i >= 0 && i < size && bucket[i] == index; i++) {
                    if (value >= low[i] && value <= high[i]) {
                        own[i * CELLS + (int) ((value - low[i]) >>> shifts[i])]++;
                    }
                }
            }
        };
        long[][] counted = scan(outOfTime, size * CELLS, inCells);
        long[] away = new long[size * CELLS];
        if (counted == null
                || (without != null
                        && !without.raw().visit(0, 1, (values, count) -> {
                            inCells.add(away, values, count);
                            return !outOfTime.getAsBoolean();
                        }))) {
            return false;
        }
        for (int i = 0; i < size; i++) {
            narrow(i, shifts[i], counted, away);
        }
        return true;
    }

    private void narrow(int i, int shift, long[][] counted, long[] away) {
        if (low[i] >= high[i]) {
            return;
        }
        int cell = 0;
        while (true) {
            long inCell = -away[i * CELLS + cell];
            for (long[] own : counted) {
                inCell += own[i * CELLS + cell];
            }
            if (rest[i] < inCell) {
                break;
            }
            rest[i] -= inCell;
            cell++;
        }
        low[i] += (long) cell << shift;
        long top = low[i] + (1L << shift) - 1;
        // The top of the last cell may be beyond 64 bits.
        high[i] = top < low[i] ? high[i] : Math.min(high[i], top);
    }

    /** Scans every value of the series; each worker counts in its own cells. Returns null if time ran out or values cannot be read. */
    private long @Nullable [][] scan(BooleanSupplier outOfTime, int cells, BlockCount block) {
        int parts = workers.count();
        boolean[] whole = new boolean[parts];
        long[][] own = new long[parts][cells];
        workers.run(part -> {
            long[] mine = own[part];
            whole[part] = series.raw().visit(part, parts, (values, count) -> {
                block.add(mine, values, count);
                return !outOfTime.getAsBoolean();
            });
        });
        for (boolean each : whole) {
            if (!each) {
                return null;
            }
        }
        return own;
    }
}
