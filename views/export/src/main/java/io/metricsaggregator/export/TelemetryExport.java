package io.metricsaggregator.export;

import io.metricsaggregator.snapshot.telemetry.MetricSnapshot;
import io.metricsaggregator.snapshot.telemetry.OperationSnapshot;
import io.metricsaggregator.snapshot.telemetry.ResourceCounter;
import io.metricsaggregator.snapshot.telemetry.ResourceSnapshot;
import io.metricsaggregator.snapshot.telemetry.ScrapeSnapshot;
import io.metricsaggregator.snapshot.telemetry.TelemetryKind;
import io.metricsaggregator.snapshot.telemetry.TelemetrySnapshots;
import io.metricsaggregator.snapshot.telemetry.TransferFigures;
import io.metricsaggregator.snapshot.telemetry.TransferSnapshot;
import io.metricsaggregator.snapshot.telemetry.ValueStatistics;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Converts telemetry to exported metrics in base units, with labels from bounded sets. */
final class TelemetryExport {
    private static final double SECONDS = 1e-9;
    private static final int ROWS_MAX = 2000;

    private final DistinctMetrics out;
    private final Set<Object> ownLabels = new HashSet<>();
    private int rows;

    private TelemetryExport(DistinctMetrics out) {
        this.out = out;
    }

    static void add(TelemetrySnapshots telemetry, DistinctMetrics out) {
        TelemetryExport all = new TelemetryExport(out);
        for (TelemetryKind kind : TelemetryKind.values()) {
            all.add(kind, telemetry);
        }
    }

    private void add(TelemetryKind kind, TelemetrySnapshots telemetry) {
        // An expression, so that the compiler asks for a new kind.
        Runnable export = switch (kind) {
            case TRANSFER -> () -> transfers(telemetry.transfer());
            case RESOURCE -> () -> nodes(telemetry.resource());
            case OPERATION -> () -> operations(telemetry.operation());
            case SCRAPE -> () -> targets(telemetry.scrape());
            case METRIC -> () -> own(telemetry.metric());
        };
        export.run();
    }

    private void counter(String name, String help, Map<String, String> labels, @Nullable Object value, double scale) {
        if (value instanceof Number number && hasRoom()) {
            out.counter(name, help, labels, number.doubleValue() * scale);
        }
    }

    private void gauge(String name, String help, Map<String, String> labels, @Nullable Object value, double scale) {
        if (value instanceof Number number && hasRoom()) {
            out.gauge(name, help, labels, number.doubleValue() * scale);
        }
    }

    private boolean hasRoom() {
        if (rows < ROWS_MAX) {
            rows++;
            return true;
        }
        out.countLeftOut(1);
        return false;
    }

    private void transfers(@Nullable TransferSnapshot transfer) {
        if (transfer == null) {
            return;
        }
        TransferFigures figures = transfer.cumulative().transfers();
        TransferFigures.Counts counts = figures.counts();
        Map<String, String> none = Map.of();
        counter("transfer_completed", "KV-cache transfers done", none, counts.successful(), 1);
        counter("transfer_bytes", "bytes transferred", none, figures.bytes(), 1);
        counter("transfer_failed", "KV-cache transfers that failed", none, counts.failed(), 1);
        counter("transfer_notifications_failed", "notifications that failed", none, counts.notificationsFailed(), 1);
        counter("transfer_handshakes_failed", "handshakes that failed", none, counts.handshakesFailed(), 1);
        counter("transfer_receives_failed", "receives that failed", none, counts.receivesFailed(), 1);
        counter(
                "transfer_notified_after_expiry",
                "notifications after the KV cache of their request expired",
                none,
                counts.notifiedAfterExpiry(),
                1);
        counter("transfer_kv_expired", "requests whose KV cache expired", none, counts.kvExpired(), 1);
    }

    private void nodes(@Nullable ResourceSnapshot resource) {
        if (resource == null) {
            return;
        }
        resource.nodes().forEach((name, node) -> {
            Map<String, String> labels = Map.of("node", name);
            counter("node_samples", "samples of a node's resources", labels, node.samples(), 1);
            gauge("node_cpu_ratio", "share of a node's CPUs in use", labels, node.nowCpuPercent(), 0.01);
            gauge("node_memory_ratio", "share of a node's memory in use", labels, node.nowMemoryPercent(), 0.01);
            counter(
                    "node_cpu_seconds",
                    "CPU time a node had",
                    labels,
                    node.cpu().hours(),
                    3600);
            counter(
                    "node_cpu_used_seconds",
                    "CPU time a node used",
                    labels,
                    node.cpu().usedHours(),
                    3600);
            for (ResourceCounter counter : ResourceCounter.values()) {
                String bytes = counter.bytesName();
                counter(
                        "node_" + bytes,
                        "bytes since the first sample of a node: " + bytes.replace('_', ' '),
                        labels,
                        node.grownBytes(counter),
                        1);
            }
        });
    }

    private void operations(@Nullable OperationSnapshot operation) {
        if (operation == null) {
            return;
        }
        operation.overall().times().forEach((name, times) -> {
            Map<String, String> labels = Map.of("operation", name);
            counter(
                    "operation_completed",
                    "operations done",
                    labels,
                    times.millis().count(),
                    1);
            counter("operation_failed", "operations that failed", labels, times.failures(), 1);
            counter("operation_seconds", "time in operations that are done", labels, times.sumNanos(), SECONDS);
        });
        operation
                .overall()
                .counters()
                .forEach((name, value) ->
                        gauge("operation_count", "counters of operations", Map.of("name", name), value, 1));
    }

    private void targets(@Nullable ScrapeSnapshot scrape) {
        if (scrape == null) {
            return;
        }
        for (ScrapeSnapshot.Target target : scrape.targets()) {
            Map<String, String> labels = Map.of("target_job", target.job(), "target_instance", target.instance());
            gauge(
                    "scrape_up",
                    "1 for a target that answered when it was last scraped",
                    labels,
                    target.reachable() ? 1 : 0,
                    1);
            counter("scrape_failures", "scrapes that failed", labels, target.failed(), 1);
            counter("scrape_samples", "samples scraped", labels, target.samples(), 1);
        }
        ServerExport.add(scrape.server(), out);
    }

    /** Adds custom metrics: one exported name for each kind, with the metric's name, which can be any text, as a label. */
    private void own(@Nullable MetricSnapshot metric) {
        if (metric == null) {
            return;
        }
        for (MetricSnapshot.Row row : metric.rows()) {
            Map<String, String> labels = labels(row);
            if (row.figures() instanceof MetricSnapshot.Total total) {
                counter("metric_count", "sums of metric.count records", labels, total.total(), 1);
            } else if (row.figures() instanceof MetricSnapshot.Gauge gauge) {
                gauge("metric_gauge", "last values of metric.gauge records", labels, gauge.last(), 1);
            } else if (row.figures() instanceof MetricSnapshot.Distribution distribution) {
                ValueStatistics values = distribution.values();
                counter("metric_values", "values of metric.record records", labels, values.count(), 1);
                gauge("metric_values_sum", "sums of metric.record records", labels, values.sum(), 1);
            }
        }
    }

    /**
     * The labels of a custom metric. Label names that become equal in Prometheus' alphabet get the suffix {@code _conflictN}, as in
     * kube-state-metrics; rows whose labels become equal get the label {@code conflict}.
     */
    private Map<String, String> labels(MetricSnapshot.Row row) {
        Map<String, String> labels = new LinkedHashMap<>();
        row.labels().forEach((given, value) -> {
            String name = label(given);
            String free = name;
            for (int number = 1; labels.containsKey(free); number++) {
                free = name + "_conflict" + number;
            }
            if (!free.equals(name)) {
                out.countConflicts(1);
            }
            labels.put(free, value);
        });
        labels.put("name", row.name());
        labels.put("unit", row.unit());
        String kind = row.kind().wireName();
        if (!ownLabels.add(List.of(kind, Map.copyOf(labels)))) {
            out.countConflicts(1);
            int number = 1;
            labels.put("conflict", Integer.toString(number));
            while (!ownLabels.add(List.of(kind, Map.copyOf(labels)))) {
                number++;
                labels.put("conflict", Integer.toString(number));
            }
        }
        return labels;
    }

    /** A label name in Prometheus' alphabet, with a prefix that keeps it distinct from this project's labels. */
    private static String label(String name) {
        return "label_" + name.replaceAll("[^a-zA-Z0-9_]", "_");
    }
}
