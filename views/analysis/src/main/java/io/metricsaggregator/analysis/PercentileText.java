package io.metricsaggregator.analysis;

import io.metricsaggregator.catalogue.Percentile;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.percentile.Certainty;
import java.util.function.DoubleFunction;
import org.jspecify.annotations.Nullable;

/** Percentiles as every view shows them: behind one of too few values stands {@link Certainty#MARK}, in front of an estimate {@link #ESTIMATE}. */
public final class PercentileText {
    /** Stands in front of estimated percentiles, or of the row or the title of a column that has no others; {@code ~} in ASCII. */
    public static final String ESTIMATE = "≈";

    /** What {@link Certainty#MARK} means, as a line below a table. */
    public static final String UNCERTAIN_LEGEND =
            Certainty.MARK + " too few values to bound this percentile with 99 % confidence.";

    /** What {@link #ESTIMATE} means, as a line below a table. */
    public static final String ESTIMATE_LEGEND =
            ESTIMATE + " percentiles estimated from a histogram, within its precision, or by the rule of another tool.";

    private static final String UNKNOWN = "-";

    private PercentileText() {}

    /** A percentile of a series with the mark of its certainty; {@code -} if the series lacks it. */
    public static String of(SeriesMetric series, Percentile percentile, DoubleFunction<String> number) {
        return of(series.percentile(percentile), percentile.percent(), series.count(), number);
    }

    /**
     * A percentile with the mark of its certainty.
     *
     * @param value null is shown as {@code -}
     * @param percent the percentile, between 0 and 100
     * @param count values that it is taken of
     */
    public static String of(@Nullable Double value, double percent, long count, DoubleFunction<String> number) {
        return value == null ? UNKNOWN : number.apply(value) + Certainty.mark(percent, count);
    }

    /** A percentile, or a figure computed from one, with its marks; or the name of a row of which none of the values is better. */
    public static String marked(String text, boolean exact, boolean certain) {
        return (exact ? "" : ESTIMATE + " ") + text + (certain ? "" : Certainty.MARK);
    }

    /** {@link #ESTIMATE} and a space, or nothing if the percentiles of the series are exact. */
    public static String estimate(SeriesMetric series) {
        return series.isExact() ? "" : ESTIMATE + " ";
    }
}
