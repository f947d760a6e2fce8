package io.metricsaggregator.fold.series;

import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.registry.DoubleSeries;
import io.metricsaggregator.registry.LongSeries;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.text.OutputDetail;
import org.jspecify.annotations.Nullable;

/**
 * Times per output token by the rules of other tools, and the lengths of answer and reasoning, of samples that succeeded in a run with optional
 * keys. Each series is registered with its first value. Belongs to the thread of the fold.
 */
public final class PerTokenSeries {
    private final Registry registry;
    private @Nullable DoubleSeries betweenTokens;
    private @Nullable DoubleSeries latencyPerToken;
    private @Nullable LongSeries all;
    private @Nullable LongSeries answers;
    private @Nullable LongSeries reasonings;

    public PerTokenSeries(Registry registry) {
        this.registry = registry;
    }

    /** Records the times per token of a sample whose output has a length. */
    public void record(OutputDetail detail, long tokens) {
        if (tokens > 1 && detail.receiveNanos() != OutputDetail.NO_TIME) {
            DoubleSeries series = betweenTokens;
            if (series == null) {
                series = registry.doubleSeries(SeriesName.ITL_REQUEST_NS);
                betweenTokens = series;
            }
            series.record((double) detail.receiveNanos() / (double) (tokens - 1));
        }
        if (tokens > 0 && detail.latencyNanos() != OutputDetail.NO_TIME) {
            DoubleSeries series = latencyPerToken;
            if (series == null) {
                series = registry.doubleSeries(SeriesName.LATENCY_PER_TOKEN_NS);
                latencyPerToken = series;
            }
            series.record((double) detail.latencyNanos() / (double) tokens);
        }
    }

    /** Records the length of an output, whether its sample is tracked or not. */
    public void all(long tokens) {
        LongSeries series = all;
        if (series == null) {
            series = registry.longSeries(SeriesName.OSL_ALL);
            all = series;
        }
        series.record(tokens);
    }

    /** Records the lengths of reasoning and answer. */
    public void parts(long reasoningTokens, long answerTokens) {
        LongSeries reasoning = reasonings;
        if (reasoning == null) {
            reasoning = registry.longSeries(SeriesName.OSL_REASONING);
            reasonings = reasoning;
        }
        reasoning.record(reasoningTokens);
        LongSeries answer = answers;
        if (answer == null) {
            answer = registry.longSeries(SeriesName.OSL_ANSWER);
            answers = answer;
        }
        answer.record(answerTokens);
    }
}
