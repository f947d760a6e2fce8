package io.metricsaggregator.sweep;

import io.metricsaggregator.analysis.GoodputText;
import io.metricsaggregator.analysis.MixedDurations;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.analysis.Throughput;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Goodput;
import io.metricsaggregator.snapshot.figures.SteadyState;
import io.metricsaggregator.snapshot.figures.SteadyWindow;
import io.metricsaggregator.snapshot.figures.SuperPasses;
import io.metricsaggregator.verdict.Verdict;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the runs of a sweep from their final snapshots.
 *
 * @param by label whose values separate curves; null for one curve
 * @param gpus number of GPUs of runs without label {@code gpus}; null if unknown
 * @param wholeRuns whether figures are always of the whole run, never of its steady window
 * @param objective limit by which the goodput of whole runs is counted instead of by their own objectives; null for those
 */
public record RunReader(
        @Nullable String by,
        @Nullable Double gpus,
        boolean wholeRuns,
        @Nullable SingleObjective objective) {
    /** Label of the requests in flight that the client held, or {@code offline}. */
    public static final String CONCURRENCY = "concurrency";
    /** Value of {@link #CONCURRENCY} of the Offline point. */
    public static final String OFFLINE = "offline";

    private static final String RATE = "rate";
    private static final String GPUS = "gpus";
    private static final String DATASET_SIZE = "dataset_size";
    private static final String NO_VALUE = "(none)";
    private static final double NANOS_PER_SECOND = 1e9;
    /** Labels that place a run and tell no difference between two. */
    private static final Set<String> PLACES = Set.of(CONCURRENCY, RATE, GPUS, DATASET_SIZE, "repeat");

    /**
     * Reads a run.
     *
     * @param name where the snapshot was read from
     * @param stated the concurrency that the user states, or {@code offline}; null to take that of the run's labels, else the mean in flight
     * @throws IllegalArgumentException if a label or {@code stated} is not the number it should be; the message names the run
     */
    public SweepRun read(String name, MetricsSnapshot snapshot, @Nullable String stated) {
        SnapshotExtensions extensions = snapshot.extensions();
        Map<String, String> labels = extensions.run().labels();
        Report report = Report.of(snapshot);
        SteadyWindow window = window(extensions);
        Goodput goodput = extensions.goodput();
        if (objective != null) {
            goodput = objective.goodput(snapshot);
        }
        PointFigures measured = PointFigures.of(report, goodput, window);
        Map<PointFigure, Double> figures = measured.figures();
        Double ownGpus = number(name, GPUS, labels.get(GPUS));
        Double gpusHere = ownGpus == null ? gpus : ownGpus;
        PointFigures.perGpu(figures, report, gpusHere);
        Verdict verdict = Verdict.of(snapshot);
        return new SweepRun(
                name,
                placement(name, snapshot, window, labels, stated, gpusHere),
                by == null ? "" : labels.getOrDefault(by, NO_VALUE),
                window == null ? Basis.RUN : Basis.STEADY,
                figures,
                measured.marks(window == null ? MixedDurations.notes(snapshot) : List.of()),
                goodput == null ? null : goodput.targetShare(),
                verdict.validity(),
                verdict.isFailing(),
                report.complete(),
                seconds(report, window),
                report.issued(),
                context(extensions),
                goodput == null ? "" : GoodputText.stated(goodput),
                verdict.reason());
    }

    private static SweepRun.Placement placement(
            String name,
            MetricsSnapshot snapshot,
            @Nullable SteadyWindow window,
            Map<String, String> labels,
            @Nullable String stated,
            @Nullable Double gpus) {
        String text = stated == null ? labels.get(CONCURRENCY) : stated;
        boolean offline = OFFLINE.equals(text);
        Double concurrency = offline ? null : number(name, CONCURRENCY, text);
        boolean derived = concurrency == null && !offline;
        Double size = number(name, DATASET_SIZE, labels.get(DATASET_SIZE));
        Long superPass = superPass(snapshot);
        return new SweepRun.Placement(
                derived ? meanInFlight(snapshot, window) : concurrency,
                derived,
                offline,
                number(name, RATE, labels.get(RATE)),
                gpus,
                size == null ? superPass : (Long) Math.max(1, Math.round(size)));
    }

    /** Samples of a super-pass, which is one pass over the dataset; null without super-passes. */
    private static @Nullable Long superPass(MetricsSnapshot snapshot) {
        SteadyState steady = snapshot.extensions().optional().steady();
        SuperPasses passes = steady == null ? null : steady.superPasses();
        return passes == null || passes.size() < 1 ? null : (Long) passes.size();
    }

    /** The number above 0 of a label; null without the label. */
    private static @Nullable Double number(String run, String label, @Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            double value = Double.parseDouble(text);
            if (value > 0 && Double.isFinite(value)) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new IllegalArgumentException(label + " '" + text + "' of " + run + " is not a number above 0"
                + (label.equals(CONCURRENCY) ? " nor offline" : ""));
    }

    private @Nullable SteadyWindow window(SnapshotExtensions extensions) {
        SteadyState steady = extensions.optional().steady();
        return wholeRuns || objective != null || steady == null || !isCertified(steady) ? null : steady.window();
    }

    /** Whether the window of a finished run was held for long enough: by super-passes if it consists of them, else by the present level. */
    private static boolean isCertified(SteadyState steady) {
        SteadyWindow window = steady.window();
        SuperPasses.Judgement judgement = steady.judgement();
        if (window == null || window.superPasses() == null) {
            return steady.isCertified();
        }
        return judgement != null && judgement.isFound();
    }

    private static @Nullable Double seconds(Report report, @Nullable SteadyWindow window) {
        Long nanos = window == null ? report.durationNanos() : (Long) window.issueNanos();
        return nanos == null ? null : (Double) (nanos / NANOS_PER_SECOND);
    }

    /**
     * The time-weighted mean of samples in flight: the sum of their latencies divided by the time, for the steady window by Little's law. Null
     * without latencies.
     */
    private static @Nullable Double meanInFlight(MetricsSnapshot snapshot, @Nullable SteadyWindow window) {
        Double mean = null;
        if (window != null) {
            SteadyWindow.Durations latency = window.latency();
            mean = latency == null ? null : (Double) (window.issuedPerSecond() * latency.mean() / NANOS_PER_SECOND);
        } else {
            SeriesMetric latency = snapshot.series(SeriesName.SAMPLE_LATENCY_NS);
            Throughput throughput = Report.of(snapshot).throughput();
            mean = latency == null || throughput == null
                    ? null
                    : (Double) (latency.total().doubleValue() / throughput.nanos());
        }
        return mean == null || !Double.isFinite(mean) || mean <= 0 ? null : mean;
    }

    private Map<String, String> context(SnapshotExtensions extensions) {
        Map<String, String> context = new LinkedHashMap<>();
        if (!extensions.isNone()) {
            context.putAll(extensions.run().settings());
            extensions.run().environment().forEach((name, value) -> {
                if (!name.equals("load_at_start")) {
                    context.put("environment." + name, value);
                }
            });
            extensions.run().labels().forEach((name, value) -> {
                if (!PLACES.contains(name) && !name.equals(by)) {
                    context.put("label " + name, value);
                }
            });
        }
        return context;
    }
}
