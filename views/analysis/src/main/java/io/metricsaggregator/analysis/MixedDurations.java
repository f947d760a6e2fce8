package io.metricsaggregator.analysis;

import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SuccessSeries;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Durations that are of all samples because a snapshot does not separate those that succeeded: one note for every view that shows them. */
public final class MixedDurations {
    private MixedDurations() {}

    /** A line for each such duration, such as {@code latency is of all 1,000 samples, 20 failed ones among them}; empty if there is none. */
    public static List<String> notes(MetricsSnapshot snapshot) {
        List<String> notes = new ArrayList<>();
        for (SuccessSeries each : SuccessSeries.values()) {
            SeriesMetric all = snapshot.series(each.all());
            if (all != null && each.isMixed(snapshot)) {
                notes.add(String.format(
                        Locale.ROOT,
                        "%s is of all %,d samples, %s: the snapshot does not separate those that succeeded",
                        each.all() == SeriesName.TTFT_NS ? "TTFT" : "latency",
                        all.count(),
                        failed(snapshot, snapshot.series(each.failed()))));
            }
        }
        return notes;
    }

    private static String failed(MetricsSnapshot snapshot, @Nullable SeriesMetric ofFailed) {
        if (ofFailed != null && ofFailed.count() > 0) {
            return String.format(Locale.ROOT, "%,d failed ones among them", ofFailed.count());
        }
        long failed = Outcomes.of(snapshot).failed();
        // A failed sample need not have completed, nor had a first chunk.
        return failed == 0
                ? "failed ones perhaps among them"
                : String.format(Locale.ROOT, "up to %,d failed ones among them", failed);
    }
}
