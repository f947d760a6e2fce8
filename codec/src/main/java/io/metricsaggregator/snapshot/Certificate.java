package io.metricsaggregator.snapshot;

import org.jspecify.annotations.Nullable;

/**
 * What the values so far say for sure of a percentile, with a confidence of 0.99 (MLPerf's early stopping).
 *
 * @param upperBound what the percentile is at most; null if there are too few values to say
 * @param valuesMissing how many more values it takes until there is a bound; 0 if there is one
 */
public record Certificate(@Nullable Double upperBound, long valuesMissing) {

    /** Whether there is a bound. */
    public boolean certified() {
        return upperBound != null;
    }
}
