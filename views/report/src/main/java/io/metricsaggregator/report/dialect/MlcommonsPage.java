package io.metricsaggregator.report.dialect;

import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.analysis.Throughput;
import io.metricsaggregator.catalogue.Percentile;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.snapshot.HistogramBucket;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * {@code report.txt} of MLCommons endpoints: a summary, then for each series its moments, its histogram as bars and its percentiles, in
 * milliseconds and tokens, by the fields of the report object of the tool. Unmeasured values are N/A.
 */
final class MlcommonsPage {
    private static final int BAR_WIDTH = 30;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_TO_MILLIS = 1e-6;

    private final Report report;
    /** Rates over the tracked windows if the run does not state its window, else null. */
    private final @Nullable Throughput unstated;

    private final StringBuilder out = new StringBuilder();

    MlcommonsPage(Report report) {
        this.report = report.byTheToolsDefault();
        this.unstated = report.otherThroughput() == null ? null : report.throughput();
    }

    String render() {
        line("----------------- Summary -----------------");
        SnapshotExtensions extensions = report.snapshot().extensions();
        line(
                "Version: %s",
                extensions.isNone()
                        ? "unknown"
                        : Printable.escape(extensions.run().version(), 64));
        if (report.settings().gitSha() != null) {
            line("Git SHA: %s", Printable.escape(report.settings().gitSha(), 64));
        }
        Map<String, @Nullable Object> runConfig = report.settings().runConfig();
        if (runConfig != null) {
            line("Run config:");
            runConfig.forEach(
                    (name, value) -> line("  %s: %s", Printable.escape(name, 64), Printable.escape(text(value), 1000)));
        }
        line("State: %s%s", report.snapshot().state().wireName(), report.complete() ? "" : " (NOT complete)");
        line("Total samples issued: %d", report.issued());
        line("Total samples completed: %d", report.completed());
        line("Total samples failed: %d", report.failed());
        Long duration = report.durationNanos();
        line(
                "Duration: %s",
                duration == null ? "N/A (no performance tracking)" : fixed(duration / NANOS_PER_SECOND) + " seconds");
        if (report.byLoadgenWindow() && report.loadgenWindowNanos() != null) {
            line("LoadGen window: %s seconds", fixed(report.loadgenWindowNanos() / NANOS_PER_SECOND));
        }
        line("QPS: %s", orNone(report.requestsPerSecond()));
        line("TPS: %s", report.tokensIncomplete() ? "N/A (incomplete)" : orNone(report.tokensPerSecond()));
        if (unstated != null) {
            line(
                    "QPS over the tracked windows: %s (the run does not state its window)",
                    fixed(unstated.requestsPerSecond()));
        }
        section("TTFT", SeriesName.TTFT_NS, "ms", NANOS_TO_MILLIS);
        section("TPOT", SeriesName.TPOT_NS, "ms", NANOS_TO_MILLIS);
        section("Latency", SeriesName.SAMPLE_LATENCY_NS, "ms", NANOS_TO_MILLIS);
        section("Output sequence lengths", SeriesName.OSL, "tokens", 1);
        section("Input sequence lengths", SeriesName.ISL, "tokens", 1);
        line("");
        line("----------------- End of Summary -----------------");
        return out.toString();
    }

    /** A value of the run settings; a map as {@code key=value} pairs. */
    private static String text(@Nullable Object value) {
        return value instanceof Map<?, ?> map
                ? map.entrySet().stream()
                        .map(each -> each.getKey() + "=" + each.getValue())
                        .collect(Collectors.joining(", "))
                : String.valueOf(value);
    }

    private static String orNone(@Nullable Double value) {
        return value == null ? "N/A" : fixed(value);
    }

    private static String fixed(double value) {
        return Double.isNaN(value) ? "N/A" : String.format(Locale.ROOT, "%.2f", value);
    }

    private void section(String title, SeriesName name, String unit, double scale) {
        SeriesMetric series = report.snapshot().series(name);
        if (series == null || series.count() == 0) {
            return;
        }
        line("");
        line("------------------- %s -------------------", title);
        moment("Min:", series.min().doubleValue() * scale, unit);
        moment("Max:", series.max().doubleValue() * scale, unit);
        Double median = series.percentiles().get(Percentile.P50.key());
        if (median != null) {
            moment("Median:", median * scale, unit);
        }
        Double mean = series.mean();
        if (mean != null) {
            moment("Avg.:", mean * scale, unit);
        }
        moment("Std Dev.:", Report.standardDeviation(series) * scale, unit);
        histogram(series.histogram(), unit, scale);
        line("");
        line("  Percentiles:");
        series.percentiles().forEach((grid, value) -> line("  %6s: %s %s", grid, fixed(value * scale), unit));
        if (series.earlyStopping() != null) {
            line("");
            line("  Early stopping estimates (99%% confidence):");
            series.earlyStopping()
                    .forEach((grid, value) ->
                            line("  %6s: %s", grid, value == null ? "N/A" : fixed(value * scale) + " " + unit));
        }
    }

    private void moment(String label, double value, String unit) {
        line("  %10s %s %s", label, fixed(value), unit);
    }

    private void histogram(List<HistogramBucket> buckets, String unit, double scale) {
        long top = 1;
        int width = 0;
        for (HistogramBucket bucket : buckets) {
            top = Math.max(top, bucket.count());
            width = Math.max(width, range(bucket, scale, false).length());
        }
        line("");
        line("  Histogram (%s):", unit);
        for (int i = 0; i < buckets.size(); i++) {
            HistogramBucket bucket = buckets.get(i);
            int bar = (int) (bucket.count() * BAR_WIDTH / top);
            line(
                    "  %" + width + "s |%s %d",
                    range(bucket, scale, i + 1 == buckets.size()),
                    "#".repeat(bucket.count() > 0 ? Math.max(1, bar) : 0),
                    bucket.count());
        }
    }

    /** The range of a bucket; the last one includes its upper edge. */
    private static String range(HistogramBucket bucket, double scale, boolean last) {
        return "[" + fixed(bucket.low() * scale) + ", " + fixed(bucket.high() * scale) + (last ? "]" : ")");
    }

    private void line(String format, Object... arguments) {
        out.append(String.format(Locale.ROOT, format, arguments)).append('\n');
    }
}
