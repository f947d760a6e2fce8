package io.metricsaggregator.fold.conversation;

import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.parts.LabelSums;
import io.metricsaggregator.parts.SliceHistogram;
import io.metricsaggregator.snapshot.figures.Conversations;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tracked turns by their place in the conversation: one row for each of the first {@value #SINGLE} places, then ranges, in 5.5 kB a row. Belongs to
 * the thread of the fold; allocates only for the first turn of a row.
 */
final class TurnCounts {
    private static final int SINGLE = 16;
    private static final int[] FROM = {17, 33, 65};
    private static final int ROWS = SINGLE + FROM.length;

    private final @Nullable Row[] rows = new @Nullable Row[ROWS];

    private static final class Row {
        private final SliceHistogram firstToken = new SliceHistogram();
        private final SliceHistogram latency = new SliceHistogram();
        private long issued;
        private long completed;
        private long failed;
        private long inputs;
        private long inputTokens;
        private long outputs;
        private long outputTokens;
        private long promptTokens;
        private long cachedTokens;
    }

    private Row row(int turn) {
        int at = turn <= SINGLE ? turn - 1 : SINGLE;
        while (at >= SINGLE && at + 1 < ROWS && turn >= FROM[at + 1 - SINGLE]) {
            at++;
        }
        Row known = rows[at];
        if (known == null) {
            known = new Row();
            rows[at] = known;
        }
        return known;
    }

    void issued(int turn) {
        row(turn).issued++;
    }

    void firstReceived(int turn, long nanos) {
        row(turn).firstToken.record(nanos);
    }

    /** Counts a turn that completed; its latency only if it succeeded. */
    void completed(int turn, boolean hasFailed, long latencyNanos) {
        Row row = row(turn);
        row.completed++;
        if (hasFailed) {
            row.failed++;
        } else {
            row.latency.record(latencyNanos);
        }
    }

    void input(int turn, long tokens) {
        Row row = row(turn);
        row.inputs++;
        row.inputTokens = TimestampMath.saturatedAdd(row.inputTokens, tokens);
    }

    void output(int turn, long tokens) {
        Row row = row(turn);
        row.outputs++;
        row.outputTokens = TimestampMath.saturatedAdd(row.outputTokens, tokens);
    }

    /** Adds the tokens of a prompt of which the server reports the cached ones. */
    void cached(int turn, long promptTokens, long cachedTokens) {
        Row row = row(turn);
        row.promptTokens = TimestampMath.saturatedAdd(row.promptTokens, promptTokens);
        row.cachedTokens = TimestampMath.saturatedAdd(row.cachedTokens, cachedTokens);
    }

    /** Copies the rows that have turns. */
    List<Conversations.Turns> summary() {
        List<Conversations.Turns> copies = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            Row row = rows[i];
            if (row != null) {
                int from = i < SINGLE ? i + 1 : FROM[i - SINGLE];
                Integer to = i < SINGLE ? (Integer) from : i + 1 < ROWS ? (Integer) (FROM[i + 1 - SINGLE] - 1) : null;
                copies.add(new Conversations.Turns(
                        from,
                        to,
                        row.issued,
                        row.completed,
                        row.failed,
                        new Conversations.Tokens(row.inputs, row.inputTokens),
                        new Conversations.Tokens(row.outputs, row.outputTokens),
                        row.promptTokens,
                        row.cachedTokens,
                        LabelSums.durations(row.firstToken),
                        LabelSums.durations(row.latency)));
            }
        }
        return copies;
    }
}
