package io.metricsaggregator.report.dialect;

import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.analysis.TimeAxis;
import io.metricsaggregator.analysis.Tree;
import io.metricsaggregator.codec.CsvRow;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One row per time bucket, one column per scraped series; empty cells for unmeasured values. */
public final class SeriesCsv implements Dialect {
    /** Longest column name, in characters. */
    private static final int NAME_MAX = 4000;

    @Override
    public String render(Report report) {
        MetricsSnapshot snapshot = report.snapshot();
        Map<?, ?> scrape = Tree.of(snapshot, "scrape");
        Map<?, ?> table = Tree.map(scrape.get("table"));
        String clock = String.valueOf(scrape.get("clock"));
        double[] seconds = new TimeAxis(snapshot).middles(table, clock);
        CsvRow head = new CsvRow().name("time").name("seconds");
        List<List<?>> columns = new ArrayList<>();
        for (Object each : Tree.list(table.get("rows"))) {
            Map<?, ?> row = Tree.map(each);
            String what = "rate_per_s".equals(row.get("what")) ? "rate " : "";
            head.text(Printable.escape(what + row.get("name") + Tree.labels(row.get("labels")), NAME_MAX));
            columns.add(Tree.list(row.get("values")));
        }
        StringBuilder out = new StringBuilder().append(head);
        long start = table.get("start_ns") instanceof Long nanos ? nanos : 0;
        long width = table.get("width_ns") instanceof Long nanos ? nanos : 1;
        for (int i = 0; i < seconds.length; i++) {
            CsvRow row = new CsvRow();
            // A monotonic clock has no time of day.
            row.value(clock.equals("wall") ? Instant.ofEpochMilli((start + i * width) / 1_000_000) : null);
            row.value(seconds[i]);
            for (List<?> column : columns) {
                row.value(i < column.size() ? column.get(i) : null);
            }
            out.append(row);
        }
        return out.toString();
    }
}
