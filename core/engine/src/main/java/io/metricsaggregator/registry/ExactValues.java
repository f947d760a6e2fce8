package io.metricsaggregator.registry;

import io.metricsaggregator.snapshot.HistogramBucket;
import java.util.Arrays;
import java.util.List;

/** What one pass over the values of a series finds: the values at given places, and the display histogram. Immutable. */
final class ExactValues {
    private final double[] values;
    private final long[] raw;
    private final int percentiles;
    private final List<HistogramBucket> buckets;

    /**
     * The result of a pass.
     *
     * @param values at the places of the percentiles, then at the further places
     * @param raw the same values as the series keeps them
     * @param percentiles how many of them are percentiles
     */
    ExactValues(double[] values, long[] raw, int percentiles, List<HistogramBucket> buckets) {
        this.values = values.clone();
        this.raw = raw.clone();
        this.percentiles = percentiles;
        this.buckets = List.copyOf(buckets);
    }

    /** Returns the percentiles, in the order of the grid. */
    double[] percentiles() {
        return Arrays.copyOf(values, percentiles);
    }

    /** Returns the values at the further places; 0 where the place was negative. */
    double[] further() {
        return Arrays.copyOfRange(values, percentiles, values.length);
    }

    /** Returns a value at one of the further places as the series keeps it: of a series of integers, the value itself. */
    long furtherRaw(int index) {
        return raw[percentiles + index];
    }

    List<HistogramBucket> buckets() {
        return buckets;
    }
}
