package io.metricsaggregator.report.section;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.PercentileText;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.analysis.UserRates;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Output tokens per second as one user sees them, each under the name of its definition. */
final class InteractivitySection {
    private InteractivitySection() {}

    /** Up to three lines; null where nothing was measured. */
    static @Nullable Section of(Report report) {
        UserRates rates = UserRates.of(report);
        MetricsSnapshot snapshot = report.snapshot();
        List<String> lines = new ArrayList<>();
        if (rates.perUser() != null) {
            lines.add("tps_per_user " + percentile(snapshot, "tps_per_user_per_s", rates.perUser())
                    + " output tokens/s at p90 of the time per output token, " + rate(rates.perUserMean())
                    + " at its mean, " + percentile(snapshot, "tps_per_user_median_per_s", rates.perUserMedian())
                    + " at its median");
        }
        if (rates.endToEnd() != null || rates.average() != null) {
            lines.add("e2e_interactivity " + rate(rates.endToEnd())
                    + " output tokens per second of request time, client side; e2e_avg_interactivity of endpoints "
                    + rate(rates.average()));
        }
        if (rates.normalizedP90() != null) {
            lines.add("e2e_norm_interactivity "
                    + percentile(snapshot, "e2e_norm_interactivity_p90_per_s", rates.normalizedP90()) + " at p90, "
                    + percentile(snapshot, "e2e_norm_interactivity_p50_per_s", rates.normalizedP50())
                    + " at p50 of the latency per token");
        }
        return lines.isEmpty() ? null : Section.ofLines("Interactivity", "Per user", lines);
    }

    /** A rate with the marks of the percentile that it is computed from. */
    private static String percentile(MetricsSnapshot snapshot, String name, @Nullable Double perSecond) {
        UserRates.Source source = UserRates.source(snapshot, name);
        return source == null || perSecond == null
                ? rate(perSecond)
                : PercentileText.marked(rate(perSecond), source.series().isExact(), source.isCertain());
    }

    private static String rate(@Nullable Double perSecond) {
        return perSecond == null ? "-" : Figures.rate(perSecond);
    }
}
