package io.metricsaggregator.telemetry.resource;

import org.jspecify.annotations.Nullable;

/** Time-weighted mean, maximum and last value. Belongs to the thread that applies events. */
final class Weighted {
    private double sum;
    private double weight;
    private double highest = Double.NaN;
    private double last = Double.NaN;

    /**
     * Adds a value.
     *
     * @param value the measurement; NaN changes nothing
     * @param seconds the span that it stands for
     */
    void add(double value, double seconds) {
        if (Double.isNaN(value)) {
            return;
        }
        sum += seconds * value;
        weight += seconds;
        highest = Double.isNaN(highest) ? value : Math.max(highest, value);
        last = value;
    }

    Weighted copy() {
        Weighted copy = new Weighted();
        copy.sum = sum;
        copy.weight = weight;
        copy.highest = highest;
        copy.last = last;
        return copy;
    }

    /** Sum of the spans, in seconds. */
    double seconds() {
        return weight;
    }

    /** The time-weighted mean; null if the spans add up to 0. */
    @Nullable
    Double mean() {
        return weight == 0 ? null : sum / weight;
    }

    /** The highest value; null without values. */
    @Nullable
    Double max() {
        return Double.isNaN(highest) ? null : highest;
    }

    /** The value added last; null without values. */
    @Nullable
    Double last() {
        return Double.isNaN(last) ? null : last;
    }
}
