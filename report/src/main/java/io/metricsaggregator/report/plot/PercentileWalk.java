package io.metricsaggregator.report.plot;

import java.util.Iterator;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Reads ascending percentiles of a histogram in one pass, each with the value of {@link Histogram#getValueAtPercentile}, which walks from the start for each.
 * The histogram must not change meanwhile.
 */
final class PercentileWalk {
    private final Histogram histogram;
    private final Iterator<HistogramIterationValue> steps;
    private long covered;
    private long value;

    /** A walk before the first value of a histogram that has at least one. */
    PercentileWalk(Histogram histogram) {
        this.histogram = histogram;
        this.steps = histogram.recordedValues().iterator();
    }

    /**
     * The value at a percentile.
     *
     * @param percentile 0 to 100, no smaller than that of the call before
     */
    long next(double percentile) {
        double below = Math.max(Math.nextDown(percentile), 0);
        long wanted = Math.max(1, (long) Math.ceil(below * histogram.getTotalCount() / 100));
        while (covered < wanted && steps.hasNext()) {
            HistogramIterationValue step = steps.next();
            covered = step.getTotalCountToThisValue();
            value = step.getValueIteratedTo();
        }
        return percentile == 0 ? histogram.lowestEquivalentValue(value) : value;
    }
}
