package io.metricsaggregator.report.text;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.util.ArrayList;
import java.util.List;

/**
 * What was observed beyond the tables, in words, for every screen and report: samples that stand out, and each other kind of observation.
 *
 * @param title of a section
 * @param lines the most important first; text that came from producers is printable
 */
public record TelemetryView(String title, List<String> lines) {
    public TelemetryView {
        lines = List.copyOf(lines);
    }

    /** All there are in a snapshot. A new kind has a line here. */
    public static List<TelemetryView> of(MetricsSnapshot snapshot) {
        List<TelemetryView> views = new ArrayList<>();
        views.add(new TelemetryView("Slowest samples", SlowestText.lines(snapshot)));
        views.add(new TelemetryView("Servers and GPUs", ScrapeText.lines(snapshot)));
        views.add(new TelemetryView("Nodes", ResourceText.lines(snapshot)));
        views.add(new TelemetryView("KV-cache transfers", TransferText.lines(snapshot)));
        views.add(new TelemetryView("Operations", OperationText.lines(snapshot)));
        views.add(new TelemetryView("Own metrics", MetricText.lines(snapshot)));
        views.removeIf(each -> each.lines().isEmpty());
        return views;
    }
}
