package io.metricsaggregator.verdict;

import io.metricsaggregator.analysis.Trend;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether samples in flight piled up: the server then served less than the offered load. */
final class InFlightTrend implements Check {

    @Override
    public String name() {
        return "samples in flight";
    }

    @Override
    public String effect() {
        return "growth of more than " + Check.percent(Trend.CHANGE)
                + " from the first half to the second, significant by Mann-Kendall at 1 %: questionable, and limited by the server";
    }

    @Override
    public List<Finding> judge(MetricsSnapshot snapshot) {
        @Nullable Trend trend = OverTime.unjudged(snapshot) != null ? null : Trend.of(snapshot, "in_flight_max");
        if (trend == null) {
            return List.of();
        }
        boolean piled = trend.changed() && trend.change() > 0;
        Finding finding = new Finding(
                piled ? Finding.Weight.REMARK : Finding.Weight.GOOD,
                name(),
                (piled ? "grew: " : "did not grow: ") + trend.text());
        return List.of(finding.limitedBy(Finding.Limit.SERVER));
    }
}
