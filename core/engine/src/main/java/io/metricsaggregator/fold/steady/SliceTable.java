package io.metricsaggregator.fold.steady;

import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.fold.row.InFlightTimeline;
import io.metricsaggregator.fold.row.SampleContext;
import io.metricsaggregator.fold.series.Streaming;
import io.metricsaggregator.parts.SliceHistogram;
import io.metricsaggregator.parts.SlicesPart;
import io.metricsaggregator.snapshot.figures.Rate;
import io.metricsaggregator.snapshot.figures.Slices;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The run in slices of event time from the start of the session, {@value #MAX_SLICES} at most: when they run out, neighbours are joined
 * and the width doubles. A record before the first slice, or more than an hour after the last, counts as outside, so that one absurd
 * timestamp does not stretch the run. Belongs to the thread of the fold; allocates only for the first duration of a slice.
 */
public final class SliceTable implements InFlightTimeline.Slicing {
    public static final int MAX_SLICES = 512;
    static final long FIRST_WIDTH_NANOS = 1_000_000_000L;
    /** A timestamp this far behind the last slice is absurd rather than late: one hour. */
    static final long LONGEST_SILENCE_NANOS = 3_600_000_000_000L;

    static final int RECORDS = 0;
    public static final int ISSUED = 1;
    public static final int COMPLETED = 2;
    public static final int FAILED = 3;
    private static final int IN_FLIGHT = 4;
    private static final int IN_FLIGHT_MAX = 5;
    private static final int GOOD = 6;
    private static final String[] LEVELS = {
        "records", "issued", "completed", "failed", "in_flight", "in_flight_max", "good"
    };

    private final long[][] columns = new long[LEVELS.length][MAX_SLICES];
    private final long[] records = columns[RECORDS];
    private final InFlightTimeline inFlight = new InFlightTimeline(this, MAX_SLICES);
    private final SliceSeries latency = new SliceSeries("latency");
    private final Streaming streaming;
    private @Nullable SliceSeries ttft;

    private final boolean judging;

    private boolean started;
    private long startNanos;
    private long widthNanos = FIRST_WIDTH_NANOS;
    private int length;
    private long outside;
    /** The slice of the previous record and its bounds, which most often hold the next one too. */
    private int current = -1;

    private long currentFrom;
    private long currentTo;
    /** The last copy; null before the first. */
    private @Nullable Slices copied;
    /** Whether anything may have changed since the last copy. */
    private boolean stale;

    /**
     * A table without slices.
     *
     * @param streaming whether to keep times to first token
     * @param judging whether to count good samples
     */
    public SliceTable(Streaming streaming, boolean judging) {
        this.streaming = streaming;
        this.judging = judging;
        ttft = streaming == Streaming.ON ? new SliceSeries("ttft") : null;
    }

    /** Starts the first slice with the session. */
    public void start(long timestampNanos) {
        stale = true;
        started = true;
        startNanos = timestampNanos;
    }

    /** The samples in flight over time. */
    public InFlightTimeline inFlight() {
        return inFlight;
    }

    @Override
    public int find(long timestampNanos) {
        if (isCurrent(timestampNanos)) {
            return current;
        }
        if (!started || timestampNanos < startNanos || !TimestampMath.fits(startNanos, timestampNanos)) {
            return SampleContext.NONE;
        }
        long slice = (timestampNanos - startNanos) / widthNanos;
        return slice < length ? (int) slice : SampleContext.NONE;
    }

    /** Returns the slice of a record, making slices up to it; −1 if it is outside. */
    public int at(long timestampNanos) {
        stale = true;
        if (isCurrent(timestampNanos)) {
            return current;
        }
        return locate(timestampNanos);
    }

    /** Whether a time is in the slice of the last record. */
    public boolean isCurrent(long timestampNanos) {
        return current >= 0 && timestampNanos >= currentFrom && timestampNanos < currentTo;
    }

    /** The time from which on {@link #isCurrent} holds. */
    public long currentFromNanos() {
        return currentFrom;
    }

    /** The time up to which {@link #isCurrent} holds. */
    public long currentToNanos() {
        return currentTo;
    }

    /** The time from which on there are slices; that of {@link #toNanos} without any. */
    public long fromNanos() {
        return startNanos;
    }

    /** The time up to which there are slices and {@link #find} finds one. */
    public long toNanos() {
        long last = startNanos < 0 ? startNanos + Long.MAX_VALUE : Long.MAX_VALUE;
        long end = startNanos + length * widthNanos;
        return end < startNanos ? last : Math.min(end, last);
    }

    /** The slice of the last record, or of the one before if that was outside; negative before the first. */
    public int current() {
        return current;
    }

    private int locate(long timestampNanos) {
        if (!started) {
            return -1;
        }
        long end = startNanos + length * widthNanos;
        if (timestampNanos < startNanos
                || !TimestampMath.fits(startNanos, timestampNanos)
                || !TimestampMath.fits(end, timestampNanos)
                || timestampNanos - end > LONGEST_SILENCE_NANOS) {
            outside++;
            return -1;
        }
        long slice = (timestampNanos - startNanos) / widthNanos;
        while (slice >= MAX_SLICES) {
            joinNeighbours();
            slice = (timestampNanos - startNanos) / widthNanos;
        }
        length = Math.max(length, (int) slice + 1);
        current = (int) slice;
        currentFrom = startNanos + slice * widthNanos;
        currentTo = currentFrom + widthNanos;
        return current;
    }

    private void joinNeighbours() {
        for (int i = 0; 2 * i < length; i++) {
            int a = 2 * i;
            int b = a + 1;
            for (long[] values : columns) {
                values[i] = values[a] + (b < length ? values[b] : 0);
            }
        }
        inFlight.join();
        int joined = (length + 1) / 2;
        for (long[] values : columns) {
            Arrays.fill(values, joined, length, 0);
        }
        latency.joinNeighbours(length);
        if (ttft != null) {
            ttft.joinNeighbours(length);
        }
        length = joined;
        widthNanos *= 2;
        current = -1;
    }

    /** Adds one to a column of a slice. */
    public void count(int slice, int column) {
        columns[column][slice]++;
    }

    /** Counts a good sample in the slice of its completion, if there is one. */
    void countGood(long completedNanos) {
        stale = true;
        if (started && completedNanos >= startNanos && TimestampMath.fits(startNanos, completedNanos)) {
            long slice = (completedNanos - startNanos) / widthNanos;
            if (slice < length) {
                columns[GOOD][(int) slice]++;
            }
        }
    }

    /** Counts a record of a slice. */
    public void record(int slice) {
        records[slice]++;
    }

    /** Counts records of a slice. */
    public void record(int slice, long count) {
        records[slice] += count;
    }

    /** Records the latency of a sample that completed in a slice without an error. */
    public void latency(int slice, long nanos) {
        latency.record(slice, nanos);
    }

    /** Records the time to first token of a sample that received it in a slice, whatever becomes of it; ignored if streaming is off. */
    public void timeToFirstToken(int slice, long nanos) {
        SliceSeries known = ttft;
        if (known == null) {
            if (streaming == Streaming.OFF) {
                return;
            }
            known = new SliceSeries("ttft");
            ttft = known;
        }
        known.record(slice, nanos);
    }

    /**
     * The rates over the last whole slices before that of the newest record, by the times of events; all 0 before the second slice.
     *
     * @param byReceipt its window and bytes
     */
    public Rate rate(Rate byReceipt) {
        long wanted = Math.max(1, byReceipt.windowSeconds() * FIRST_WIDTH_NANOS / widthNanos);
        int to = Math.max(0, length - 1);
        int from = (int) Math.max(0, to - wanted);
        if (from == to) {
            return new Rate(byReceipt.windowSeconds(), 0, 0, 0, 0, 0, byReceipt.bytesPerSecond(), 0);
        }
        double seconds = (double) (to - from) * widthNanos / FIRST_WIDTH_NANOS;
        return new Rate(
                byReceipt.windowSeconds(),
                seconds,
                sum(RECORDS, from, to) / seconds,
                sum(ISSUED, from, to) / seconds,
                sum(COMPLETED, from, to) / seconds,
                sum(FAILED, from, to) / seconds,
                byReceipt.bytesPerSecond(),
                sum(GOOD, from, to) / seconds);
    }

    private double sum(int column, int from, int to) {
        long sum = 0;
        for (int i = from; i < to; i++) {
            sum += columns[column][i];
        }
        return sum;
    }

    /** Copies the slices for a snapshot; returns the last copy if no record was placed since. */
    public Slices copy() {
        Slices last = copied;
        if (last == null || stale) {
            last = newCopy();
            copied = last;
            stale = false;
        }
        return last;
    }

    private Slices newCopy() {
        List<Slices.Column> copies = new ArrayList<>();
        for (int column = 0; column < (judging ? columns.length : GOOD); column++) {
            copies.add(copy(column));
        }
        latency.copyTo(length, copies);
        if (ttft != null) {
            ttft.copyTo(length, copies);
        }
        return new Slices(started ? startNanos : 0, widthNanos, outside, copies);
    }

    private Slices.Column copy(int column) {
        return new Slices.Column(
                LEVELS[column],
                switch (column) {
                    case IN_FLIGHT -> inFlight.ends(length);
                    case IN_FLIGHT_MAX -> inFlight.most(length);
                    default -> Arrays.copyOf(columns[column], length);
                });
    }

    /** Copies the slices with their histograms. */
    public SlicesPart part() {
        List<Slices.Column> levels = new ArrayList<>();
        for (int column = 0; column < (judging ? columns.length : GOOD); column++) {
            levels.add(copy(column));
        }
        return new SlicesPart(
                started,
                startNanos,
                widthNanos,
                outside,
                levels,
                latency.part(length),
                ttft == null ? null : ttft.part(length));
    }

    /** Percentiles of one quantity in every slice, computed again only for slices that changed since the last copy. */
    private static final class SliceSeries {
        private static final String[] SUFFIXES = SliceHistogram.suffixes();

        private final String name;
        private final @Nullable SliceHistogram[] histograms = new @Nullable SliceHistogram[MAX_SLICES];
        private final long[][] values = new long[SUFFIXES.length][MAX_SLICES];
        private int firstChanged = MAX_SLICES;
        private int lastChanged = -1;

        SliceSeries(String name) {
            this.name = name;
            for (long[] column : values) {
                Arrays.fill(column, Slices.NOT_MEASURED);
            }
        }

        void record(int slice, long nanos) {
            SliceHistogram histogram = histograms[slice];
            if (histogram == null) {
                histogram = new SliceHistogram();
                histograms[slice] = histogram;
            }
            histogram.record(nanos);
            changed(slice);
        }

        private void changed(int slice) {
            firstChanged = Math.min(firstChanged, slice);
            lastChanged = Math.max(lastChanged, slice);
        }

        void joinNeighbours(int length) {
            for (int i = 0; 2 * i < length; i++) {
                SliceHistogram first = histograms[2 * i];
                SliceHistogram second = 2 * i + 1 < length ? histograms[2 * i + 1] : null;
                histograms[2 * i] = null;
                if (2 * i + 1 < MAX_SLICES) {
                    histograms[2 * i + 1] = null;
                }
                if (first != null && second != null) {
                    first.add(second);
                }
                histograms[i] = first != null ? first : second;
            }
            firstChanged = 0;
            lastChanged = length - 1;
        }

        @Nullable
        SliceHistogram[] part(int length) {
            @Nullable SliceHistogram[] copies = new @Nullable SliceHistogram[length];
            for (int slice = 0; slice < length; slice++) {
                SliceHistogram each = histograms[slice];
                copies[slice] = each == null ? null : each.copy();
            }
            return copies;
        }

        void copyTo(int length, List<Slices.Column> into) {
            for (int slice = firstChanged; slice <= lastChanged; slice++) {
                SliceHistogram.columns(histograms[slice], slice, values);
            }
            firstChanged = MAX_SLICES;
            lastChanged = -1;
            for (int i = 0; i < SUFFIXES.length; i++) {
                into.add(new Slices.Column(name + SUFFIXES[i], Arrays.copyOf(values[i], length)));
            }
        }
    }
}
