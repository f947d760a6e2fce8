package io.metricsaggregator.verdict;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.Percentile;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SuccessSeries;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Whether the client issued samples when it had scheduled them. */
final class ClientSchedule implements Check {
    static final String NAME = "the client's schedule";
    private static final double SLIP_SHARE = 0.1;
    private static final double SLIP_FLOOR_NANOS = 10e6;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String effect() {
        return "slip p99 above " + Check.number(SLIP_FLOOR_NANOS / 1e6) + " ms and " + Check.percent(SLIP_SHARE)
                + " of the median latency: questionable, and limited by the client. Unknown without `scheduled_ns`";
    }

    @Override
    public List<Finding> judge(MetricsSnapshot snapshot) {
        Double late = at(snapshot.series(SeriesName.SCHEDULE_SLIP_NS), Percentile.P99);
        Double median = at(SuccessSeries.LATENCY.shown(snapshot), Percentile.P50);
        if (late == null || median == null) {
            return List.of(new Finding(
                    Finding.Weight.UNKNOWN,
                    NAME,
                    late != null || snapshot.counter(CounterName.TRACKED_SAMPLES_ISSUED) == 0
                            ? "no sample latency was measured"
                            : "the producer sends no scheduled_ns"));
        }
        double limit = limit(median);
        Finding finding = new Finding(
                late > limit ? Finding.Weight.REMARK : Finding.Weight.GOOD,
                NAME,
                String.format(
                        Locale.ROOT,
                        "samples were issued %s late (p99); the limit is %s at a median latency of %s",
                        Figures.duration(late),
                        Figures.duration(limit),
                        Figures.duration(median)));
        return List.of(finding.limitedBy(Finding.Limit.CLIENT));
    }

    /** Whether the client kept its schedule; false if that is unknown. */
    static boolean isKept(MetricsSnapshot snapshot) {
        Double late = at(snapshot.series(SeriesName.SCHEDULE_SLIP_NS), Percentile.P99);
        Double median = at(SuccessSeries.LATENCY.shown(snapshot), Percentile.P50);
        return late != null && median != null && late <= limit(median);
    }

    private static double limit(double medianNanos) {
        return Math.max(SLIP_FLOOR_NANOS, SLIP_SHARE * medianNanos);
    }

    private static @Nullable Double at(@Nullable SeriesMetric series, Percentile percentile) {
        return series == null || series.count() == 0 ? null : series.percentile(percentile);
    }
}
