package io.metricsaggregator.report.section;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.PercentileText;
import io.metricsaggregator.analysis.Tree;
import io.metricsaggregator.catalogue.Percentile;
import io.metricsaggregator.snapshot.telemetry.ValueStatistics;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;
import org.jspecify.annotations.Nullable;

/** Rows of statistics: count, mean, percentiles and largest value, each with its unit. */
final class StatisticsTable {
    /** The titles of the columns after the first. */
    static final List<String> TITLES = List.of("count", "mean", "p50", "p90", "p99", "max");

    private static final List<Percentile> PERCENTILES = List.of(Percentile.P50, Percentile.P90, Percentile.P99);
    private static final double NANOS_PER_MILLI = 1e6;

    private StatisticsTable() {}

    /** The cells of a row, without its name. */
    static List<String> cells(ValueStatistics values, DoubleFunction<String> value) {
        List<String> cells = new ArrayList<>();
        cells.add(Tree.count(values.count()));
        cells.add(shown(values.mean(), value));
        for (Percentile each : PERCENTILES) {
            cells.add(PercentileText.of(values.percentile(each.label()), each.percent(), values.count(), value));
        }
        cells.add(shown(values.max(), value));
        return cells;
    }

    /** Milliseconds with the unit that fits: ns, us, ms or s. */
    static String millis(double millis) {
        return Figures.duration(millis * NANOS_PER_MILLI);
    }

    static String shown(@Nullable Double number, DoubleFunction<String> value) {
        return number == null ? "-" : value.apply(number);
    }
}
