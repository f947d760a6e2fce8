package io.metricsaggregator.verdict;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.Percentile;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SuccessSeries;
import io.metricsaggregator.snapshot.figures.SelfCost;
import java.util.List;
import java.util.Locale;

/**
 * Checks whether the delay of the daemon is part of the measured times. Final latencies and rates come from the producer's timestamps, so neither a
 * wait before a record is applied nor a skipped live snapshot changes them. Only records without {@code timestamp_ns} include the wait, because the
 * daemon stamps them at receipt; the finding is a remark if that wait is long relative to the latency.
 */
final class DaemonLag implements Check {
    /** A p99 wait above this share of the median latency is long. */
    private static final double LAG_SHARE = 0.05;

    @Override
    public String name() {
        return "the daemon itself";
    }

    @Override
    public String effect() {
        return "records without `timestamp_ns` waited (p99) for more than " + Check.percent(LAG_SHARE)
                + " of the median latency: questionable. Other records carry the producer's time, so neither their wait nor skipped"
                + " snapshots matter";
    }

    @Override
    public List<Finding> judge(MetricsSnapshot snapshot) {
        SelfCost self = snapshot.extensions().self();
        if (self == null) {
            return List.of();
        }
        SeriesMetric latency = SuccessSeries.LATENCY.shown(snapshot);
        Double median = latency == null || latency.count() == 0 ? null : latency.percentile(Percentile.P50);
        long stamped = snapshot.counter(CounterName.RECORDS_WITHOUT_TIMESTAMP);
        boolean longWait = median != null && self.lagP99Nanos() > LAG_SHARE * median;
        long skipped = snapshot.counter(CounterName.TICKS_SKIPPED);
        long published = snapshot.counter(CounterName.TICKS_PUBLISHED);
        String evidence = String.format(
                Locale.ROOT,
                "records waited %s (p99) to be applied, %,d of %,d live snapshots were skipped%s; %s",
                Figures.duration(self.lagP99Nanos()),
                skipped,
                skipped + published,
                self.ticksLengthened() > 0 ? ", and the publish interval was lengthened" : "",
                stamped == 0
                        ? "all timestamps come from the producer, so no figure includes the wait"
                        : String.format(
                                Locale.ROOT,
                                "%,d records had no timestamp_ns and were stamped at receipt, so their times include the wait",
                                stamped));
        return List.of(
                new Finding(stamped > 0 && longWait ? Finding.Weight.REMARK : Finding.Weight.GOOD, name(), evidence));
    }
}
