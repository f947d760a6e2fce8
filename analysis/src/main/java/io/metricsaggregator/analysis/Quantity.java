package io.metricsaggregator.analysis;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A series as reports show it: durations in milliseconds, all others in their own unit.
 *
 * @param series its entry of the catalogue
 */
public record Quantity(SeriesName series) {
    private static final double NANOS_PER_MILLI = 1e6;

    /** Series that a merged snapshot can have of some of its runs only, and the counter of the values that the whole has. */
    private static final Map<SeriesName, CounterName> COUNTED_BY = Map.of(
            SeriesName.SUCCEEDED_SAMPLE_LATENCY_NS, CounterName.TRACKED_SAMPLES_SUCCEEDED,
            SeriesName.SUCCEEDED_TTFT_NS, CounterName.TRACKED_SAMPLES_SUCCEEDED_WITH_FIRST_CHUNK);

    private static final List<Quantity> ALL =
            SeriesName.reported().stream().map(Quantity::new).toList();

    /** All quantities of reports, in the order they are shown. */
    public static List<Quantity> all() {
        return ALL;
    }

    /** The quantities of a snapshot that have values. */
    public static List<Quantity> of(MetricsSnapshot snapshot) {
        return ALL.stream().filter(each -> each.measured(snapshot) != null).toList();
    }

    /** The durations of a snapshot that have values. */
    public static List<Quantity> durations(MetricsSnapshot snapshot) {
        return of(snapshot).stream().filter(Quantity::isDuration).toList();
    }

    /** The series of a snapshot; null if it has no values, or not those of all samples that the quantity covers. */
    @Nullable
    public SeriesMetric measured(MetricsSnapshot snapshot) {
        SeriesMetric metric = snapshot.series(series);
        CounterName counter = COUNTED_BY.get(series);
        return metric == null || metric.count() == 0 || (counter != null && metric.count() != snapshot.counter(counter))
                ? null
                : metric;
    }

    /** The short name, without a unit: a key of the report's JSON, a column of comparisons. */
    public String key() {
        return series.key();
    }

    /** The name in tables and plots. */
    public String title() {
        return series.title();
    }

    /** The name in tables of a run; with {@code ~} if its tokens are as servers report them rather than counted. */
    public String title(MetricsSnapshot snapshot) {
        return (ReportedTokens.areSourceOf(series, snapshot) ? "~" : "") + title();
    }

    /** What one value is, without a full stop. */
    public String meaning() {
        return series.meaning();
    }

    /** Whether the values are durations. */
    public boolean isDuration() {
        return series.isDuration();
    }

    /** The unit of {@link #shown}. */
    public String unit() {
        return isDuration() ? "ms" : series.unit().symbol();
    }

    /** A value of the series in {@link #unit}. */
    public double shown(double value) {
        return isDuration() ? value / NANOS_PER_MILLI : value;
    }
}
