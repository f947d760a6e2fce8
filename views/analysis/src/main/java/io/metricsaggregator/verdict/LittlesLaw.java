package io.metricsaggregator.verdict;

import io.metricsaggregator.analysis.Trend;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.figures.Slices;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Little's law: the mean number of samples in flight equals completion rate times mean latency. A large difference means that
 * timestamps or samples are missing. Warm-up samples and too few slices make the law inapplicable.
 */
final class LittlesLaw implements Check {
    /** Samples in flight are sampled once per slice; a smaller relative difference is sampling error. */
    private static final double APART_MAX = 0.25;

    private static final int SLICES_MIN = 3 * Trend.SLICES_MIN;

    @Override
    public String name() {
        return "Little's law";
    }

    @Override
    public String effect() {
        return "mean in flight and rate × latency differ by more than " + Check.percent(APART_MAX)
                + ": questionable. Judged from " + SLICES_MIN + " slices on, where every sample is tracked";
    }

    @Override
    public boolean isForLiveRuns() {
        return false;
    }

    @Override
    public List<Finding> judge(MetricsSnapshot snapshot) {
        Slices slices =
                snapshot.extensions().isNone() ? null : snapshot.extensions().slices();
        long[] inFlight = slices == null ? null : slices.column("in_flight");
        SeriesMetric latency = snapshot.series(SeriesName.SAMPLE_LATENCY_NS);
        Double mean = latency == null ? null : latency.mean();
        boolean allTracked = snapshot.counter(CounterName.TOTAL_SAMPLES_ISSUED)
                == snapshot.counter(CounterName.TRACKED_SAMPLES_ISSUED);
        if (slices == null
                || inFlight == null
                || mean == null
                || !allTracked
                || inFlight.length < SLICES_MIN
                || OverTime.unjudged(snapshot) != null) {
            return List.of();
        }
        double seen = (double) Arrays.stream(inFlight).sum() / inFlight.length;
        double expected = snapshot.counter(CounterName.TOTAL_SAMPLES_COMPLETED)
                / ((double) inFlight.length * slices.widthNanos())
                * mean;
        if (seen <= 1) {
            return List.of();
        }
        double residual = Math.abs(seen - expected) / seen;
        return List.of(new Finding(
                residual > APART_MAX ? Finding.Weight.REMARK : Finding.Weight.GOOD,
                name(),
                String.format(
                        Locale.ROOT,
                        "%.1f samples in flight on average; rate times latency is %.1f (%.0f%% apart)",
                        seen,
                        expected,
                        100 * residual)));
    }
}
