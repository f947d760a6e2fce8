package io.metricsaggregator.report.dialect;

import io.metricsaggregator.analysis.Quantity;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.analysis.SeriesHistogram;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** The percentile distribution of each duration in milliseconds, in the {@code .hgrm} text format of HdrHistogram and its plotter. */
public final class HgrmReport implements Dialect {
    private static final int TICKS_PER_HALF = 5;
    private static final double NANOS_PER_MILLI = 1e6;

    @Override
    public String render(Report report) {
        MetricsSnapshot snapshot = report.snapshot();
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

    @Override
    public @Nullable String missing(Report report) {
        return Quantity.durations(report.snapshot()).stream()
                        .allMatch(each -> SeriesHistogram.of(each.measured(report.snapshot())) == null)
                ? "no duration was measured"
                : null;
    }
}
