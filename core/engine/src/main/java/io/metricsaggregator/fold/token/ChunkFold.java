package io.metricsaggregator.fold.token;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.event.ChunkPart;
import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.event.UsageKey;
import io.metricsaggregator.fold.row.InFlightTable;
import io.metricsaggregator.fold.row.RowColumn;
import io.metricsaggregator.fold.series.LateMetrics;
import io.metricsaggregator.fold.series.LoadgenSeries;
import io.metricsaggregator.registry.DoubleSeries;
import io.metricsaggregator.registry.Registry;
import org.jspecify.annotations.Nullable;

/**
 * Folds the optional keys of chunks of tracked samples, {@code part} and {@code tokens}: the time to the first answer token, the time of thinking
 * before it, and the time between tokens. What a sample has shown so far is a number in a column beside its row. Series and counters are registered with their
 * first value. Belongs to the thread of the fold; allocates only to register.
 */
public final class ChunkFold {
    // Bits of a row's state: what its chunks were, then the tokens of the first chunk plus 1, 0 if unknown.
    private static final int HAS_PART = 1;
    private static final int HAS_REASONING = 1 << 1;
    private static final int HAS_ANSWER = 1 << 2;
    private static final int FLAGS = HAS_PART | HAS_REASONING | HAS_ANSWER;
    private static final int FIRST_TOKENS_SHIFT = 3;
    private static final int FIRST_TOKENS_MAX = (1 << 13) - 2;

    private final Registry registry;
    private final LateMetrics metrics;
    private final InFlightTable table;
    private final LoadgenSeries series;
    private final RowColumn states = new RowColumn();
    private @Nullable DoubleSeries betweenTokens;
    private boolean seen;
    private boolean partsSeen;

    ChunkFold(Registry registry, LateMetrics metrics, InFlightTable table, LoadgenSeries series) {
        this.registry = registry;
        this.metrics = metrics;
        this.table = table;
        this.series = series;
    }

    /** Whether any chunk of the run had one of the keys. */
    boolean isSeen() {
        return seen;
    }

    /** Counts a chunk with a key that breaks a rule. */
    public void rejected() {
        metrics.add(CounterName.CHUNK_KEYS_REJECTED, 1);
    }

    /** Forgets the chunks of a sample that is issued again. */
    public void forget(int row) {
        if (seen) {
            states.set(row, 0);
        }
    }

    /**
     * Applies the keys of a chunk of a sample in flight, before its row has the time of the chunk.
     *
     * @param isFirst whether the event is a {@code sample.recv_first}
     */
    public void received(DecodedEvent event, int row, long now, boolean isFirst) {
        boolean isLater = table.hasLastReceived(row) && TimestampMath.fits(table.lastReceived(row), now);
        received(event, row, isFirst, isLater, isLater ? now - table.lastReceived(row) : 0);
    }

    /** Applies the keys of a further chunk, which came {@code gapNanos} after the one before if its sample is tracked. */
    void next(DecodedEvent event, int row, long gapNanos) {
        received(event, row, false, true, gapNanos);
    }

    private void received(DecodedEvent event, int row, boolean isFirst, boolean isLater, long gapNanos) {
        seen = true;
        if (!table.isTracked(row) || series.streaming() == null) {
            return;
        }
        int state = (int) states.get(row);
        if (event.hasChunkTokens()) {
            int tokens = event.chunkTokens();
            if (isFirst) {
                state = (state & FLAGS) | ((Math.min(tokens, FIRST_TOKENS_MAX) + 1) << FIRST_TOKENS_SHIFT);
            }
            if (tokens > 0 && isLater) {
                recordBetween(gapNanos, tokens);
            }
        }
        ChunkPart part = event.part();
        if (part != null) {
            partsSeen = true;
            state |= HAS_PART;
            switch (part) {
                case REASONING -> state |= HAS_REASONING;
                case OUTPUT, TOOL_CALLS -> {
                    if ((state & HAS_ANSWER) == 0) {
                        state |= HAS_ANSWER;
                        answered(row, event.timestampNanos(), (state & HAS_REASONING) != 0);
                    }
                }
            }
        }
        states.set(row, state);
    }

    /** Records the gap before a chunk as one value per token, as SGLang's benchmark does. */
    private void recordBetween(long gapNanos, int tokens) {
        DoubleSeries between = betweenTokens;
        if (between == null) {
            between = registry.doubleSeries(SeriesName.ITL_EVEN_NS);
            betweenTokens = between;
        }
        double each = (double) gapNanos / tokens;
        for (int i = 0; i < tokens; i++) {
            between.record(each);
        }
    }

    private void answered(int row, long now, boolean afterReasoning) {
        recordFirstAnswer(table.issued(row), now);
        if (afterReasoning && table.hasFirstReceived(row)) {
            series.record(metrics.series(SeriesName.THINKING_NS), table.firstReceived(row), now);
        }
    }

    private void recordFirstAnswer(long issued, long now) {
        series.record(metrics.series(SeriesName.TTFO_NS), issued, now);
    }

    /**
     * Judges a tracked sample that completed, once any chunk of the run had a part: without an answer so far, its first chunk is its answer if it
     * has neither parts nor reasoning. Only of successes is a missing or unknown answer counted.
     *
     * @param issued issue of the attempt that had the first chunk
     */
    public void completed(DecodedEvent event, int row, boolean hasFailed, long issued) {
        if (!partsSeen || !table.hasFirstReceived(row)) {
            return;
        }
        int state = (int) states.get(row);
        if ((state & HAS_ANSWER) != 0) {
            return;
        }
        boolean isKnown = (state & HAS_PART) == 0 && !hasReasoning(event);
        if (isKnown) {
            recordFirstAnswer(issued, table.firstReceived(row));
        } else if (hasFailed) {
            return;
        } else if ((state & HAS_PART) != 0) {
            metrics.add(CounterName.ANSWERS_MISSING, 1);
        } else {
            metrics.add(CounterName.TTFO_UNKNOWN, 1);
        }
    }

    /** Whether the output has reasoning, by its text or by the tokens that the server reports. */
    private static boolean hasReasoning(DecodedEvent event) {
        return event.hasReasoning() || (event.hasUsage() && event.usage().count(UsageKey.REASONING_TOKENS) > 0);
    }

    /** Whether any chunk of a sample told its part. */
    boolean hasParts(int row) {
        return ((int) states.get(row) & HAS_PART) != 0;
    }

    /** The tokens of the first chunk of a sample, up to 8190; 1 if its record does not tell. */
    public int firstTokens(int row) {
        int known = (int) states.get(row) >>> FIRST_TOKENS_SHIFT;
        return known == 0 ? 1 : known - 1;
    }
}
