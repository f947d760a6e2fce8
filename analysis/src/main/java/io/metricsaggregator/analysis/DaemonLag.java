package io.metricsaggregator.analysis;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SelfCost;
import io.metricsaggregator.snapshot.SeriesMetric;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Whether the daemon's own delay is part of what was measured. Latencies and rates of a final snapshot come from the producer's timestamps, so a
 * record that waited to be applied changes none of them, nor does a live snapshot that was left out. Only records without {@code timestamp_ns},
 * which the daemon stamps at receipt, carry its delay: it weighs if their wait is long beside the latency.
 */
final class DaemonLag {
    /** A wait (p99) above this share of the median latency is long. */
    private static final double LAG_SHARE = 0.05;

    private DaemonLag() {}

    /** Null for a snapshot that does not report what the daemon cost. */
    static @Nullable Finding of(MetricsSnapshot snapshot) {
        SelfCost self =
                snapshot.extensions() == null ? null : snapshot.extensions().self();
        if (self == null) {
            return null;
        }
        SeriesMetric latency = snapshot.series("sample_latency_ns");
        Double median = latency == null || latency.count() == 0 ? null : latency.percentile("50.0");
        long stamped = snapshot.counterValue("records_without_timestamp");
        boolean longWait = median != null && self.lagP99Nanos() > LAG_SHARE * median;
        long skipped = snapshot.counterValue("ticks_skipped");
        long published = snapshot.counterValue("ticks_published");
        String evidence = String.format(
                Locale.ROOT,
                "records waited %s (p99) to be applied, %,d of %,d live snapshots were left out%s; %s",
                Figures.duration(self.lagP99Nanos()),
                skipped,
                skipped + published,
                self.ticksLengthened() > 0 ? ", and their interval was lengthened" : "",
                stamped == 0
                        ? "all times are the producer's: no figure includes the wait"
                        : String.format(
                                Locale.ROOT,
                                "%,d records came without timestamp_ns and were stamped at receipt: their times include the wait",
                                stamped));
        return new Finding(
                stamped > 0 && longWait ? Finding.Weight.REMARK : Finding.Weight.GOOD, "the daemon itself", evidence);
    }
}
