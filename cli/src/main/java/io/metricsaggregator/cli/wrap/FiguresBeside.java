package io.metricsaggregator.cli.wrap;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The tool's figures beside those of the proxy, with the difference and its reason. A pure function of two snapshots. */
final class FiguresBeside {
    private static final double MILLI = 1e6;

    private FiguresBeside() {}

    /** A figure, what it is called, and why the tool's may differ. */
    private record Row(String name, String series, String percentile, String reason) {}

    private static final String CLIENT = "the tool's has its own work and the way to the proxy in it";
    /** A tool cannot see an answer before the proxy has; a little less is rounding. */
    private static final double EARLIER_MILLIS = 1;

    private static final String EARLIER =
            "the tool measures something shorter, such as to the head of the answer, or other requests";
    private static final List<Row> ROWS = List.of(
            new Row("time to first token p50, ms", "ttft_ns", "50.0", CLIENT),
            new Row("time to first token p99, ms", "ttft_ns", "99.0", CLIENT),
            new Row("latency p50, ms", "sample_latency_ns", "50.0", CLIENT),
            new Row("latency p99, ms", "sample_latency_ns", "99.0", CLIENT),
            new Row("time between chunks p50, ms", "chunk_delta_ns", "50.0", "the tool sees a chunk when it reads it"));

    /**
     * Compares.
     *
     * @param ours measured at the proxy
     * @param tools imported from the tool's file
     */
    static List<String> of(MetricsSnapshot ours, MetricsSnapshot tools) {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(Locale.ROOT, "%-30s %12s %12s %12s", "", "proxy", "tool", "difference"));
        count(lines, "requests", requests(ours), requests(tools));
        count(lines, "failed", failed(ours), failed(tools));
        for (Row row : ROWS) {
            Double our = millis(ours.series(row.series()), row.percentile());
            Double their = millis(tools.series(row.series()), row.percentile());
            if (our == null || their == null) {
                continue;
            }
            lines.add(String.format(
                    Locale.ROOT,
                    "%-30s %12.2f %12.2f %+12.2f  %s",
                    row.name(),
                    our,
                    their,
                    their - our,
                    their - our < -EARLIER_MILLIS ? EARLIER : row.reason()));
        }
        return lines;
    }

    private static void count(List<String> lines, String name, long ours, long tools) {
        String reason = ours == tools
                ? ""
                : ours > tools
                        ? "the tool leaves requests out of its file, such as its warm-up, or checks the server"
                        : "requests of the tool did not pass the proxy";
        lines.add(String.format(Locale.ROOT, "%-30s %,12d %,12d %+,12d  %s", name, ours, tools, tools - ours, reason)
                .stripTrailing());
    }

    private static long requests(MetricsSnapshot snapshot) {
        return snapshot.counter(CounterName.TOTAL_SAMPLES_ISSUED);
    }

    private static long failed(MetricsSnapshot snapshot) {
        return snapshot.counter(CounterName.TOTAL_SAMPLES_FAILED);
    }

    private static @Nullable Double millis(@Nullable SeriesMetric series, String percentile) {
        Double nanos = series == null || series.count() == 0 ? null : series.percentile(percentile);
        return nanos == null ? null : (Double) (nanos / MILLI);
    }
}
