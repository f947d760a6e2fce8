package io.metricsaggregator.snapshot.telemetry;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;

/**
 * A row of buckets of equal width in time; columns of values hold one value per bucket.
 *
 * @param startNanos start of the first bucket, on the clock that its owner names
 * @param widthNanos width of a bucket, a whole number of seconds
 * @param count number of buckets
 * @param offGrid values left out because they lay a day or more off the buckets
 */
public record TimeBuckets(long startNanos, long widthNanos, long count, long offGrid) {
    static final TimeBuckets BLANK = new TimeBuckets(0, 0, 0, 0);

    static TimeBuckets pass(Fields f, TimeBuckets v) throws MalformedMessageException {
        return new TimeBuckets(
                f.laterCount("start_ns", v.startNanos),
                f.laterCount("width_ns", v.widthNanos),
                f.laterCount("buckets", v.count),
                f.laterCount("off_grid", v.offGrid));
    }
}
