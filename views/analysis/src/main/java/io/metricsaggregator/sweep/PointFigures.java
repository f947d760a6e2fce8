package io.metricsaggregator.sweep;

import io.metricsaggregator.analysis.EnergyFigures;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.analysis.Throughput;
import io.metricsaggregator.catalogue.Percentile;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SuccessSeries;
import io.metricsaggregator.snapshot.figures.Goodput;
import io.metricsaggregator.snapshot.figures.Interactivity;
import io.metricsaggregator.snapshot.figures.Jobs;
import io.metricsaggregator.snapshot.figures.SteadyWindow;
import io.metricsaggregator.snapshot.percentile.Certainty;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Computes the figures of a point from a run: those of its steady window, or of the whole run. */
final class PointFigures {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MILLI = 1e6;

    private final Map<PointFigure, Double> figures = new EnumMap<>(PointFigure.class);
    private final Set<PointFigure> estimated = EnumSet.noneOf(PointFigure.class);
    private final Set<PointFigure> uncertain = EnumSet.noneOf(PointFigure.class);

    private PointFigures() {}

    /**
     * The figures that a run has.
     *
     * @param goodput the good samples of the whole run; null without objectives
     * @param window the steady window to take them from; null for the whole run
     */
    static PointFigures of(Report report, @Nullable Goodput goodput, @Nullable SteadyWindow window) {
        PointFigures all = new PointFigures();
        if (window == null) {
            all.run(report);
            all.good(report, goodput);
        } else {
            all.steady(window);
        }
        all.energy(window == null ? EnergyFigures.main(report) : steadyEnergy(report));
        Jobs jobs = report.snapshot().extensions().optional().jobs();
        all.put(PointFigure.JOBS_PER_H_USER, jobs == null ? null : jobs.perHourAndUser());
        if (report.issued() > 0) {
            all.put(PointFigure.ERROR_SHARE, (double) report.failed() / report.issued());
        }
        return all;
    }

    /** Those that were measured; the caller may change the map. */
    Map<PointFigure, Double> figures() {
        return figures;
    }

    /** The marks of the figures, beside notes on them. */
    SweepRun.Marks marks(List<String> notes) {
        return new SweepRun.Marks(estimated, uncertain, notes);
    }

    private static @Nullable EnergyFigures steadyEnergy(Report report) {
        return EnergyFigures.of(report).stream()
                .filter(each -> each.window().equals("steady"))
                .findFirst()
                .orElse(null);
    }

    private void energy(@Nullable EnergyFigures energy) {
        if (energy != null) {
            put(PointFigure.J_PER_OUTPUT_TOKEN, energy.joulesPerOutputToken());
            put(PointFigure.USD_PER_MILLION_OUTPUT_TOKENS, energy.usdPerMillionOutputTokens());
        }
    }

    /** Adds the rates per GPU; adds nothing if their number is unknown. */
    static void perGpu(Map<PointFigure, Double> figures, Report report, @Nullable Double gpus) {
        Double jobs = report.jobsPerHourAndGpu(gpus);
        if (jobs != null) {
            figures.put(PointFigure.JOBS_PER_H_GPU, jobs);
        }
        Double output = figures.get(PointFigure.SYSTEM_TPS);
        Double total = figures.get(PointFigure.TOTAL_TPS);
        if (gpus != null && output != null) {
            figures.put(PointFigure.TPS_PER_GPU, output / gpus);
        }
        if (gpus != null && total != null) {
            figures.put(PointFigure.TOTAL_TPS_PER_GPU, total / gpus);
        }
    }

    private void put(PointFigure figure, @Nullable Double value) {
        if (value != null && Double.isFinite(value)) {
            figures.put(figure, value);
        }
    }

    private void steady(SteadyWindow window) {
        put(PointFigure.QPS, window.issuedPerSecond());
        put(PointFigure.SYSTEM_TPS, window.tokensPerSecond());
        put(PointFigure.GOODPUT_PER_S, window.goodPerSecond());
        if (window.goodPerSecond() != null && window.issuedPerSecond() > 0) {
            put(PointFigure.GOOD_SHARE, Math.min(1, window.goodPerSecond() / window.issuedPerSecond()));
        }
        SteadyWindow.Durations ttft = window.ttft();
        if (ttft != null) {
            put(PointFigure.TTFT_P90_MS, ttft.p90() / NANOS_PER_MILLI);
            mark(Percentile.P90, ttft, PointFigure.TTFT_P90_MS);
        }
        SteadyWindow.Durations tpot = window.tpot();
        if (tpot != null) {
            perUser(tpot.p50(), tpot.p90());
            mark(Percentile.P90, tpot, PointFigure.TPOT_P90_MS, PointFigure.TPS_PER_USER);
            mark(Percentile.P50, tpot, PointFigure.TPS_PER_USER_MEDIAN);
        }
        SteadyWindow.Durations latency = window.latency();
        if (latency != null) {
            put(PointFigure.LATENCY_P50_MS, latency.p50() / NANOS_PER_MILLI);
            put(PointFigure.LATENCY_P99_MS, latency.p99() / NANOS_PER_MILLI);
            mark(Percentile.P50, latency, PointFigure.LATENCY_P50_MS);
            mark(Percentile.P99, latency, PointFigure.LATENCY_P99_MS);
        }
    }

    /** Marks figures of a percentile of the steady window, which are estimates. */
    private void mark(Percentile percentile, SteadyWindow.Durations of, PointFigure... shown) {
        mark(percentile, false, of.count(), shown);
    }

    private void mark(Percentile percentile, boolean exact, long count, PointFigure... shown) {
        for (PointFigure each : shown) {
            if (!exact) {
                estimated.add(each);
            }
            if (!Certainty.isCertain(percentile, count)) {
                uncertain.add(each);
            }
        }
    }

    private void run(Report report) {
        MetricsSnapshot snapshot = report.snapshot();
        put(PointFigure.QPS, report.requestsPerSecond());
        put(PointFigure.SYSTEM_TPS, report.tokensPerSecond());
        Throughput throughput = report.throughput();
        SeriesMetric input = measured(snapshot, SeriesName.ISL);
        if (throughput != null && input != null && report.tokensPerSecond() != null) {
            double inputPerSecond = input.total().doubleValue() / (throughput.nanos() / NANOS_PER_SECOND);
            put(PointFigure.TOTAL_TPS, report.tokensPerSecond() + inputPerSecond);
        }
        Interactivity interactivity = snapshot.extensions().optional().interactivity();
        put(PointFigure.E2E_INTERACTIVITY, interactivity == null ? null : interactivity.tokensPerSecond());
        millis(PointFigure.TTFT_P90_MS, SuccessSeries.TTFT.shown(snapshot), Percentile.P90);
        SeriesMetric tpot = measured(snapshot, SeriesName.TPOT_NS);
        if (tpot != null) {
            perUser(tpot.percentile(Percentile.P50), tpot.percentile(Percentile.P90));
            mark(Percentile.P90, tpot.isExact(), tpot.count(), PointFigure.TPOT_P90_MS, PointFigure.TPS_PER_USER);
            mark(Percentile.P50, tpot.isExact(), tpot.count(), PointFigure.TPS_PER_USER_MEDIAN);
        }
        millis(PointFigure.LATENCY_P50_MS, SuccessSeries.LATENCY.shown(snapshot), Percentile.P50);
        millis(PointFigure.LATENCY_P99_MS, SuccessSeries.LATENCY.shown(snapshot), Percentile.P99);
    }

    private void good(Report report, @Nullable Goodput goodput) {
        Throughput throughput = report.throughput();
        if (goodput != null && throughput != null) {
            put(PointFigure.GOODPUT_PER_S, goodput.good() / (throughput.nanos() / NANOS_PER_SECOND));
            put(PointFigure.GOOD_SHARE, goodput.share());
        }
    }

    private void perUser(@Nullable Double p50, @Nullable Double p90) {
        if (p90 != null && p90 > 0) {
            put(PointFigure.TPOT_P90_MS, p90 / NANOS_PER_MILLI);
            put(PointFigure.TPS_PER_USER, NANOS_PER_SECOND / p90);
        }
        if (p50 != null && p50 > 0) {
            put(PointFigure.TPS_PER_USER_MEDIAN, NANOS_PER_SECOND / p50);
        }
    }

    private static @Nullable SeriesMetric measured(MetricsSnapshot snapshot, SeriesName name) {
        SeriesMetric series = snapshot.series(name);
        return series == null || series.count() == 0 ? null : series;
    }

    private void millis(PointFigure figure, @Nullable SeriesMetric series, Percentile percentile) {
        Double value = series == null ? null : series.percentile(percentile);
        if (series != null && value != null) {
            put(figure, value / NANOS_PER_MILLI);
            mark(percentile, series.isExact(), series.count(), figure);
        }
    }
}
