package io.metricsaggregator.telemetry.resource;

import org.jspecify.annotations.Nullable;

/** Values that stand for spans of time: their mean by time, the highest, the last. Thread: the one that folds. */
final class Weighted {
    private double sum;
    private double weight;
    private double highest = Double.NaN;
    private double last = Double.NaN;

    /**
     * A value.
     *
     * @param value what was measured; NaN, if it was not, changes nothing
     * @param seconds what it stands for
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

    /** Sum of the spans, s. */
    double seconds() {
        return weight;
    }

    /** The mean by time; null if nothing was measured, or for no time. */
    @Nullable
    Double mean() {
        return weight == 0 ? null : sum / weight;
    }

    /** The highest value; null if there is none. */
    @Nullable
    Double max() {
        return Double.isNaN(highest) ? null : highest;
    }

    /** The value that came last; null if there is none. */
    @Nullable
    Double last() {
        return Double.isNaN(last) ? null : last;
    }
}
