package io.metricsaggregator.analysis;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.telemetry.MetricSnapshot;
import io.metricsaggregator.snapshot.telemetry.OperationSnapshot;
import io.metricsaggregator.snapshot.telemetry.ScrapeCount;
import io.metricsaggregator.snapshot.telemetry.ScrapeSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Notes on limits that were reached: parts omitted from the snapshot, and records that share the row {@code other} or have none. */
final class LimitNotes {
    private LimitNotes() {}

    static List<String> of(MetricsSnapshot snapshot) {
        List<String> notes = new ArrayList<>();
        SnapshotExtensions extensions = snapshot.extensions();
        if (extensions.isNone()) {
            return notes;
        }
        List<String> leftOut = extensions.completeness().leftOut();
        if (!leftOut.isEmpty()) {
            notes.add("omitted from this snapshot because of its size or the available memory: "
                    + Printable.escape(String.join(", ", leftOut), 500));
        }
        OperationSnapshot operation = extensions.telemetry().operation();
        if (operation != null) {
            note(
                    notes,
                    operation.recordsOverRowLimit(),
                    "operations are counted in the row `other`: the limit operation_rows was reached");
            note(
                    notes,
                    operation.keysEvicted(),
                    "keys of operations were evicted to the row `other`: --max-keys was reached");
        }
        MetricSnapshot metric = extensions.telemetry().metric();
        if (metric != null) {
            note(
                    notes,
                    metric.recordsOverLimit(),
                    "custom metric records are counted in the row `other`: the limit metric_series was reached");
        }
        ScrapeSnapshot scrape = extensions.telemetry().scrape();
        if (scrape != null) {
            note(
                    notes,
                    scrape.count(ScrapeCount.SAMPLES_OVER_LIMIT),
                    "scraped samples were discarded: the limit scrape_series, scrape_samples or scrape_text_bytes was reached");
            note(
                    notes,
                    scrape.count(ScrapeCount.WINDOWS_DROPPED),
                    "windows of scraped series were dropped, the oldest first");
        }
        return notes;
    }

    private static void note(List<String> notes, long count, String what) {
        if (count > 0) {
            notes.add(String.format(Locale.ROOT, "%,d %s", count, what));
        }
    }
}
