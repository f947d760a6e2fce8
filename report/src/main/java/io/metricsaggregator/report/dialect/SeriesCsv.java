package io.metricsaggregator.report.dialect;

import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.analysis.TimeAxis;
import io.metricsaggregator.analysis.Tree;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One row per time bucket, one column per scraped series; empty cells for unmeasured values. */
public final class SeriesCsv {
    private SeriesCsv() {}

    public static String render(MetricsSnapshot snapshot) {
        Map<?, ?> scrape = Tree.of(snapshot, "scrape");
        Map<?, ?> table = Tree.map(scrape.get("table"));
        String clock = String.valueOf(scrape.get("clock"));
        double[] seconds = new TimeAxis(snapshot).middles(table, clock);
        List<?> rows = Tree.list(table.get("rows"));
        StringBuilder out = new StringBuilder("time,seconds");
        List<List<?>> columns = new ArrayList<>();
        for (Object each : rows) {
            Map<?, ?> row = Tree.map(each);
            String what = "rate_per_s".equals(row.get("what")) ? "rate " : "";
            out.append(',').append(quoted(what + row.get("name") + Tree.labels(row.get("labels"))));
            columns.add(Tree.list(row.get("values")));
        }
        out.append("\r\n");
        long start = table.get("start_ns") instanceof Long nanos ? nanos : 0;
        long width = table.get("width_ns") instanceof Long nanos ? nanos : 1;
        for (int i = 0; i < seconds.length; i++) {
            // Of a monotonic clock there is no time of the day.
            out.append(
                            clock.equals("wall")
                                    ? Instant.ofEpochMilli((start + i * width) / 1_000_000)
                                            .toString()
                                    : "")
                    .append(',')
                    .append(seconds[i]);
            for (List<?> column : columns) {
                Object value = i < column.size() ? column.get(i) : null;
                out.append(',').append(value == null ? "" : value);
            }
            out.append("\r\n");
        }
        return out.toString();
    }

    private static String quoted(String text) {
        String printable = Printable.escape(text, 4000);
        // A spreadsheet must not take it for a formula.
        String safe = printable.matches("[=+\\-@].*") ? "'" + printable : printable;
        return "\"" + safe.replace("\"", "\"\"") + "\"";
    }
}
