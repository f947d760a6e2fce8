package io.metricsaggregator.snapshot.telemetry;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import io.metricsaggregator.snapshot.fields.Forms;
import io.metricsaggregator.snapshot.fields.TreeWriter;
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
        return TreeWriter.tree(this, OperationSnapshot::pass);
    }

    static final OperationSnapshot BLANK = new OperationSnapshot(Scope.BLANK, null, 0, 0, 0, 0, Map.of(), null, null);

    static OperationSnapshot pass(Fields f, OperationSnapshot v) throws MalformedMessageException {
        return new OperationSnapshot(
                f.laterRecord("overall", v.overall, Scope::pass, Scope.BLANK),
                f.absentForm("by_source", v.bySource, Scope.BY_NAME),
                f.laterCount("n_sources", v.sources),
                f.laterCount("n_keys", v.keys),
                f.laterCount("keys_evicted", v.keysEvicted),
                f.laterCount("records_over_row_limit", v.recordsOverRowLimit),
                f.counts("rules_applied", v.rulesApplied),
                f.absentForm("by_key", v.byKey, Scope.BY_NAME),
                f.absent("compat", v.compat, ProxyStoreMetrics::pass, ProxyStoreMetrics.BLANK));
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
        static final Scope BLANK = new Scope(Map.of(), Map.of(), Map.of(), 0, null);
        static final Fields.Form<Map<String, Scope>> BY_NAME = Forms.view(Scope::pass, BLANK);

        static Scope pass(Fields f, Scope v) throws MalformedMessageException {
            return new Scope(
                    f.form("times", v.times, Times.BY_NAME),
                    f.counts("counters", v.counters),
                    f.form("attributes", v.attributes, Attribute.BY_NAME),
                    f.rareCount("names_not_shown", v.namesNotShown),
                    f.absentReal("cache_hit_ratio", v.cacheHitRatio));
        }

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
            @Nullable Failed failed) {
        static final Fields.Form<Map<String, Times>> BY_NAME =
                Forms.map(Times::pass, new Times(ValueStatistics.NONE, 0, null, null, "", List.of(), 0, 0, null));

        static Times pass(Fields f, Times v) throws MalformedMessageException {
            return new Times(
                    ValueStatistics.passWithoutSum(f, v.millis, "_ms"),
                    f.laterCount("sum_ns", v.sumNanos),
                    f.maybeReal("last_ms", v.lastMillis),
                    f.maybeCount("last_timestamp_ns", v.lastTimestampNanos),
                    f.laterText("percentile_method", v.percentileMethod),
                    f.texts("children", v.children),
                    f.laterCount("self_sum_ns", v.selfSumNanos),
                    f.laterCount("n_failed", v.failures),
                    f.absent("failed", v.failed, Failed::pass, Failed.BLANK));
        }
    }

    /** Durations of failed operations, and their exact sum. */
    public record Failed(ValueStatistics millis, long sumNanos) {
        static final Failed BLANK = new Failed(ValueStatistics.NONE, 0);

        static Failed pass(Fields f, Failed v) throws MalformedMessageException {
            return new Failed(ValueStatistics.passWithoutSum(f, v.millis, "_ms"), f.laterCount("sum_ns", v.sumNanos));
        }
    }

    /**
     * Values that were set for one name.
     *
     * @param records number of records
     * @param last value of the record with the largest timestamp: a boolean, a number or a string
     * @param numbers sum and extremes; null if a value was not a number
     */
    public record Attribute(
            long records, Object last, @Nullable Numbers numbers) {
        static final Fields.Form<Map<String, Attribute>> BY_NAME =
                Forms.map(Attribute::pass, new Attribute(0, "", null));

        static Attribute pass(Fields f, Attribute v) throws MalformedMessageException {
            return new Attribute(
                    f.laterCount("n", v.records),
                    f.form("last", v.last, Forms.SCALAR),
                    f.laterFlag("numeric", v.numbers != null)
                            ? Numbers.pass(f, v.numbers == null ? Numbers.BLANK : v.numbers)
                            : null);
        }
    }

    /** Sum and extremes of numbers; null where they are not finite. */
    public record Numbers(
            @Nullable Double sum,
            @Nullable Double min,
            @Nullable Double max) {
        static final Numbers BLANK = new Numbers(null, null, null);

        static Numbers pass(Fields f, Numbers v) throws MalformedMessageException {
            return new Numbers(f.maybeReal("sum", v.sum), f.maybeReal("min", v.min), f.maybeReal("max", v.max));
        }
    }
}
