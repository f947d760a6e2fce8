package io.metricsaggregator.fold.conversation;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.fold.series.LateMetrics;
import io.metricsaggregator.fold.series.LoadgenSeries;

/**
 * The series and counters of conversations. Each is registered with its first value, so that a run without conversations has none. Belongs to the thread
 * of the fold; allocates only to register.
 */
public final class ConversationSeries {
    private static final double NANOS_PER_SECOND = 1e9;

    private final LateMetrics metrics;
    private final LoadgenSeries durations;

    /**
     * Series that are not registered yet.
     *
     * @param durations records durations, and counts those beyond 64 bits
     */
    public ConversationSeries(LateMetrics metrics, LoadgenSeries durations) {
        this.metrics = metrics;
        this.durations = durations;
    }

    void increment(CounterName name) {
        metrics.add(name, 1);
    }

    /** Records the time to first token of a turn. */
    void firstToken(boolean isFirstTurn, long issued, long now) {
        SeriesName name = isFirstTurn ? SeriesName.TTFT_FIRST_TURN_NS : SeriesName.TTFT_LATER_TURN_NS;
        durations.record(metrics.series(name), issued, now);
    }

    /** Records the time from the completion of a turn to the issue of the next. */
    void thinkTime(long completed, long issued) {
        durations.record(metrics.series(SeriesName.THINK_TIME_NS), completed, issued);
    }

    /** Records the duration and the turns of a conversation that ended. */
    void ended(long firstIssued, long lastCompleted, long turnsCompleted) {
        durations.record(metrics.series(SeriesName.CONVERSATION_DURATION_NS), firstIssued, lastCompleted);
        metrics.series(SeriesName.CONVERSATION_TURNS).record(turnsCompleted);
    }

    /** Records the output tokens per second of request time of a conversation; {@code nanos} above 0. */
    void rate(long tokens, long nanos) {
        metrics.record(SeriesName.CONVERSATION_TOK_PER_S, tokens * NANOS_PER_SECOND / nanos);
    }
}
