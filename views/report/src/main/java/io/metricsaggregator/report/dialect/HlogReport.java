package io.metricsaggregator.report.dialect;

import io.metricsaggregator.analysis.Quantity;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.analysis.SeriesHistogram;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.jspecify.annotations.Nullable;

/** A histogram log of HdrHistogram: one interval, the whole run, with a tag per series; durations in nanoseconds. */
public final class HlogReport implements Dialect {
    @Override
    public String render(Report report) {
        MetricsSnapshot snapshot = report.snapshot();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        HistogramLogWriter writer = new HistogramLogWriter(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        SnapshotExtensions extensions = snapshot.extensions();
        long start = extensions.run().startedWallNanos() / 1_000_000;
        long end = extensions.run().wallNanos() / 1_000_000;
        writer.outputComment("[metrics-aggregator, durations in nanoseconds]");
        writer.outputLogFormatVersion();
        if (start != 0) {
            writer.outputStartTime(start);
        }
        writer.setBaseTime(start);
        writer.outputLegend();
        for (Quantity quantity : Quantity.of(snapshot)) {
            Histogram histogram = SeriesHistogram.of(quantity.measured(snapshot));
            if (histogram != null) {
                histogram.setTag(quantity.key());
                histogram.setStartTimeStamp(start);
                histogram.setEndTimeStamp(end);
                writer.outputIntervalHistogram(histogram);
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Override
    public @Nullable String missing(Report report) {
        return Quantity.of(report.snapshot()).stream()
                        .allMatch(each -> SeriesHistogram.of(each.measured(report.snapshot())) == null)
                ? "no value was measured"
                : null;
    }
}
