package io.metricsaggregator.fold.series;

import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.text.OutputDetail;

/**
 * Times per output token by the rules of other tools, and the lengths of answer and reasoning, of samples that succeeded in a run with optional
 * keys. Each series is registered with its first value. Belongs to the thread of the fold.
 */
public final class PerTokenSeries {
    private final LateMetrics metrics;

    public PerTokenSeries(LateMetrics metrics) {
        this.metrics = metrics;
    }

    /** Records the times per token of a sample whose output has a length. */
    public void record(OutputDetail detail, long tokens) {
        if (tokens > 1 && detail.receiveNanos() != OutputDetail.NO_TIME) {
            metrics.record(SeriesName.ITL_REQUEST_NS, (double) detail.receiveNanos() / (double) (tokens - 1));
        }
        if (tokens > 0 && detail.latencyNanos() != OutputDetail.NO_TIME) {
            metrics.record(SeriesName.LATENCY_PER_TOKEN_NS, (double) detail.latencyNanos() / (double) tokens);
        }
    }

    /** Records the length of an output, whether its sample is tracked or not. */
    public void all(long tokens) {
        metrics.series(SeriesName.OSL_ALL).record(tokens);
    }

    /** Records the lengths of reasoning and answer. */
    public void parts(long reasoningTokens, long answerTokens) {
        metrics.series(SeriesName.OSL_REASONING).record(reasoningTokens);
        metrics.series(SeriesName.OSL_ANSWER).record(answerTokens);
    }
}
