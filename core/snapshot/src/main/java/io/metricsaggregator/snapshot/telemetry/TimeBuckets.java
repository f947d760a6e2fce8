package io.metricsaggregator.snapshot.telemetry;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.TreeFields;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A row of buckets of equal width in time; columns of values hold one value per bucket.
 *
 * @param startNanos start of the first bucket, on the clock that its owner names
 * @param widthNanos width of a bucket, a whole number of seconds
 * @param count number of buckets
 * @param offGrid values left out because they lay a day or more off the buckets
 */
public record TimeBuckets(long startNanos, long widthNanos, long count, long offGrid) {
    void put(Map<String, @Nullable Object> into) {
        into.put("start_ns", startNanos);
        into.put("width_ns", widthNanos);
        into.put("buckets", count);
        into.put("off_grid", offGrid);
    }

    static TimeBuckets read(TreeFields fields) throws MalformedMessageException {
        return new TimeBuckets(
                fields.integer("start_ns"),
                fields.integer("width_ns"),
                fields.integer("buckets"),
                fields.integer("off_grid"));
    }
}
