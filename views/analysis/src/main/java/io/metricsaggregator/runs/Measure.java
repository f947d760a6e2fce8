package io.metricsaggregator.runs;

import io.metricsaggregator.analysis.EnergyFigure;
import io.metricsaggregator.analysis.Outcomes;
import io.metricsaggregator.analysis.Quantity;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.analysis.StallText;
import io.metricsaggregator.analysis.SteadyFigure;
import io.metricsaggregator.analysis.UserRates;
import io.metricsaggregator.catalogue.Percentile;
import io.metricsaggregator.catalogue.Unit;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.SuccessSeries;
import io.metricsaggregator.snapshot.figures.Goodput;
import io.metricsaggregator.snapshot.figures.Progress;
import io.metricsaggregator.snapshot.figures.Slices;
import io.metricsaggregator.snapshot.percentile.Certainty;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A figure of a run for comparisons.
 *
 * @param key such as {@code ttft.p99} or {@code requests_per_s}
 * @param unit for people
 * @param higherIsBetter whether more is better
 * @param value of the run
 * @param certain whether enough values bound it with 99 % confidence; true for figures other than percentiles
 * @param exact whether it is taken from the values themselves; false for a percentile estimated from a histogram
 * @param overTime the figure per time slice; null if slices do not have it
 */
@SuppressWarnings("ArrayRecordComponent") // read once, never compared
record Measure(
        String key,
        String unit,
        boolean higherIsBetter,
        double value,
        boolean certain,
        boolean exact,
        double @Nullable [] overTime) {
    /** The figure of failed samples, in percent of those that succeeded or failed. */
    static final String ERRORS = "errors";
    /** The figure of good samples, in percent of those judged by the objectives. */
    static final String GOOD_SHARE = "good_share";
    /** Good samples a second. */
    static final String GOOD_RATE = "good_per_s";

    private static final String STEADY = "steady.";
    private static final double NANOS_PER_MILLI = 1e6;
    private static final List<Percentile> PERCENTILES =
            List.of(Percentile.P50, Percentile.P90, Percentile.P99, Percentile.P99_9);
    /** Columns of slices by quantity. */
    private static final Map<String, String> COLUMNS = Map.of("ttft", "ttft", "latency", "latency");

    static List<Measure> of(MetricsSnapshot snapshot) {
        List<Measure> measures = new ArrayList<>();
        Report report = Report.of(snapshot);
        SnapshotExtensions extensions = snapshot.extensions();
        Slices slices = extensions.isNone() ? null : extensions.slices();
        add(measures, "requests_per_s", "1/s", true, report.requestsPerSecond(), column(slices, "completed"));
        add(measures, "output_tokens_per_s", "1/s", true, report.tokensPerSecond(), null);
        add(measures, GOOD_RATE, "1/s", true, report.goodPerSecond(), column(slices, "good"));
        Goodput goodput = extensions.goodput();
        Double good = goodput == null || goodput.judged() == 0 ? null : goodput.share();
        add(measures, GOOD_SHARE, "% good", true, good == null ? null : (Double) (100 * good), null);
        UserRates.of(report)
                .byName()
                .forEach((name, value) -> add(measures, name, value, UserRates.source(snapshot, name)));
        Double failed = Outcomes.of(snapshot).failedShare();
        add(measures, ERRORS, "% failed", false, failed == null ? null : (Double) (100 * failed), null);
        for (EnergyFigure each : EnergyFigure.values()) {
            if (each.isComparable()) {
                add(measures, each.key(), each.unit(), each.higherIsBetter(), each.of(report), null);
            }
        }
        Progress progress = StallText.of(snapshot);
        add(
                measures,
                "stalled_s",
                "s",
                false,
                progress == null ? null : (Double) (progress.stalledNanos() / 1e9),
                null);
        for (SteadyFigure each : SteadyFigure.of(report)) {
            Double value = each.steady();
            boolean duration = each.isDuration();
            Double shown = value == null || !duration ? value : (Double) (value / NANOS_PER_MILLI);
            if (shown != null) {
                Percentile percentile = each.percentile();
                boolean certain = percentile == null || Certainty.isCertain(percentile, each.steadyCount());
                measures.add(new Measure(
                        STEADY + each.key(), duration ? "ms" : "1/s", !duration, shown, certain, !duration, null));
            }
        }
        for (Quantity quantity : Quantity.of(snapshot)) {
            SeriesMetric series = quantity.measured(snapshot);
            if (series != null) {
                SuccessSeries durations = SuccessSeries.with(quantity.series());
                // Snapshots that do not separate successes are compared by the durations of all.
                Quantity named = durations != null && durations.isMixed(snapshot)
                        ? new Quantity(durations.succeeded())
                        : quantity;
                series(measures, named, series, slices);
            }
        }
        return measures;
    }

    private static void add(
            List<Measure> into,
            String key,
            String unit,
            boolean higherIsBetter,
            @Nullable Double value,
            double @Nullable [] overTime) {
        if (value != null) {
            into.add(new Measure(key, unit, higherIsBetter, value, true, true, overTime));
        }
    }

    private static void add(
            List<Measure> into, String key, @Nullable Double perUser, UserRates.@Nullable Source percentile) {
        if (perUser != null) {
            boolean certain = percentile == null || percentile.isCertain();
            boolean exact = percentile == null || percentile.series().isExact();
            into.add(new Measure(key, Unit.TOKENS_PER_SECOND.symbol(), true, perUser, certain, exact, null));
        }
    }

    private static void series(List<Measure> into, Quantity quantity, SeriesMetric series, @Nullable Slices slices) {
        Double mean = series.mean();
        boolean more = quantity.series().unit() == Unit.TOKENS_PER_SECOND;
        if (mean != null) {
            into.add(new Measure(
                    quantity.key() + ".mean", quantity.unit(), more, quantity.shown(mean), true, true, null));
        }
        for (Percentile each : PERCENTILES) {
            Double value = series.percentile(each);
            if (value == null) {
                continue;
            }
            String name = each.label();
            String column = COLUMNS.get(quantity.key());
            into.add(new Measure(
                    quantity.key() + "." + name,
                    quantity.unit(),
                    more,
                    quantity.shown(value),
                    series.isCertain(each),
                    series.isExact(),
                    column == null ? null : column(slices, column + "_" + name + "_ns")));
        }
        double max = quantity.shown(series.max().doubleValue());
        if (!Double.isNaN(max)) {
            into.add(new Measure(quantity.key() + ".max", quantity.unit(), more, max, true, true, null));
        }
    }

    /** The measured values of a slice column, without the slices at both ends, which are seldom complete. */
    private static double @Nullable [] column(@Nullable Slices slices, String name) {
        long[] values = slices == null ? null : slices.column(name);
        if (slices == null || values == null) {
            return null;
        }
        long[] issued = slices.column("issued");
        int last = values.length - 1;
        while (issued != null && last > 0 && issued[last] == 0) {
            last--;
        }
        List<Double> kept = new ArrayList<>();
        for (int i = 1; i < last; i++) {
            if (values[i] != Slices.NOT_MEASURED) {
                kept.add((double) values[i]);
            }
        }
        return kept.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
