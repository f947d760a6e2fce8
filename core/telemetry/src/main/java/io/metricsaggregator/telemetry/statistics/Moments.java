package io.metricsaggregator.telemetry.statistics;

/** Count, sum (Kahan), mean and variance (Welford) and extremes, without keeping the values. Belongs to the thread that applies events. */
final class Moments {
    private long count;
    private double sum;
    private double lost;
    private double mean;
    private double spread;
    private double min = Double.POSITIVE_INFINITY;
    private double max = Double.NEGATIVE_INFINITY;

    void add(double value) {
        count++;
        double exact = value - lost;
        double next = sum + exact;
        lost = next - sum - exact;
        sum = next;
        double off = value - mean;
        mean += off / (double) count;
        spread += off * (value - mean);
        min = Math.min(min, value);
        max = Math.max(max, value);
    }

    void addAll(Moments other) {
        double off = other.mean - mean;
        double both = (double) count + (double) other.count;
        spread += other.spread + off * off * (double) count * (double) other.count / both;
        mean += off * (double) other.count / both;
        count += other.count;
        sum += other.sum;
        min = Math.min(min, other.min);
        max = Math.max(max, other.max);
    }

    long count() {
        return count;
    }

    double sum() {
        return sum;
    }

    double min() {
        return min;
    }

    double max() {
        return max;
    }

    /** The sample standard deviation, with the divisor n − 1. */
    double deviation() {
        return Math.sqrt(spread / (count - 1));
    }
}
