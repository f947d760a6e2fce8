package io.metricsaggregator.analysis;

import io.metricsaggregator.catalogue.Percentile;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.figures.Interactivity;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Output tokens per second as one user sees them, by the definitions of several tools; see docs/metrics.md. Each is null where it was not measured.
 *
 * @param endToEnd tokens over latency of the samples that succeeded and have a length
 * @param average tokens over latency of all completed samples, as MLCommons endpoints divides them; null if outputs were not counted at the end
 * @param perUser 1 s over the 90th percentile of the time per output token
 * @param perUserMean 1 s over its mean
 * @param perUserMedian 1 s over its median
 * @param normalizedP90 1 s over the 90th percentile of the latency per token
 * @param normalizedP50 1 s over its median
 */
public record UserRates(
        @Nullable Double endToEnd,
        @Nullable Double average,
        @Nullable Double perUser,
        @Nullable Double perUserMean,
        @Nullable Double perUserMedian,
        @Nullable Double normalizedP90,
        @Nullable Double normalizedP50) {
    private static final double NANOS_PER_SECOND = 1e9;

    /** Computes the rates of a run. */
    public static UserRates of(Report report) {
        MetricsSnapshot snapshot = report.snapshot();
        Interactivity sums = snapshot.extensions().optional().interactivity();
        SeriesMetric tpot = snapshot.series(SeriesName.TPOT_NS);
        SeriesMetric timed = tpot == null || tpot.count() == 0 ? null : tpot;
        return new UserRates(
                sums == null ? null : sums.tokensPerSecond(),
                report.tokensIncomplete() ? null : average(snapshot),
                timed == null ? null : perSecond(timed.percentile(Percentile.P90)),
                timed == null ? null : perSecond(timed.mean()),
                timed == null ? null : perSecond(timed.percentile(Percentile.P50)),
                perSecond(perToken(snapshot, Percentile.P90)),
                perSecond(perToken(snapshot, Percentile.P50)));
    }

    /** Total of {@code osl} over the total of {@code sample_latency_ns} in seconds; null without one of them. */
    public static @Nullable Double average(MetricsSnapshot snapshot) {
        SeriesMetric output = snapshot.series(SeriesName.OSL);
        SeriesMetric latency = snapshot.series(SeriesName.SAMPLE_LATENCY_NS);
        if (output == null || output.count() == 0 || latency == null) {
            return null;
        }
        double nanos = latency.total().doubleValue();
        return nanos <= 0 ? null : (Double) (output.total().doubleValue() / (nanos / NANOS_PER_SECOND));
    }

    private static @Nullable Double perToken(MetricsSnapshot snapshot, Percentile percentile) {
        SeriesMetric perToken = snapshot.series(SeriesName.LATENCY_PER_TOKEN_NS);
        return perToken == null || perToken.count() == 0 ? null : perToken.percentile(percentile);
    }

    private static @Nullable Double perSecond(@Nullable Double nanos) {
        return nanos == null || nanos <= 0 ? null : (Double) (NANOS_PER_SECOND / nanos);
    }

    /**
     * The percentile that a rate is computed from.
     *
     * @param series the values of which it is one
     * @param percentile which one
     */
    public record Source(SeriesMetric series, Percentile percentile) {
        /** Whether enough values bound the percentile. */
        public boolean isCertain() {
            return series.isCertain(percentile);
        }
    }

    /** The percentile behind a rate of {@link #byName}; null if it is computed from sums. */
    public static @Nullable Source source(MetricsSnapshot snapshot, String name) {
        SeriesMetric series =
                snapshot.series(name.startsWith("e2e_norm") ? SeriesName.LATENCY_PER_TOKEN_NS : SeriesName.TPOT_NS);
        Percentile percentile = switch (name) {
            case "tps_per_user_per_s", "e2e_norm_interactivity_p90_per_s" -> Percentile.P90;
            case "tps_per_user_median_per_s", "e2e_norm_interactivity_p50_per_s" -> Percentile.P50;
            default -> null;
        };
        return series == null || percentile == null ? null : new Source(series, percentile);
    }

    /** Whether none of the rates was measured. */
    public boolean isEmpty() {
        return byName().values().stream().allMatch(Objects::isNull);
    }

    /** The rates by their names in files. */
    public Map<String, @Nullable Double> byName() {
        Map<String, @Nullable Double> rates = new LinkedHashMap<>();
        rates.put("e2e_interactivity_tok_per_s", endToEnd);
        rates.put("e2e_avg_interactivity", average);
        rates.put("tps_per_user_per_s", perUser);
        rates.put("tps_per_user_mean_per_s", perUserMean);
        rates.put("tps_per_user_median_per_s", perUserMedian);
        rates.put("e2e_norm_interactivity_p90_per_s", normalizedP90);
        rates.put("e2e_norm_interactivity_p50_per_s", normalizedP50);
        return rates;
    }
}
