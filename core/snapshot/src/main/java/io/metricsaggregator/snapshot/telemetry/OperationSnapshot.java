package io.metricsaggregator.snapshot.telemetry;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Operations with names and keys. There can be a million keys, so maps by key and by source may be views that compute a row each time it is
 * read (see {@link io.metricsaggregator.codec.LazyTree}); they are not copied.
 *
 * @param overall operations of all sources and keys
 * @param bySource operations of each source; a live snapshot shows the first sources; null if the snapshot omits them
 * @param sources number of sources; those beyond the limit count as one
 * @param keys number of keys, evicted ones included
 * @param keysEvicted keys that were evicted to the row {@code other}
 * @param recordsOverRowLimit records whose name shares the row {@code other} of its scope
 * @param rulesApplied number of records that a bridge changed, by the name of its rule
 * @param byKey operations of each key; a live snapshot shows the keys that took the most time; null if the snapshot omits them
 * @param compat ProxyStore's own figures; null if the snapshot omits them
 */
public record OperationSnapshot(
        Scope overall,
        @Nullable Map<String, Scope> bySource,
        long sources,
        long keys,
        long keysEvicted,
        long recordsOverRowLimit,
        Map<String, Long> rulesApplied,
        @Nullable Map<String, Scope> byKey,
        @Nullable ProxyStoreMetrics compat)
        implements TelemetrySnapshot {

    @Override
    public TelemetryKind kind() {
        return TelemetryKind.OPERATION;
    }

    @Override
    public Map<String, @Nullable Object> tree() {
        return OperationSnapshotCodec.of(this);
    }

    /**
     * Operations of all sources, of one source or of one key.
     *
     * @param times durations by name; a child's name is its parent's name, a dot and a part without a dot
     * @param counters counters by name
     * @param attributes attributes by name
     * @param namesNotShown names that a live snapshot omits from the three maps
     * @param cacheHitRatio share of lookups that hit the cache, 0 to 1; null without a lookup
     */
    public record Scope(
            Map<String, Times> times,
            Map<String, Long> counters,
            Map<String, Attribute> attributes,
            long namesNotShown,
            @Nullable Double cacheHitRatio) {
        /** Whether nothing was recorded. */
        public boolean isEmpty() {
            return times.isEmpty() && counters.isEmpty() && attributes.isEmpty();
        }
    }

    /**
     * Durations of one name.
     *
     * @param millis durations of successful operations; without their sum, which is exact in {@code sumNanos}
     * @param sumNanos sum of the durations; {@link Long#MAX_VALUE} if it is larger
     * @param lastMillis duration of the newest operation; null without a successful one
     * @param lastTimestampNanos time of the newest operation; null without a successful one
     * @param percentileMethod how percentiles were computed: {@code linear}, {@code hdr} or {@code sampled}
     * @param children names of the direct children
     * @param selfSumNanos the sum without that of the children; negative where children ran at the same time
     * @param failures number of failed operations
     * @param failed durations of failed operations; null without one
     */
    public record Times(
            ValueStatistics millis,
            long sumNanos,
            @Nullable Double lastMillis,
            @Nullable Long lastTimestampNanos,
            String percentileMethod,
            List<String> children,
            long selfSumNanos,
            long failures,
            @Nullable Failed failed) {}

    /** Durations of failed operations, and their exact sum. */
    public record Failed(ValueStatistics millis, long sumNanos) {}

    /**
     * Values that were set for one name.
     *
     * @param records number of records
     * @param last value of the record with the largest timestamp: a boolean, a number or a string
     * @param numbers sum and extremes; null if a value was not a number
     */
    public record Attribute(
            long records, Object last, @Nullable Numbers numbers) {}

    /** Sum and extremes of numbers; null where they are not finite. */
    public record Numbers(
            @Nullable Double sum,
            @Nullable Double min,
            @Nullable Double max) {}
}
