package io.metricsaggregator.report.dialect;

import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.analysis.TimeAxis;
import io.metricsaggregator.analysis.Tree;
import io.metricsaggregator.codec.CsvRow;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.telemetry.SampleClock;
import io.metricsaggregator.snapshot.telemetry.ScrapeSnapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One row per time bucket, one column per scraped series; empty cells for unmeasured values. */
public final class SeriesCsv implements Dialect {
    /** Longest column name, in characters. */
    private static final int NAME_MAX = 4000;

    @Override
    public String render(Report report) {
        MetricsSnapshot snapshot = report.snapshot();
        CsvRow head = new CsvRow().name("time").name("seconds");
        ScrapeSnapshot scrape = scrape(snapshot);
        ScrapeSnapshot.Table table = scrape == null ? null : scrape.table();
        if (scrape == null || table == null) {
            return head.toString();
        }
        double[] seconds = new TimeAxis(snapshot).middles(table.buckets(), scrape.clock());
        List<List<@Nullable Double>> columns = new ArrayList<>();
        for (ScrapeSnapshot.Series row : table.rows()) {
            head.text(Printable.escape((row.rate() ? "rate " : "") + row.name() + Tree.labels(row.labels()), NAME_MAX));
            columns.add(row.values());
        }
        StringBuilder out = new StringBuilder().append(head);
        long start = table.buckets().startNanos();
        long width = table.buckets().widthNanos();
        for (int i = 0; i < seconds.length; i++) {
            CsvRow row = new CsvRow();
            // A monotonic clock has no time of day.
            row.value(
                    scrape.clock() == SampleClock.WALL ? Instant.ofEpochMilli((start + i * width) / 1_000_000) : null);
            row.value(seconds[i]);
            for (List<@Nullable Double> column : columns) {
                row.value(i < column.size() ? column.get(i) : null);
            }
            out.append(row);
        }
        return out.toString();
    }

    @Override
    public @Nullable String missing(Report report) {
        ScrapeSnapshot scrape = scrape(report.snapshot());
        if (scrape == null) {
            return "nothing was scraped; run --scrape URL scrapes an exporter";
        }
        return scrape.table() == null || scrape.table().rows().isEmpty() ? "no scrape brought a sample" : null;
    }

    private static @Nullable ScrapeSnapshot scrape(MetricsSnapshot snapshot) {
        return snapshot.extensions().telemetry().scrape();
    }
}
