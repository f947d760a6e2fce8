package io.metricsaggregator.report.dialect;

import io.metricsaggregator.analysis.Quantity;
import io.metricsaggregator.analysis.SeriesHistogram;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/** Histograms for the tools around HdrHistogram. */
public final class HdrExport {
    private static final int TICKS_PER_HALF = 5;
    private static final double NANOS_PER_MILLI = 1e6;

    private HdrExport() {}

    /** The percentile distribution of each duration, in ms, as HdrHistogram prints it. */
    public static String hgrm(MetricsSnapshot snapshot) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        for (Quantity quantity : Quantity.durations(snapshot)) {
            Histogram histogram = SeriesHistogram.of(quantity.measured(snapshot));
            if (histogram != null) {
                out.printf("#[%s, in %s]%n", quantity.key(), quantity.unit());
                histogram.outputPercentileDistribution(out, TICKS_PER_HALF, NANOS_PER_MILLI);
                out.println();
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** A log of one interval, the whole run, with a tag for each series. */
    public static String hlog(MetricsSnapshot snapshot) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        HistogramLogWriter writer = new HistogramLogWriter(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        SnapshotExtensions extensions = snapshot.extensions();
        long start = extensions == null ? 0 : extensions.run().startedWallNanos() / 1_000_000;
        long end = extensions == null ? 0 : extensions.run().wallNanos() / 1_000_000;
        writer.outputComment("[metrics-aggregator, durations in nanoseconds]");
        writer.outputLogFormatVersion();
        writer.outputStartTime(start);
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
}
