package io.metricsaggregator.fold;

import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.snapshot.SteadyBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tracked samples of a run by their time of issue, in at most {@value #BATCHES_MAX} batches from the first tracked issue: when they run out,
 * neighbours are joined and the width doubles. A sample's values count for the batch of its issue, whenever they arrive. Belongs to the thread of the
 * fold; allocates only for the first duration of a batch.
 */
final class SteadyBatches {
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
    private final long[] lastIssue = new long[BATCHES_MAX];
    private final @Nullable SteadyHistogram[] ttft = new @Nullable SteadyHistogram[BATCHES_MAX];
    private final @Nullable SteadyHistogram[] tpot = new @Nullable SteadyHistogram[BATCHES_MAX];
    private final @Nullable SteadyHistogram[] latency = new @Nullable SteadyHistogram[BATCHES_MAX];
    private boolean started;
    private long startNanos;
    private long widthNanos = FIRST_WIDTH_NANOS;
    private int length;

    /** Counts a tracked sample that is issued, or issued again after {@link #left}. */
    void issued(long issuedNanos) {
        if (!started) {
            started = true;
            startNanos = issuedNanos;
        }
        int batch = extendTo(issuedNanos);
        if (batch != OUTSIDE) {
            columns[ISSUED][batch]++;
            columns[OPEN][batch]++;
            lastIssue[batch] = Math.max(lastIssue[batch], issuedNanos);
        }
    }

    /** Takes back an issue: the sample was issued again, or evicted. */
    void left(long issuedNanos) {
        int batch = batch(issuedNanos);
        if (batch != OUTSIDE) {
            columns[ISSUED][batch]--;
            columns[OPEN][batch]--;
        }
    }

    /** Records the time to the first chunk of a sample. */
    void timeToFirstToken(long issuedNanos, long nanos) {
        int batch = batch(issuedNanos);
        if (batch != OUTSIDE) {
            histogram(ttft, batch).record(nanos);
        }
    }

    /**
     * Counts the completion of a sample.
     *
     * @param failed whether it had an error
     * @param awaitsCount whether its text will be counted
     * @param chunks gaps between its chunks
     * @param chunkNanos sum of these gaps
     */
    void completed(long issuedNanos, long nanos, boolean failed, boolean awaitsCount, long chunks, long chunkNanos) {
        int batch = batch(issuedNanos);
        if (batch == OUTSIDE) {
            return;
        }
        columns[OPEN][batch]--;
        columns[failed ? FAILED : COMPLETED][batch]++;
        columns[UNCOUNTED][batch] += awaitsCount ? 1 : 0;
        columns[CHUNKS][batch] += chunks;
        columns[CHUNK_NANOS][batch] += chunkNanos;
        histogram(latency, batch).record(nanos);
    }

    /**
     * Takes the result of counting a text.
     *
     * @param tokens all tokens of the output; 0 if it could not be counted
     * @param tpotNanos time per output token; NaN if unknown
     */
    void counted(long issuedNanos, long tokens, double tpotNanos) {
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

    /** The batch of a sample that was issued before; {@link #OUTSIDE} if it was counted in none. */
    private int batch(long issuedNanos) {
        if (!started || issuedNanos < startNanos || !TimestampMath.fits(startNanos, issuedNanos)) {
            return OUTSIDE;
        }
        long batch = (issuedNanos - startNanos) / widthNanos;
        return batch < length ? (int) batch : OUTSIDE;
    }

    private int extendTo(long issuedNanos) {
        long end = startNanos + length * widthNanos;
        if (issuedNanos < startNanos
                || !TimestampMath.fits(end, issuedNanos)
                || issuedNanos - end > SliceTable.LONGEST_SILENCE_NANOS) {
            return OUTSIDE;
        }
        while ((issuedNanos - startNanos) / widthNanos >= BATCHES_MAX) {
            joinNeighbours();
        }
        int batch = (int) ((issuedNanos - startNanos) / widthNanos);
        length = Math.max(length, batch + 1);
        return batch;
    }

    private void joinNeighbours() {
        for (int i = 0; i < BATCHES_MAX / 2; i++) {
            for (long[] column : columns) {
                column[i] = column[2 * i] + column[2 * i + 1];
            }
            lastIssue[i] = Math.max(lastIssue[2 * i], lastIssue[2 * i + 1]);
            join(ttft, i);
            join(tpot, i);
            join(latency, i);
        }
        for (long[] column : columns) {
            Arrays.fill(column, BATCHES_MAX / 2, BATCHES_MAX, 0);
        }
        Arrays.fill(lastIssue, BATCHES_MAX / 2, BATCHES_MAX, 0);
        length = (length + 1) / 2;
        widthNanos *= 2;
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
}
