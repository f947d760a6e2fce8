package io.metricsaggregator.fold.steady;

import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.snapshot.figures.SteadyBatch;
import io.metricsaggregator.snapshot.figures.SteadyWindow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tracked samples of a run by their time of issue, in at most {@value #BATCHES_MAX} batches from the first tracked issue: when they run out,
 * neighbours are joined and the width doubles. A sample's values count for the batch of its issue, whenever they arrive. Belongs to the thread of the
 * fold; allocates only for the first duration of a batch.
 */
public final class SteadyBatches {
    static final int BATCHES_MAX = 64;
    static final long FIRST_WIDTH_NANOS = 1_000_000_000L;
    static final int OUTSIDE = -1;

    private static final int ISSUED = 0;
    private static final int OPEN = 1;
    private static final int COMPLETED = 2;
    private static final int FAILED = 3;
    private static final int GOOD = 4;
    /** Completed with a text that is not counted yet. */
    private static final int UNCOUNTED = 5;

    private static final int TOKENS = 6;
    private static final int CHUNKS = 7;
    private static final int CHUNK_NANOS = 8;
    private static final int COLUMNS = 9;

    private final long[][] columns = new long[COLUMNS][BATCHES_MAX];
    /** Times of the first and the last issue of each batch, those that were taken back included; of a batch with {@link #issues} only. */
    private final long[] firstIssue = new long[BATCHES_MAX];

    private final long[] lastIssue = new long[BATCHES_MAX];
    private final boolean[] issues = new boolean[BATCHES_MAX];
    private final @Nullable SteadyHistogram[] ttft = new @Nullable SteadyHistogram[BATCHES_MAX];
    private final @Nullable SteadyHistogram[] tpot = new @Nullable SteadyHistogram[BATCHES_MAX];
    private final @Nullable SteadyHistogram[] latency = new @Nullable SteadyHistogram[BATCHES_MAX];
    private boolean started;
    private long startNanos;
    private long widthNanos = FIRST_WIDTH_NANOS;
    private int length;
    /** The batch that was found last and its bounds, which most often hold the next sample too; the bounds are equal for none. */
    private int found;

    private long foundFrom;
    private long foundTo;
    /** Bounds of the last batch, which most often takes the next issue; equal before the first. */
    private long newestFrom;

    private long newestTo;
    /** The last copies; null for a batch that may have changed since. */
    private final @Nullable SteadyBatch[] copied = new @Nullable SteadyBatch[BATCHES_MAX];

    /** Counts a tracked sample that is issued, or issued again after {@link #left}. */
    public void issued(long issuedNanos) {
        if (!started) {
            started = true;
            startNanos = issuedNanos;
        }
        int batch = extendTo(issuedNanos);
        if (batch != OUTSIDE) {
            columns[ISSUED][batch]++;
            columns[OPEN][batch]++;
            firstIssue[batch] = issues[batch] ? Math.min(firstIssue[batch], issuedNanos) : issuedNanos;
            lastIssue[batch] = issues[batch] ? Math.max(lastIssue[batch], issuedNanos) : issuedNanos;
            issues[batch] = true;
        }
    }

    /** Takes back an issue: the sample was issued again, or evicted. */
    public void left(long issuedNanos) {
        int batch = batch(issuedNanos);
        if (batch != OUTSIDE) {
            columns[ISSUED][batch]--;
            columns[OPEN][batch]--;
        }
    }

    /** Records the time to the first chunk of a sample that succeeded. */
    public void timeToFirstToken(long issuedNanos, long nanos) {
        int batch = batch(issuedNanos);
        if (batch != OUTSIDE) {
            histogram(ttft, batch).record((double) nanos);
        }
    }

    /**
     * Counts the completion of a sample; its durations only if it succeeded.
     *
     * @param failed whether it had an error
     * @param awaitsCount whether its text will be counted
     * @param chunks gaps between its chunks
     * @param chunkNanos sum of these gaps
     */
    public void completed(
            long issuedNanos, long nanos, boolean failed, boolean awaitsCount, long chunks, long chunkNanos) {
        int batch = batch(issuedNanos);
        if (batch == OUTSIDE) {
            return;
        }
        columns[OPEN][batch]--;
        columns[failed ? FAILED : COMPLETED][batch]++;
        columns[UNCOUNTED][batch] += awaitsCount ? 1 : 0;
        if (!failed) {
            columns[CHUNKS][batch] += chunks;
            columns[CHUNK_NANOS][batch] += chunkNanos;
            histogram(latency, batch).record((double) nanos);
        }
    }

    /**
     * Takes the result of counting a text.
     *
     * @param tokens all tokens of the output; 0 if it could not be counted
     * @param tpotNanos time per output token; NaN if unknown
     */
    public void counted(long issuedNanos, long tokens, double tpotNanos) {
        int batch = batch(issuedNanos);
        if (batch == OUTSIDE) {
            return;
        }
        columns[UNCOUNTED][batch]--;
        columns[TOKENS][batch] += tokens;
        if (!Double.isNaN(tpotNanos)) {
            histogram(tpot, batch).record(tpotNanos);
        }
    }

    /** Counts a sample that met all objectives. */
    void good(long issuedNanos) {
        int batch = batch(issuedNanos);
        if (batch != OUTSIDE) {
            columns[GOOD][batch]++;
        }
    }

    private static SteadyHistogram histogram(@Nullable SteadyHistogram[] all, int batch) {
        SteadyHistogram known = all[batch];
        if (known == null) {
            known = new SteadyHistogram();
            all[batch] = known;
        }
        return known;
    }

    /** The batch of a sample that was issued before, which is about to change; {@link #OUTSIDE} if it was counted in none. */
    private int batch(long issuedNanos) {
        if (!started || issuedNanos < startNanos || !TimestampMath.fits(startNanos, issuedNanos)) {
            return OUTSIDE;
        }
        if (issuedNanos >= foundFrom && issuedNanos < foundTo) {
            copied[found] = null;
            return found;
        }
        long batch = (issuedNanos - startNanos) / widthNanos;
        if (batch >= length) {
            return OUTSIDE;
        }
        found = (int) batch;
        foundFrom = startNanos + batch * widthNanos;
        foundTo = foundFrom + widthNanos;
        copied[found] = null;
        return found;
    }

    private int extendTo(long issuedNanos) {
        if (issuedNanos >= newestFrom && issuedNanos < newestTo) {
            copied[length - 1] = null;
            return length - 1;
        }
        long end = startNanos + length * widthNanos;
        if (issuedNanos < startNanos
                || !TimestampMath.fits(startNanos, issuedNanos)
                || !TimestampMath.fits(end, issuedNanos)
                || issuedNanos - end > SliceTable.LONGEST_SILENCE_NANOS) {
            return OUTSIDE;
        }
        while ((issuedNanos - startNanos) / widthNanos >= BATCHES_MAX) {
            joinNeighbours();
        }
        int batch = (int) ((issuedNanos - startNanos) / widthNanos);
        length = Math.max(length, batch + 1);
        newestFrom = startNanos + (length - 1) * widthNanos;
        newestTo = newestFrom + widthNanos;
        copied[batch] = null;
        return batch;
    }

    private void joinNeighbours() {
        for (int i = 0; i < BATCHES_MAX / 2; i++) {
            for (long[] column : columns) {
                column[i] = column[2 * i] + column[2 * i + 1];
            }
            joinIssues(i, 2 * i, 2 * i + 1);
            join(ttft, i);
            join(tpot, i);
            join(latency, i);
        }
        for (long[] column : columns) {
            Arrays.fill(column, BATCHES_MAX / 2, BATCHES_MAX, 0);
        }
        Arrays.fill(issues, BATCHES_MAX / 2, BATCHES_MAX, false);
        Arrays.fill(copied, null);
        length = (length + 1) / 2;
        widthNanos *= 2;
        foundTo = foundFrom;
        newestTo = newestFrom;
    }

    private void joinIssues(int into, int first, int second) {
        int earlier = issues[first] ? first : second;
        int later = issues[second] ? second : first;
        firstIssue[into] = firstIssue[earlier];
        lastIssue[into] = lastIssue[later];
        issues[into] = issues[first] || issues[second];
    }

    private static void join(@Nullable SteadyHistogram[] all, int i) {
        SteadyHistogram first = all[2 * i];
        SteadyHistogram second = all[2 * i + 1];
        all[2 * i] = null;
        all[2 * i + 1] = null;
        if (first != null && second != null) {
            first.add(second);
        }
        all[i] = first == null ? second : first;
    }

    /** Copies the batches; those that did not change since the last call are the same objects. */
    public List<SteadyBatch> copy() {
        List<SteadyBatch> copies = new ArrayList<>(length);
        for (int i = 0; i < length; i++) {
            SteadyBatch known = copied[i];
            if (known == null) {
                known = copy(i);
                copied[i] = known;
            }
            copies.add(known);
        }
        return copies;
    }

    private SteadyBatch copy(int i) {
        long chunks = columns[CHUNKS][i];
        return new SteadyBatch(
                startNanos + i * widthNanos,
                startNanos + (i + 1) * widthNanos,
                columns[ISSUED][i],
                Math.max(0, columns[OPEN][i]),
                Math.max(0, columns[UNCOUNTED][i]),
                columns[COMPLETED][i],
                columns[FAILED][i],
                columns[GOOD][i],
                columns[TOKENS][i],
                mean(ttft[i]),
                mean(tpot[i]),
                chunks == 0 ? Double.NaN : (double) columns[CHUNK_NANOS][i] / chunks,
                percentile(latency[i], 50),
                percentile(latency[i], 90));
    }

    private static double mean(@Nullable SteadyHistogram histogram) {
        return histogram == null ? Double.NaN : histogram.mean();
    }

    private static double percentile(@Nullable SteadyHistogram histogram, double p) {
        return histogram == null ? Double.NaN : histogram.percentiles(p)[0];
    }

    /**
     * The figures of the samples of some batches.
     *
     * @param fromNanos start of a batch
     * @param toNanos end of this batch or a later one
     * @param judging whether samples are judged by objectives
     */
    public SteadyWindow window(long fromNanos, long toNanos, boolean judging) {
        int first = Math.max(0, batch(fromNanos));
        int end = (int) Math.min(length, (toNanos - startNanos) / widthNanos);
        long[] sums = new long[COLUMNS];
        long firstIssued = Long.MAX_VALUE;
        long lastIssued = Long.MIN_VALUE;
        for (int i = first; i < end; i++) {
            for (int column = 0; column < COLUMNS; column++) {
                sums[column] += columns[column][i];
            }
            if (issues[i]) {
                firstIssued = Math.min(firstIssued, firstIssue[i]);
                lastIssued = Math.max(lastIssued, lastIssue[i]);
            }
        }
        long issueNanos = lastIssued < firstIssued ? 0 : lastIssued - firstIssued;
        double seconds = issueNanos / 1e9;
        boolean counted = Arrays.stream(tpot).anyMatch(each -> each != null) || sums[TOKENS] > 0;
        return new SteadyWindow(
                fromNanos,
                toNanos,
                sums[ISSUED],
                issueNanos,
                seconds > 0 ? sums[ISSUED] / seconds : 0,
                counted && seconds > 0 ? (Double) (sums[TOKENS] / seconds) : null,
                judging && seconds > 0 ? (Double) (sums[GOOD] / seconds) : null,
                durations(ttft, first, end),
                durations(tpot, first, end),
                durations(latency, first, end));
    }

    private static SteadyWindow.@Nullable Durations durations(@Nullable SteadyHistogram[] all, int first, int end) {
        SteadyHistogram sum = new SteadyHistogram();
        for (int i = first; i < end; i++) {
            SteadyHistogram each = all[i];
            if (each != null) {
                sum.add(each);
            }
        }
        if (sum.count() == 0) {
            return null;
        }
        double[] percentiles = sum.percentiles(50, 90, 99);
        return new SteadyWindow.Durations(sum.count(), sum.mean(), percentiles[0], percentiles[1], percentiles[2]);
    }
}
