package io.metricsaggregator.analysis;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesDetail;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.figures.Goodput;
import io.metricsaggregator.snapshot.figures.Jobs;
import io.metricsaggregator.snapshot.figures.SteadyState;
import org.jspecify.annotations.Nullable;

/**
 * The headline figures of a snapshot. Counts are of tracked samples.
 *
 * @param snapshot the snapshot they were computed from
 * @param settings the settings from the report folder of the benchmark
 * @param issued samples issued
 * @param completed samples completed
 * @param failed errors of samples
 * @param durationNanos sum of the tracked windows; null without one
 * @param throughput rates over the run's window; null without one
 * @param otherThroughput rates over LoadGen's window where the run does not state its window; null otherwise
 * @param complete whether the session ended and every text was counted
 */
public record Report(
        MetricsSnapshot snapshot,
        BenchmarkSettings settings,
        long issued,
        long completed,
        long failed,
        @Nullable Long durationNanos,
        @Nullable Throughput throughput,
        @Nullable Throughput otherThroughput,
        boolean complete) {

    private static final double NANOS_PER_SECOND = 1e9;

    /** Computes the figures of a snapshot whose run does not state its throughput window. */
    public static Report of(MetricsSnapshot snapshot) {
        return of(snapshot, BenchmarkSettings.NONE);
    }

    /** Computes the figures, with throughput over a given window. */
    public static Report of(MetricsSnapshot snapshot, ThroughputWindow window) {
        return of(snapshot, BenchmarkSettings.NONE.withWindow(window));
    }

    /** Computes the figures, with throughput over the window that the settings name. */
    public static Report of(MetricsSnapshot snapshot, BenchmarkSettings settings) {
        long completed = snapshot.counter(CounterName.TRACKED_SAMPLES_COMPLETED);
        long duration = snapshot.counter(CounterName.TRACKED_DURATION_NS);
        long loadgenWindow = snapshot.counter(CounterName.LEGACY_LOADGEN_WINDOW_DURATION_NS);
        Throughput tracked = duration > 0 ? throughput(snapshot, ThroughputWindow.TRACKED, duration, completed) : null;
        // LoadGen's definition subtracts one sample, so it needs two; the reference otherwise uses the tracked windows.
        Throughput loadgen = loadgenWindow > 0 && completed >= 2
                ? throughput(snapshot, ThroughputWindow.LOADGEN, loadgenWindow, completed - 1)
                : null;
        boolean byLoadgen = settings.window() == ThroughputWindow.LOADGEN && loadgen != null;
        return new Report(
                snapshot,
                settings,
                snapshot.counter(CounterName.TRACKED_SAMPLES_ISSUED),
                completed,
                snapshot.counter(CounterName.TRACKED_SAMPLES_FAILED),
                duration > 0 ? (Long) duration : null,
                byLoadgen ? loadgen : tracked,
                settings.window() == ThroughputWindow.UNSTATED ? loadgen : null,
                snapshot.state() == SessionState.COMPLETE && snapshot.pendingTasks() == 0);
    }

    private static Throughput throughput(MetricsSnapshot snapshot, ThroughputWindow window, long nanos, long samples) {
        double seconds = nanos / NANOS_PER_SECOND;
        SeriesMetric output = snapshot.series(SeriesName.OSL);
        Goodput goodput = snapshot.extensions().goodput();
        return new Throughput(
                window,
                nanos,
                samples / seconds,
                output == null || output.count() == 0
                        ? null
                        : (Double) (output.total().doubleValue() / seconds),
                goodput == null ? null : (Double) (goodput.good() / seconds));
    }

    /** This report over LoadGen's window if the run does not state its window: the default of the reference's report writer. */
    public Report byTheToolsDefault() {
        return settings.window() == ThroughputWindow.UNSTATED
                ? of(snapshot, settings.withWindow(ThroughputWindow.LOADGEN))
                : this;
    }

    /** Completed samples a second; null without a window. */
    public @Nullable Double requestsPerSecond() {
        return throughput == null ? null : (Double) throughput.requestsPerSecond();
    }

    /** Output tokens a second; null without a window, without counted outputs, and if the run ended with outputs uncounted. */
    public @Nullable Double tokensPerSecond() {
        return throughput == null || tokensIncomplete() ? null : throughput.tokensPerSecond();
    }

    /**
     * Output tokens a second by the usage that servers reported, where no output was counted; null where outputs were counted, and without reports or a
     * window.
     */
    public @Nullable Double reportedTokensPerSecond() {
        return throughput == null ? null : reportedTokensPerSecond(throughput);
    }

    private @Nullable Double reportedTokensPerSecond(Throughput over) {
        SeriesMetric tokens = snapshot.series(SeriesName.USAGE_COMPLETION_TOKENS);
        return over.tokensPerSecond() != null || tokens == null || tokens.count() == 0
                ? null
                : (Double) (tokens.total().doubleValue() * NANOS_PER_SECOND / over.nanos());
    }

    /** Output tokens a second for people, with {@code ~} as servers reported them; {@code incomplete} if outputs are uncounted; null without any. */
    public @Nullable String tokenRate() {
        return throughput == null ? null : tokenRate(throughput);
    }

    /** {@link #tokenRate()} over one of the windows of this report. */
    public @Nullable String tokenRate(Throughput over) {
        if (tokensIncomplete()) {
            return "incomplete";
        }
        Double counted = over.tokensPerSecond();
        Double reported = reportedTokensPerSecond(over);
        return counted != null
                ? (ReportedTokens.areTheSource(snapshot) ? "~" : "") + Figures.rate(counted)
                : reported == null ? null : "~" + Figures.rate(reported);
    }

    /** Samples a second that met the objectives; null without a window or objectives. */
    public @Nullable Double goodPerSecond() {
        return throughput == null ? null : throughput.goodPerSecond();
    }

    /** A number by the seconds of the throughput's window; null without a window, and if the number is unknown. */
    public @Nullable Double perSecond(@Nullable Long number) {
        return throughput == null || number == null
                ? null
                : (Double) (number / (throughput.nanos() / NANOS_PER_SECOND));
    }

    /** Whether the run ended before all texts were counted, so that token totals cover only part of the outputs. */
    public boolean tokensIncomplete() {
        return snapshot.state().isTerminal() && snapshot.pendingTasks() > 0 && snapshot.series(SeriesName.OSL) != null;
    }

    /** Whether throughput is over LoadGen's window. */
    public boolean byLoadgenWindow() {
        return throughput != null && throughput.window() == ThroughputWindow.LOADGEN;
    }

    /** LoadGen's window; null if throughput is over another one. */
    public @Nullable Long loadgenWindowNanos() {
        return byLoadgenWindow() && throughput != null ? (Long) throughput.nanos() : null;
    }

    /** A counter; null where the summary of a tool, of which the run was imported, does not have it. */
    public @Nullable Long known(CounterName counter) {
        return ImportedText.known(snapshot, counter);
    }

    /** Standard deviation (n − 1) of a series; 0 for a single value, NaN if it is unknown. */
    public static double standardDeviation(SeriesMetric series) {
        SeriesDetail detail = series.detail();
        if (detail != null) {
            return detail.stdDev() == null ? 0 : detail.stdDev();
        }
        // Snapshots of other daemons have rounded sums only.
        double n = series.count();
        double total = series.total().doubleValue();
        double spread = series.sumSq().doubleValue() - total * total / n;
        return n < 2 && !Double.isNaN(spread) ? 0 : Math.sqrt(Math.max(0, spread / (n - 1)));
    }

    /** Jobs of agents an hour and GPU in the steady window; null without jobs, a window, or a number as the label {@code gpus} of the run. */
    public @Nullable Double jobsPerHourAndGpu() {
        try {
            return jobsPerHourAndGpu(
                    Double.valueOf(snapshot.extensions().run().labels().getOrDefault("gpus", "")));
        } catch (NumberFormatException e) {
            return null; // the label is the user's, and need not be a number
        }
    }

    /** The same for a number of GPUs; null if that is unknown. */
    public @Nullable Double jobsPerHourAndGpu(@Nullable Double gpus) {
        Jobs jobs = snapshot.extensions().optional().jobs();
        SteadyState steady = snapshot.extensions().optional().steady();
        return jobs == null || steady == null ? null : jobs.perHourAndGpu(steady.window(), gpus);
    }
}
