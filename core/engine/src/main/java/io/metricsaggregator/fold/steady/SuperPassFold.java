package io.metricsaggregator.fold.steady;

import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.fold.row.RowColumn;
import io.metricsaggregator.registry.raw.SlabStore;
import io.metricsaggregator.registry.raw.ValueLog;
import io.metricsaggregator.text.OutputDetail;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the values of tracked samples by super-pass: the samples numbered by first issue, divided by the size of a pass. Definitions of MLCommons
 * endpoints' steady-state diagnostics: a retry refreshes issue times only, and the first chunk that a sample ever received decides. A run without a
 * size gathers nothing. Values are kept like those of series. Belongs to the thread of the fold; allocates only to grow.
 */
public final class SuperPassFold {
    /** Passes of a run that are judged at most: the trend tests take time proportional to their square. */
    static final int PASSES_MAX = 2048;
    /** The pass of a sample that belongs to none. */
    public static final int NONE = -1;

    private static final int FIRST_ROOM = 64;
    private static final long HAS_FIRST = 1L << 32;
    private static final long PASS_MASK = HAS_FIRST - 1;

    // The columns of a pass.
    static final int ISSUED = 0;
    static final int FIRST_ISSUE = 1;
    static final int LAST_ISSUE = 2;
    static final int LAST_EVENT = 3;
    static final int ALL_TOKENS = 4;

    private final ValueLog ttft;
    private final ValueLog tpot;
    private final ValueLog latency;

    /** The pass of a row plus 1, and whether its sample received a chunk; 0 for none. */
    private final RowColumn passes = new RowColumn();
    /** When the sample of a row received its first chunk. */
    private final RowColumn firsts = new RowColumn();

    private final long[][] columns = new long[ALL_TOKENS + 1][0];
    private long size;
    private long ordinal;
    private long issuedWithoutSize;
    private long countsMissing;
    private int length;
    /**
     * A fold without samples.
     *
     * @param store keeps values
     * @param size samples of a pass; 0 for as the session announces it
     */
    public SuperPassFold(SlabStore store, long size) {
        this.ttft = new ValueLog(store, 2);
        this.tpot = new ValueLog(store, 3);
        this.latency = new ValueLog(store, 2);
        this.size = size;
    }

    /** Takes the size of a pass that the session announces, if none is known. Not positive: ignored. */
    public void announced(long samples) {
        if (size == 0 && samples > 0) {
            size = samples;
        }
    }

    /**
     * Counts the issue of a tracked sample.
     *
     * @param isRetry whether the sample is tracked already
     */
    public void issued(int row, boolean isRetry, long now) {
        if (size == 0) {
            issuedWithoutSize++;
            return;
        }
        if (isRetry) {
            int pass = pass(row);
            if (pass != NONE) {
                last(LAST_ISSUE, pass, now);
                last(LAST_EVENT, pass, now);
            }
            return;
        }
        long pass = ordinal++ / size;
        if (pass >= PASSES_MAX) {
            passes.set(row, 0);
            return;
        }
        passes.set(row, pass + 1);
        if (pass == length) {
            begin(now);
        }
        columns[ISSUED][(int) pass]++;
        last(LAST_ISSUE, (int) pass, now);
        last(LAST_EVENT, (int) pass, now);
    }

    private void begin(long now) {
        if (length == columns[ISSUED].length) {
            int room = Math.max(FIRST_ROOM, 2 * length);
            for (int i = 0; i < columns.length; i++) {
                columns[i] = Arrays.copyOf(columns[i], room);
            }
        }
        columns[FIRST_ISSUE][length] = now;
        columns[LAST_ISSUE][length] = now;
        columns[LAST_EVENT][length] = now;
        length++;
    }

    private void last(int column, int pass, long now) {
        columns[column][pass] = Math.max(columns[column][pass], now);
    }

    /** The pass of a tracked row; {@link #NONE} if it belongs to none. */
    public int pass(int row) {
        return length == 0 ? NONE : (int) (passes.get(row) & PASS_MASK) - 1;
    }

    /**
     * Records the first chunk of a tracked sample; later ones only extend the time of its pass.
     *
     * @param issued time of the latest issue
     * @param isWarm whether it is not the first turn of a conversation
     */
    public void receivedFirst(int row, long issued, long now, boolean isWarm) {
        int pass = pass(row);
        if (pass == NONE) {
            return;
        }
        last(LAST_EVENT, pass, now);
        if ((passes.get(row) & HAS_FIRST) == 0) {
            passes.set(row, passes.get(row) | HAS_FIRST);
            firsts.set(row, now);
            ttft.add(2L * pass + (isWarm ? 1 : 0), TimestampMath.saturatedBetween(issued, now));
        }
    }

    /** Records the completion of a tracked sample, with or without an error. */
    public void completed(int row, long issued, long now) {
        int pass = pass(row);
        if (pass != NONE) {
            last(LAST_EVENT, pass, now);
            latency.add(pass, TimestampMath.saturatedBetween(issued, now));
        }
    }

    /** Nanoseconds from the first chunk that the sample of a row ever received; {@link OutputDetail#NO_TIME} without one. */
    public long sinceFirst(int row, long now) {
        return (passes.get(row) & HAS_FIRST) == 0
                ? OutputDetail.NO_TIME
                : TimestampMath.saturatedBetween(firsts.get(row), now);
    }

    /** Records the length of an output: of all tokens, and of those after the first chunk. */
    public void counted(OutputDetail detail, long tokens, long tokensAfterFirst) {
        if (detail.superPass() == OutputDetail.ABSENT) {
            return;
        }
        columns[ALL_TOKENS][(int) detail.superPass()] += tokens;
        if (detail.sinceFirstEverNanos() != OutputDetail.NO_TIME && tokensAfterFirst > 0) {
            tpot.add(detail.superPass(), detail.sinceFirstEverNanos(), tokensAfterFirst);
        }
    }

    /** Notes that an output which could have been counted has no length. */
    public void notCounted() {
        countsMissing += size == 0 ? 0 : 1;
    }

    /** Copies what was gathered; null for a run without a size. Allocates some 8 bytes a value. */
    @Nullable
    public SuperPassSamples copy() {
        return size == 0
                ? null
                : new SuperPassSamples(
                        size,
                        ordinal,
                        issuedWithoutSize,
                        countsMissing,
                        PASSES_MAX,
                        length,
                        columns,
                        ttft,
                        tpot,
                        latency);
    }
}
