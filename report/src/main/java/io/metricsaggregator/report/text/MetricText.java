package io.metricsaggregator.report.text;

import io.metricsaggregator.analysis.Tree;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.telemetry.MetricSnapshot;
import io.metricsaggregator.snapshot.telemetry.ValueStatistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Custom metrics as text: one line per series. */
final class MetricText {
    private static final int ROWS_MAX = 40;

    private MetricText() {}

    /** Lines of the run; empty without custom metrics. */
    static List<String> lines(MetricsSnapshot snapshot) {
        SnapshotExtensions extensions = snapshot.extensions();
        MetricSnapshot metric =
                extensions == null ? null : extensions.telemetry().metric();
        if (metric == null) {
            return List.of();
        }
        List<MetricSnapshot.Row> rows = metric.rows();
        List<String> lines = new ArrayList<>();
        for (MetricSnapshot.Row row : rows.subList(0, Math.min(ROWS_MAX, rows.size()))) {
            lines.add(String.format(
                    Locale.ROOT, "%-32s %s", Tree.text(row.name() + Tree.labels(row.labels()), 48), figures(row)));
        }
        if (rows.size() > ROWS_MAX) {
            lines.add("and " + (rows.size() - ROWS_MAX) + " more metrics");
        }
        if (metric.recordsOverLimit() > 0) {
            lines.add(Tree.count(metric.recordsOverLimit())
                    + " records of metrics beyond the limit share the row `other` of their kind");
        }
        return lines;
    }

    private static String figures(MetricSnapshot.Row row) {
        String unit = row.unit().isEmpty() ? "" : " " + Tree.text(row.unit(), 16);
        if (row.figures() instanceof MetricSnapshot.Total total) {
            return Tree.number(total.total(), "%,.0f") + unit + " in " + Tree.count(total.count()) + " records";
        }
        if (row.figures() instanceof MetricSnapshot.Gauge gauge) {
            return Tree.number(gauge.last(), "%,.4g") + unit + " now, from " + Tree.number(gauge.min(), "%,.4g")
                    + " to " + Tree.number(gauge.max(), "%,.4g");
        }
        ValueStatistics values = ((MetricSnapshot.Distribution) row.figures()).values();
        return Tree.count(values.count()) + " values," + unit + ": mean " + Tree.number(values.mean(), "%,.4g")
                + "  p50 "
                + Tree.number(values.percentile("p50"), "%,.4g") + "  p90 "
                + Tree.number(values.percentile("p90"), "%,.4g") + "  p99 "
                + Tree.number(values.percentile("p99"), "%,.4g") + "  max " + Tree.number(values.max(), "%,.4g");
    }
}
