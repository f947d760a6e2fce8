package io.metricsaggregator.analysis;

import io.metricsaggregator.catalogue.Percentile;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.figures.SteadyState;
import io.metricsaggregator.snapshot.figures.SteadyWindow;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A figure of the run beside the same figure of its steady window.
 *
 * @param name the name in JSON, such as {@code ttft_ns.p50}
 * @param key the name in comparisons without the prefix {@code steady.}, such as {@code ttft.p50}
 * @param title the name for readers, such as {@code TTFT p50}
 * @param percentile which percentile of durations in ns it is; null for a rate per second
 * @param series the durations of the run; null if they were not measured, and for a rate
 * @param steadyCount durations in the window; 0 for a rate
 * @param run the value of the run; null if it was not measured
 * @param steady the value of the window; null if it was not measured
 */
public record SteadyFigure(
        String name,
        String key,
        String title,
        @Nullable Percentile percentile,
        @Nullable SeriesMetric series,
        long steadyCount,
        @Nullable Double run,
        @Nullable Double steady) {
    /** Difference in percent above which a report names a figure. */
    public static final double NOTABLE_PERCENT = 10;

    /** Whether the values are ns; otherwise they are per second. */
    public boolean isDuration() {
        return percentile != null;
    }

    /** How much the window's value is above the run's, in percent; null if either is missing or the run's is 0. */
    public @Nullable Double deltaPercent() {
        return run == null || steady == null || run == 0 ? null : (Double) (100 * (steady - run) / run);
    }

    /** Whether the window's value differs from the run's by more than {@value #NOTABLE_PERCENT} %. */
    public boolean isNotable() {
        Double delta = deltaPercent();
        return delta != null && Math.abs(delta) > NOTABLE_PERCENT;
    }

    /** The steady state of a snapshot; null if it has none. */
    public static @Nullable SteadyState stateOf(MetricsSnapshot snapshot) {
        return snapshot.extensions().optional().steady();
    }

    /** The figures that the run or its steady window has, in the order of display; empty for a run without a window. */
    public static List<SteadyFigure> of(Report report) {
        SteadyState state = stateOf(report.snapshot());
        SteadyWindow window = state == null ? null : state.window();
        if (window == null) {
            return List.of();
        }
        List<SteadyFigure> figures = new ArrayList<>();
        add(figures, "qps_per_s", "requests/s", report.requestsPerSecond(), window.issuedPerSecond());
        add(figures, "system_tps_per_s", "output tokens/s", report.tokensPerSecond(), window.tokensPerSecond());
        SeriesMetric tpot = report.snapshot().series(SeriesName.TPOT_NS);
        Double p90 = tpot == null ? null : tpot.percentile(Percentile.P90);
        add(
                figures,
                "tps_per_user_per_s",
                "tokens/s per user",
                p90 == null || p90 <= 0 ? null : (Double) (1e9 / p90),
                window.tokensPerSecondPerUser());
        add(figures, "goodput_per_s", "good requests/s", report.goodPerSecond(), window.goodPerSecond());
        addAll(figures, report, SeriesName.SUCCEEDED_TTFT_NS, "TTFT", window.ttft());
        addAll(figures, report, SeriesName.TPOT_NS, "TPOT", window.tpot());
        addAll(figures, report, SeriesName.SUCCEEDED_SAMPLE_LATENCY_NS, "latency", window.latency());
        return figures;
    }

    private static void add(
            List<SteadyFigure> figures, String name, String title, @Nullable Double run, @Nullable Double steady) {
        if (steady != null) {
            figures.add(new SteadyFigure(name, name, title, null, null, 0, run, steady));
        }
    }

    private static void addAll(
            List<SteadyFigure> figures,
            Report report,
            SeriesName name,
            String title,
            SteadyWindow.@Nullable Durations steady) {
        if (steady == null) {
            return;
        }
        SeriesMetric run = new Quantity(name).measured(report.snapshot());
        add(figures, name, run, title, Percentile.P50, steady.p50(), steady.count());
        add(figures, name, run, title, Percentile.P90, steady.p90(), steady.count());
        add(figures, name, run, title, Percentile.P99, steady.p99(), steady.count());
    }

    private static void add(
            List<SteadyFigure> figures,
            SeriesName name,
            @Nullable SeriesMetric run,
            String title,
            Percentile percentile,
            double steady,
            long steadyCount) {
        figures.add(new SteadyFigure(
                name.wire() + "." + percentile.label(),
                name.key() + "." + percentile.label(),
                title + " " + percentile.label(),
                percentile,
                run,
                steadyCount,
                run == null ? null : run.percentile(percentile),
                steady));
    }

    /** The figure that the steady state is judged by, for people, such as {@code time between chunks}; null before any value. */
    public static @Nullable String driver(SteadyState steady) {
        String wire = steady.driver();
        if (wire == null) {
            return null;
        }
        if (wire.equals(SeriesName.CHUNK_DELTA_NS.wire())) {
            return "time between chunks";
        }
        SeriesName series = SeriesName.ofWire(wire);
        return series == null ? wire : series.title();
    }
}
