package io.metricsaggregator.report.section;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.telemetry.TelemetryKind;
import java.util.List;
import java.util.stream.Stream;

/** The sections of telemetry, one for each kind, for reports and for the screen. */
public final class TelemetrySections {
    private TelemetrySections() {}

    /** The sections that the snapshot has figures for, in the order of the page; the first lines of each are the most important. */
    public static List<Section> of(MetricsSnapshot snapshot) {
        return Stream.of(
                        TelemetryKind.SCRAPE,
                        TelemetryKind.RESOURCE,
                        TelemetryKind.TRANSFER,
                        TelemetryKind.OPERATION,
                        TelemetryKind.METRIC)
                .map(kind -> of(kind, snapshot))
                .filter(each -> !each.blocks().isEmpty())
                .toList();
    }

    private static Section of(TelemetryKind kind, MetricsSnapshot snapshot) {
        return switch (kind) {
            case SCRAPE -> new Section("Servers and GPUs", "Servers", ScrapeBlocks.of(snapshot), kind);
            case RESOURCE -> new Section("Nodes", "Nodes", ResourceBlocks.of(snapshot), kind);
            case TRANSFER -> new Section("KV-cache transfers", "Transfer", TransferBlocks.of(snapshot), kind);
            case OPERATION -> new Section("Operations", "Operat.", OperationBlocks.of(snapshot), kind);
            case METRIC -> new Section("Own metrics", "Metrics", MetricBlocks.of(snapshot), kind);
        };
    }
}
