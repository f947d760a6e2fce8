package io.metricsaggregator.telemetry.promql;

import org.jspecify.annotations.Nullable;

/**
 * Prometheus' functions over a range, for float samples (promql/functions.go: {@code extrapolatedRate}, {@code avg_over_time}). From version
 * 3 on, a range at t is (t − R, t]; earlier it is [t − R, t]. Before 2.51, the distance of a counter to zero is applied before the threshold of
 * extrapolation. Results are null for a range without a result, and NaN if a sample is NaN.
 */
public final class PromRange {
    private final int version;
    private final long rangeMillis;

    /**
     * The functions of a version of Prometheus.
     *
     * @param version 2 (the semantics of 2.42) or 3
     */
    public PromRange(int version, long rangeMillis) {
        this.version = version;
        this.rangeMillis = rangeMillis;
    }

    private int first(ScrapeSeries series, long at) {
        return series.from(version == 2 ? at - rangeMillis : at - rangeMillis + 1);
    }

    @Nullable
    public Double rate(ScrapeSeries series, long at) {
        Double increase = extrapolated(series, at, true);
        return increase == null ? null : increase / (rangeMillis / 1e3);
    }

    @Nullable
    public Double delta(ScrapeSeries series, long at) {
        return extrapolated(series, at, false);
    }

    private @Nullable Double extrapolated(ScrapeSeries series, long at, boolean counter) {
        int from = first(series, at);
        int to = series.from(at + 1) - 1;
        if (to - from < 1) {
            return null;
        }
        double result = series.value(to) - series.value(from);
        if (counter) {
            for (int i = from + 1; i <= to; i++) {
                if (series.value(i) < series.value(i - 1)) {
                    result += series.value(i - 1);
                }
            }
        }
        double toStart = (series.millis(from) - (at - rangeMillis)) / 1e3;
        double toEnd = (at - series.millis(to)) / 1e3;
        double sampled = (series.millis(to) - series.millis(from)) / 1e3;
        double average = sampled / (to - from);
        double threshold = 1.1 * average;
        boolean toZero = counter && result > 0 && series.value(from) >= 0;
        double zero = toZero ? sampled * (series.value(from) / result) : Double.POSITIVE_INFINITY;
        if (version == 2) {
            toStart = Math.min(toStart, zero);
            toStart = toStart < threshold ? toStart : average / 2;
        } else {
            toStart = toStart >= threshold ? average / 2 : toStart;
            toStart = Math.min(toStart, zero);
        }
        toEnd = toEnd >= threshold ? average / 2 : toEnd;
        return result * ((sampled + toStart + toEnd) / sampled);
    }

    /** The mean of the samples in the range; null without samples. */
    @Nullable
    public Double average(ScrapeSeries series, long at) {
        int from = first(series, at);
        int to = series.from(at + 1);
        double sum = 0;
        double lost = 0;
        for (int i = from; i < to; i++) {
            double next = series.value(i) - lost;
            double more = sum + next;
            lost = more - sum - next;
            sum = more;
        }
        return to == from ? null : (Double) (sum / (to - from));
    }
}
