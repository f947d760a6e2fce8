package io.metricsaggregator.tui;

import io.metricsaggregator.analysis.SeriesHistogram;
import io.metricsaggregator.catalogue.Percentile;
import io.metricsaggregator.snapshot.SeriesMetric;
import java.util.Locale;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Compares a percentile with that of an earlier run. They differ where their confidence intervals do not overlap: a percentile of n
 * independent values lies with 95 % confidence between the values of rank np ± 1.96·√(np(1 − p)). Requests are not quite independent;
 * {@code compare} uses a stricter test.
 */
final class Baseline {
    private static final double Z = 1.96;

    private Baseline() {}

    static Line delta(SeriesMetric now, @Nullable SeriesMetric then, Percentile percentile) {
        Line line = new Line();
        Double after = now.percentile(percentile);
        Double before = then == null || then.count() == 0 ? null : then.percentile(percentile);
        if (after == null || before == null || before == 0 || then == null) {
            return line.add("-", Style.DIM);
        }
        double change = 100 * (after - before) / before;
        Boolean differ = differ(now, then, percentile.percent() / 100);
        String text = String.format(Locale.ROOT, "%+.1f%%", change);
        if (differ == null) {
            return line.add(text);
        }
        return differ
                ? line.add(text + (change > 0 ? " worse" : " better"), change > 0 ? Style.BAD : Style.GOOD)
                : line.add(text + " same", Style.DIM);
    }

    /** Whether the intervals do not overlap; null if an interval is unknown. */
    private static @Nullable Boolean differ(SeriesMetric a, SeriesMetric b, double p) {
        double[] first = interval(a, p);
        double[] second = interval(b, p);
        if (first == null || second == null) {
            return null;
        }
        boolean below = first[1] < second[0];
        boolean above = second[1] < first[0];
        return below || above;
    }

    private static double @Nullable [] interval(SeriesMetric series, double p) {
        Histogram histogram = SeriesHistogram.of(series);
        if (histogram == null || series.count() < 2) {
            return null;
        }
        double n = (double) histogram.getTotalCount();
        double half = Z * Math.sqrt(n * p * (1 - p));
        double low = Math.max(0, (n * p - half) / n);
        double high = Math.min(1, (n * p + half) / n);
        return SeriesHistogram.estimate(histogram, 100 * low, 100 * high)
                .of(series.min().doubleValue(), series.max().doubleValue());
    }
}
