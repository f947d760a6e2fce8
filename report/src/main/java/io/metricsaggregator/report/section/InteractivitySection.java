package io.metricsaggregator.report.section;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.analysis.UserRates;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Output tokens per second as one user sees them, each under the name of its definition. */
final class InteractivitySection {
    private InteractivitySection() {}

    /** Up to three lines; null where nothing was measured. */
    static @Nullable Section of(Report report) {
        UserRates rates = UserRates.of(report);
        List<String> lines = new ArrayList<>();
        if (rates.perUser() != null) {
            lines.add("tps_per_user " + rate(rates.perUser()) + " output tokens/s at p90 of the time per output token, "
                    + rate(rates.perUserMean()) + " at its mean, " + rate(rates.perUserMedian()) + " at its median");
        }
        if (rates.endToEnd() != null || rates.average() != null) {
            lines.add("e2e_interactivity " + rate(rates.endToEnd())
                    + " output tokens per second of request time, client side; e2e_avg_interactivity of endpoints "
                    + rate(rates.average()));
        }
        if (rates.normalizedP90() != null) {
            lines.add("e2e_norm_interactivity " + rate(rates.normalizedP90()) + " at p90, "
                    + rate(rates.normalizedP50()) + " at p50 of the latency per token");
        }
        return lines.isEmpty() ? null : Section.ofLines("Interactivity", "Per user", lines);
    }

    private static String rate(@Nullable Double perSecond) {
        return perSecond == null ? "-" : Figures.rate(perSecond);
    }
}
