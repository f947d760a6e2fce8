package io.metricsaggregator.analysis;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a snapshot lacks because a limit was reached: parts left out of it, and records that share a row or have none. */
final class LimitNotes {
    private LimitNotes() {}

    static List<String> of(MetricsSnapshot snapshot) {
        List<String> notes = new ArrayList<>();
        SnapshotExtensions extensions = snapshot.extensions();
        if (extensions == null) {
            return notes;
        }
        List<String> leftOut = extensions.completeness().leftOut();
        if (!leftOut.isEmpty()) {
            notes.add("left out of this snapshot because of its size, or for want of memory: "
                    + Printable.escape(String.join(", ", leftOut), 500));
        }
        Map<?, ?> operation = Tree.of(snapshot, "operation");
        note(
                notes,
                operation.get("records_over_row_limit"),
                "operations share a row `other`: operation_rows is reached");
        note(
                notes,
                operation.get("keys_evicted"),
                "keys of operations gave their row up to `other`: --max-keys is reached");
        Map<?, ?> metric = Tree.of(snapshot, "metric");
        note(
                notes,
                metric.get("records_over_limit"),
                "custom metric records share a row `other`: metric_series is reached");
        Map<?, ?> counts = Tree.map(Tree.of(snapshot, "scrape").get("counts"));
        note(
                notes,
                counts.get("samples_over_limit"),
                "scraped samples were left out: scrape_series, scrape_samples or scrape_text_bytes is reached");
        note(notes, counts.get("windows_dropped"), "windows of scraped series were dropped, the oldest first");
        return notes;
    }

    private static void note(List<String> notes, @Nullable Object count, String what) {
        if (count instanceof Long number && number > 0) {
            notes.add(String.format(Locale.ROOT, "%,d %s", number, what));
        }
    }
}
