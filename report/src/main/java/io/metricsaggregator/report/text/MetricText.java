package io.metricsaggregator.report.text;

import io.metricsaggregator.analysis.Tree;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Anybody's own metrics in words: a line each. */
final class MetricText {
    private static final int ROWS_MAX = 40;

    private MetricText() {}

    /** Lines of the run; none if there were none. */
    static List<String> lines(MetricsSnapshot snapshot) {
        Map<?, ?> metric = Tree.of(snapshot, "metric");
        List<?> rows = Tree.list(metric.get("rows"));
        List<String> lines = new ArrayList<>();
        for (Object each : rows.subList(0, Math.min(ROWS_MAX, rows.size()))) {
            Map<?, ?> row = Tree.map(each);
            String unit = row.get("unit") instanceof String text && !text.isEmpty() ? " " + Tree.text(text, 16) : "";
            String name = Tree.text(row.get("name") + Tree.labels(row.get("labels")), 48);
            lines.add(String.format(
                    Locale.ROOT,
                    "%-32s %s",
                    name,
                    switch (String.valueOf(row.get("kind"))) {
                        case "count" ->
                            Tree.number(row.get("total"), "%,.0f") + unit + " in " + Tree.count(row.get("count"))
                                    + " records";
                        case "gauge" ->
                            Tree.number(row.get("last"), "%,.4g") + unit + " now, from "
                                    + Tree.number(row.get("min"), "%,.4g") + " to "
                                    + Tree.number(row.get("max"), "%,.4g");
                        default ->
                            Tree.count(row.get("count")) + " values," + unit + ": mean "
                                    + Tree.number(row.get("mean"), "%,.4g") + "  p50 "
                                    + Tree.number(row.get("p50"), "%,.4g")
                                    + "  p90 " + Tree.number(row.get("p90"), "%,.4g") + "  p99 "
                                    + Tree.number(row.get("p99"), "%,.4g") + "  max "
                                    + Tree.number(row.get("max"), "%,.4g");
                    }));
        }
        if (rows.size() > ROWS_MAX) {
            lines.add("and " + (rows.size() - ROWS_MAX) + " more metrics");
        }
        if (metric.get("records_over_limit") instanceof Long over && over > 0) {
            lines.add(Tree.count(over) + " records of metrics beyond the limit share the row `other` of their kind");
        }
        return lines;
    }
}
