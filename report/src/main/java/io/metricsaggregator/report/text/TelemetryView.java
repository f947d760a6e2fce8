package io.metricsaggregator.report.text;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.telemetry.TelemetryKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * A section of lines below the tables of a report and on the screen: the slowest samples, and one section per telemetry kind.
 *
 * @param title the heading
 * @param lines the most important first; text of producers is printable
 */
public record TelemetryView(String title, List<String> lines) {
    public TelemetryView {
        lines = List.copyOf(lines);
    }

    /** The sections of a snapshot that have lines. */
    public static List<TelemetryView> of(MetricsSnapshot snapshot) {
        List<TelemetryView> views = new ArrayList<>();
        views.add(new TelemetryView("Slowest samples", SlowestText.lines(snapshot)));
        views.addAll(ofKinds(snapshot));
        views.removeIf(each -> each.lines().isEmpty());
        return views;
    }

    /** The sections of the telemetry kinds that have lines: servers first, the user's own metrics last. */
    public static List<TelemetryView> ofKinds(MetricsSnapshot snapshot) {
        List<TelemetryView> views = new ArrayList<>();
        Arrays.stream(TelemetryKind.values())
                .sorted(Comparator.comparingInt(TelemetryView::place))
                .forEach(kind -> views.add(of(kind, snapshot)));
        views.removeIf(each -> each.lines().isEmpty());
        return views;
    }

    /** The place of a kind's section on the page, from the top. */
    private static int place(TelemetryKind kind) {
        return switch (kind) {
            case SCRAPE -> 0;
            case RESOURCE -> 1;
            case TRANSFER -> 2;
            case OPERATION -> 3;
            case METRIC -> 4;
        };
    }

    private static TelemetryView of(TelemetryKind kind, MetricsSnapshot snapshot) {
        return switch (kind) {
            case TRANSFER -> new TelemetryView("KV-cache transfers", TransferText.lines(snapshot));
            case RESOURCE -> new TelemetryView("Nodes", ResourceText.lines(snapshot));
            case OPERATION -> new TelemetryView("Operations", OperationText.lines(snapshot));
            case SCRAPE -> new TelemetryView("Servers and GPUs", ScrapeText.lines(snapshot));
            case METRIC -> new TelemetryView("Own metrics", MetricText.lines(snapshot));
        };
    }
}
