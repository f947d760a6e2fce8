package io.metricsaggregator.telemetry.transfer;

import java.util.Arrays;

/**
 * The time that spans [start, end) cover together, and the largest number of them at the same time. When {@code keptMax} spans are kept, the older half is
 * reduced to its totals. The part of a later span before that point is left out, and the span is counted as late. Belongs to the thread that applies events.
 */
final class BusyTime {
    private final int keptMax;
    private long[] starts = new long[16];
    private long[] ends = new long[16];
    private int size;
    private long settledNanos;
    private int settledPeak;
    private long settledUntil = Long.MIN_VALUE;
    private long late;

    /** Nanoseconds that at least one span covers, and the largest number of spans at the same time. */
    record Total(long nanos, int peak) {}

    BusyTime(int keptMax) {
        this.keptMax = keptMax;
    }

    void add(long start, long end) {
        if (start < settledUntil) {
            late++;
        }
        keep(Math.max(start, settledUntil), end);
        if (size == keptMax) {
            settle();
        }
    }

    private void keep(long start, long end) {
        if (end <= start) {
            // A transfer that took no time adds no busy time.
            return;
        }
        if (size == starts.length) {
            starts = Arrays.copyOf(starts, 2 * size);
            ends = Arrays.copyOf(ends, 2 * size);
        }
        starts[size] = start;
        ends[size++] = end;
    }

    private void settle() {
        long[] sorted = Arrays.copyOf(ends, size);
        Arrays.sort(sorted);
        long until = sorted[size / 2];
        BusyTime before = new BusyTime(Integer.MAX_VALUE);
        BusyTime after = new BusyTime(Integer.MAX_VALUE);
        for (int i = 0; i < size; i++) {
            before.keep(starts[i], Math.min(ends[i], until));
            after.keep(Math.max(starts[i], until), ends[i]);
        }
        Total total = before.sweep();
        settledNanos += total.nanos;
        settledPeak = Math.max(settledPeak, total.peak);
        settledUntil = until;
        starts = after.starts;
        ends = after.ends;
        size = after.size;
    }

    /** Number of spans of which a part arrived too late to be counted. */
    long late() {
        return late;
    }

    Total total() {
        Total open = sweep();
        return new Total(settledNanos + open.nanos, Math.max(settledPeak, open.peak));
    }

    private Total sweep() {
        long[] opening = Arrays.copyOf(starts, size);
        long[] closing = Arrays.copyOf(ends, size);
        Arrays.sort(opening);
        Arrays.sort(closing);
        long nanos = 0;
        int open = 0;
        int peak = 0;
        long since = 0;
        int e = 0;
        for (long start : opening) {
            for (; e < size && closing[e] <= start; e++) {
                if (--open == 0) {
                    nanos += closing[e] - since;
                }
            }
            if (open++ == 0) {
                since = start;
            }
            peak = Math.max(peak, open);
        }
        return new Total(size == 0 ? 0 : nanos + closing[size - 1] - since, peak);
    }
}
