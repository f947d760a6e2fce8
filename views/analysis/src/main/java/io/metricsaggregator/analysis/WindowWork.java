package io.metricsaggregator.analysis;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SuccessSeries;
import io.metricsaggregator.snapshot.figures.Goodput;
import io.metricsaggregator.snapshot.figures.SteadyState;
import io.metricsaggregator.snapshot.figures.SteadyWindow;
import org.jspecify.annotations.Nullable;

/**
 * What a system did in one window of a run: the numerators and denominators of figures of energy and cost. Null where it is unknown for exactly that window.
 *
 * @param seconds length of the window, s; 0 before any
 * @param requests samples completed, of the steady window those issued in it
 * @param outputTokens output tokens, counted or else reported by servers
 * @param inputTokens input tokens likewise
 * @param good samples that met all objectives
 * @param latencySeconds mean latency of a sample
 */
public record WindowWork(
        double seconds,
        @Nullable Long requests,
        @Nullable Double outputTokens,
        @Nullable Double inputTokens,
        @Nullable Double good,
        @Nullable Double latencySeconds) {
    private static final double NANOS = 1e9;

    /** The tracked windows, the window of the headline figures; null if nothing was tracked. */
    static @Nullable WindowWork tracked(Report report) {
        MetricsSnapshot snapshot = report.snapshot();
        Long nanos = report.durationNanos();
        return nanos == null
                ? null
                : ofTracked(report, nanos / NANOS, snapshot.counter(CounterName.TRACKED_SAMPLES_COMPLETED));
    }

    /** The whole session; tokens, goodput and latency only if every sample was tracked, because untracked samples have none. */
    static @Nullable WindowWork run(Report report) {
        MetricsSnapshot snapshot = report.snapshot();
        double seconds = snapshot.counter(CounterName.TOTAL_DURATION_NS) / NANOS;
        long completed = snapshot.counter(CounterName.TOTAL_SAMPLES_COMPLETED);
        if (seconds <= 0) {
            return null;
        }
        boolean all = snapshot.counter(CounterName.TRACKED_SAMPLES_ISSUED)
                == snapshot.counter(CounterName.TOTAL_SAMPLES_ISSUED);
        return all ? ofTracked(report, seconds, completed) : new WindowWork(seconds, completed, null, null, null, null);
    }

    private static WindowWork ofTracked(Report report, double seconds, long completed) {
        MetricsSnapshot snapshot = report.snapshot();
        Goodput goodput = snapshot.extensions().goodput();
        SeriesMetric latency = SuccessSeries.LATENCY.of(snapshot);
        Double mean = latency == null ? null : latency.mean();
        boolean known = !report.tokensIncomplete();
        return new WindowWork(
                seconds,
                completed,
                known ? total(snapshot, SeriesName.OSL, SeriesName.USAGE_COMPLETION_TOKENS) : null,
                known ? total(snapshot, SeriesName.ISL, SeriesName.USAGE_PROMPT_TOKENS) : null,
                goodput == null ? null : (Double) (double) goodput.good(),
                mean == null ? null : (Double) (mean / NANOS));
    }

    private static @Nullable Double total(MetricsSnapshot snapshot, SeriesName counted, SeriesName reported) {
        SeriesMetric series = snapshot.series(counted);
        if (series == null || series.count() == 0) {
            series = snapshot.series(reported);
        }
        return series == null || series.count() == 0
                ? null
                : (Double) series.total().doubleValue();
    }

    /** The samples issued in the steady window, over the span of their issue; null without one. */
    static @Nullable WindowWork steady(Report report) {
        SteadyState steady = report.snapshot().extensions().optional().steady();
        SteadyWindow window = steady == null ? null : steady.window();
        if (window == null || window.issueNanos() <= 0) {
            return null;
        }
        double seconds = window.issueNanos() / NANOS;
        SteadyWindow.Durations latency = window.latency();
        return new WindowWork(
                seconds,
                latency == null ? 0L : latency.count(),
                times(window.tokensPerSecond(), seconds),
                null,
                times(window.goodPerSecond(), seconds),
                latency == null ? null : (Double) (latency.mean() / NANOS));
    }

    private static @Nullable Double times(@Nullable Double perSecond, double seconds) {
        return perSecond == null ? null : (Double) (double) Math.round(perSecond * seconds);
    }

    /** Output tokens a second; null without tokens. */
    public @Nullable Double outputTokensPerSecond() {
        return outputTokens == null || seconds <= 0 ? null : (Double) (outputTokens / seconds);
    }

    /** Input and output tokens; null unless both are known. */
    public @Nullable Double tokens() {
        return outputTokens == null || inputTokens == null ? null : (Double) (outputTokens + inputTokens);
    }
}
