package io.metricsaggregator.snapshot;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import org.jspecify.annotations.Nullable;

/**
 * The upper bound of a percentile that holds with a confidence of 0.99 (MLPerf's early stopping).
 *
 * @param upperBound the bound, in the unit of the series; null if there are too few values for one
 * @param valuesMissing values that are missing until there is a bound; 0 if there is one
 */
public record Certificate(@Nullable Double upperBound, long valuesMissing) {
    static final Certificate BLANK = new Certificate(null, 0);

    static Certificate pass(Fields f, Certificate v) throws MalformedMessageException {
        f.derived("certified", v.certified());
        return new Certificate(
                f.maybeReal("upper_bound", v.upperBound()), f.count("values_missing", v.valuesMissing()));
    }

    /** Whether there are enough values for a bound. */
    public boolean certified() {
        return upperBound != null;
    }
}
