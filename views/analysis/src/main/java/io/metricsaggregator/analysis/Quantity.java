package io.metricsaggregator.analysis;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SuccessSeries;
import io.metricsaggregator.snapshot.figures.Conversations;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A series as reports show it: durations in milliseconds, all others in their own unit.
 *
 * @param series its entry of the catalogue
 */
public record Quantity(SeriesName series) {
    private static final double NANOS_PER_MILLI = 1e6;

    private static final Set<SeriesName> OF_CONVERSATIONS = EnumSet.of(
            SeriesName.TTFT_FIRST_TURN_NS,
            SeriesName.CONVERSATION_DURATION_NS,
            SeriesName.CONVERSATION_TURNS,
            SeriesName.CONVERSATION_TOK_PER_S);

    private static final List<Quantity> ALL =
            SeriesName.reported().stream().map(Quantity::new).toList();

    /** All quantities of reports, in the order they are shown. */
    public static List<Quantity> all() {
        return ALL;
    }

    /**
     * What a view shows of a series: that of successes, or in its place that of all samples, under its own name, if the snapshot does not separate them. Any
     * other series itself.
     */
    public static Quantity leading(SeriesName series, MetricsSnapshot snapshot) {
        SuccessSeries durations = SuccessSeries.with(series);
        return durations != null && series == durations.succeeded() && durations.isMixed(snapshot)
                ? new Quantity(durations.all())
                : new Quantity(series);
    }

    /** The quantities of a snapshot that have values. */
    public static List<Quantity> of(MetricsSnapshot snapshot) {
        return ALL.stream().filter(each -> each.measured(snapshot) != null).toList();
    }

    /** The durations of a snapshot that have values. */
    public static List<Quantity> durations(MetricsSnapshot snapshot) {
        return of(snapshot).stream().filter(Quantity::isDuration).toList();
    }

    /**
     * The values of a snapshot; null if it has none. Durations of successes are those of all samples where none failed; those of all samples are a
     * quantity of their own only where some failed, as those of conversations are only where one has several turns.
     */
    @Nullable
    public SeriesMetric measured(MetricsSnapshot snapshot) {
        SuccessSeries durations = SuccessSeries.with(series);
        if (durations != null && series == durations.succeeded()) {
            return durations.of(snapshot);
        }
        SeriesMetric metric = snapshot.series(series);
        boolean repeats = durations != null ? !durations.hasFailures(snapshot) : isOfSingleTurns(snapshot);
        return metric == null || metric.count() == 0 || repeats ? null : metric;
    }

    /** Whether the series repeats that of samples, since every conversation had one turn. */
    private boolean isOfSingleTurns(MetricsSnapshot snapshot) {
        Conversations conversations = snapshot.extensions().optional().conversations();
        return OF_CONVERSATIONS.contains(series) && conversations != null && conversations.areSingleTurns();
    }

    /** The short name, without a unit: a key of the report's JSON, a column of comparisons. */
    public String key() {
        return series.key();
    }

    /** The name in tables and plots. */
    public String title() {
        return series.title();
    }

    /**
     * The name in tables of a run, which says whose values these are if samples failed; with {@code ~} if its tokens are as servers report them rather than
     * counted.
     */
    public String title(MetricsSnapshot snapshot) {
        return (ReportedTokens.areSourceOf(series, snapshot) ? "~" : "") + named(snapshot);
    }

    private String named(MetricsSnapshot snapshot) {
        return switch (series) {
            case SUCCEEDED_TTFT_NS -> SuccessSeries.TTFT.hasFailures(snapshot) ? "TTFT of successes" : title();
            case SUCCEEDED_SAMPLE_LATENCY_NS ->
                SuccessSeries.LATENCY.hasFailures(snapshot) ? "latency of successes" : title();
            case TPOT_NS ->
                snapshot.counter(CounterName.TRACKED_SAMPLES_ERRORED_WITH_TEXT) > 0
                        ? "TPOT, failures with text too"
                        : title();
            default -> title();
        };
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
