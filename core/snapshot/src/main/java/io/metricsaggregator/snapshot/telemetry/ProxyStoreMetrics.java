package io.metricsaggregator.snapshot.telemetry;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import io.metricsaggregator.snapshot.fields.Forms;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The figures that ProxyStore's {@code StoreMetrics} holds, with its definitions and its rounding.
 *
 * @param perInstance figures of each process; null in a live snapshot
 * @param recordsOfSourcesLeftOut records of processes beyond the limit, which count only in {@code merged}
 * @param merged times of all processes by name, added up by ProxyStore's {@code TimeStats.__add__}
 */
public record ProxyStoreMetrics(
        @Nullable Map<String, Instance> perInstance, long recordsOfSourcesLeftOut, Map<String, TimeStats> merged) {
    static final ProxyStoreMetrics BLANK = new ProxyStoreMetrics(null, 0, Map.of());

    static ProxyStoreMetrics pass(Fields f, ProxyStoreMetrics v) throws MalformedMessageException {
        Map<String, Instance> perInstance = f.absentForm("per_instance", v.perInstance, Instance.BY_NAME);
        return new ProxyStoreMetrics(
                perInstance,
                f.group(perInstance != null, "records_of_sources_left_out")
                        ? f.laterCount("records_of_sources_left_out", v.recordsOfSourcesLeftOut)
                        : 0,
                f.form("merged_by_TimeStats_add", v.merged, TimeStats.BY_NAME));
    }

    /**
     * One process.
     *
     * @param byKey figures of each key; may be a view
     * @param aggregateTimes times of all keys by name
     * @param recordsOfKeysLeftOut records of keys beyond the limit; their times count in {@code aggregateTimes}
     */
    public record Instance(Map<String, Key> byKey, Map<String, TimeStats> aggregateTimes, long recordsOfKeysLeftOut) {
        static final Fields.Form<Map<String, Instance>> BY_NAME =
                Forms.view(Instance::pass, new Instance(Map.of(), Map.of(), 0));

        static Instance pass(Fields f, Instance v) throws MalformedMessageException {
            return new Instance(
                    f.form("by_key", v.byKey, Key.BY_NAME),
                    f.form("aggregate_times", v.aggregateTimes, TimeStats.BY_NAME),
                    f.laterCount("records_of_keys_left_out", v.recordsOfKeysLeftOut));
        }
    }

    /**
     * One key.
     *
     * @param attributes the last value of each name: a boolean, a number or a string
     */
    public record Key(Map<String, Object> attributes, Map<String, Long> counters, Map<String, TimeStats> times) {
        static final Fields.Form<Map<String, Key>> BY_NAME =
                Forms.map(Key::pass, new Key(Map.of(), Map.of(), Map.of()));

        private static final Fields.Form<Map<String, Object>> ATTRIBUTES = Forms.map(Forms.SCALAR);

        static Key pass(Fields f, Key v) throws MalformedMessageException {
            return new Key(
                    f.form("attributes", v.attributes, ATTRIBUTES),
                    f.counts("counters", v.counters),
                    f.form("times", v.times, TimeStats.BY_NAME));
        }
    }

    /**
     * ProxyStore's {@code TimeStats}: a running mean, extremes and the newest duration.
     *
     * @param lastTimestampSeconds time of the newest duration
     */
    public record TimeStats(
            long count,
            double averageMillis,
            double minMillis,
            double maxMillis,
            double lastMillis,
            double lastTimestampSeconds) {
        static final Fields.Form<Map<String, TimeStats>> BY_NAME =
                Forms.map(TimeStats::pass, new TimeStats(0, 0, 0, 0, 0, 0));

        static TimeStats pass(Fields f, TimeStats v) throws MalformedMessageException {
            return new TimeStats(
                    f.laterCount("count", v.count),
                    f.laterReal("avg_time_ms", v.averageMillis),
                    f.laterReal("min_time_ms", v.minMillis),
                    f.laterReal("max_time_ms", v.maxMillis),
                    f.laterReal("last_time_ms", v.lastMillis),
                    f.laterReal("last_timestamp", v.lastTimestampSeconds));
        }
    }
}
