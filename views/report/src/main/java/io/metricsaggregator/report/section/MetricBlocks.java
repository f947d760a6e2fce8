package io.metricsaggregator.report.section;

import io.metricsaggregator.analysis.Tree;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.telemetry.MetricSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Custom metrics: a table each of totals, gauges and distributions. */
final class MetricBlocks {
    private static final int ROWS_MAX = 40;

    private MetricBlocks() {}

    /** The tables of the run; empty without custom metrics. */
    static List<Section.Block> of(MetricsSnapshot snapshot) {
        SnapshotExtensions extensions = snapshot.extensions();
        MetricSnapshot metric = extensions.telemetry().metric();
        if (metric == null) {
            return List.of();
        }
        List<List<String>> totals = new ArrayList<>();
        List<List<String>> gauges = new ArrayList<>();
        List<List<String>> distributions = new ArrayList<>();
        List<MetricSnapshot.Row> rows = metric.rows();
        for (MetricSnapshot.Row row : rows.subList(0, Math.min(ROWS_MAX, rows.size()))) {
            String name = Tree.text(row.name() + Tree.labels(row.labels()), 48);
            String unit = row.unit().isEmpty() ? "" : Tree.text(row.unit(), 16);
            if (row.figures() instanceof MetricSnapshot.Total total) {
                totals.add(List.of(name, unit, Tree.number(total.total(), "%,.0f"), Tree.count(total.count())));
            } else if (row.figures() instanceof MetricSnapshot.Gauge gauge) {
                gauges.add(List.of(
                        name,
                        unit,
                        Tree.number(gauge.last(), "%,.4g"),
                        Tree.number(gauge.min(), "%,.4g"),
                        Tree.number(gauge.max(), "%,.4g")));
            } else if (row.figures() instanceof MetricSnapshot.Distribution distribution) {
                List<String> cells = new ArrayList<>(List.of(name, unit));
                cells.addAll(StatisticsTable.cells(
                        distribution.values(), value -> String.format(Locale.ROOT, "%,.4g", value)));
                distributions.add(cells);
            }
        }
        List<Section.Block> blocks = new ArrayList<>();
        add(blocks, List.of("gauge", "unit", "last", "min", "max"), gauges);
        add(blocks, List.of("counter", "unit", "total", "records"), totals);
        List<String> titles = new ArrayList<>(List.of("distribution", "unit"));
        titles.addAll(StatisticsTable.TITLES);
        add(blocks, titles, distributions);
        if (rows.size() > ROWS_MAX) {
            blocks.add(new Section.Line("and " + (rows.size() - ROWS_MAX) + " more metrics"));
        }
        if (metric.recordsOverLimit() > 0) {
            blocks.add(new Section.Line(Tree.count(metric.recordsOverLimit())
                    + " records of metrics beyond the limit share the row `other` of their kind"));
        }
        return blocks;
    }

    private static void add(List<Section.Block> blocks, List<String> titles, List<List<String>> rows) {
        if (!rows.isEmpty()) {
            List<Section.Column> columns = new ArrayList<>();
            for (int i = 0; i < titles.size(); i++) {
                columns.add(new Section.Column(titles.get(i), i < 2 ? Section.Align.LEFT : Section.Align.RIGHT));
            }
            blocks.add(new Section.Table(columns, rows));
        }
    }
}
