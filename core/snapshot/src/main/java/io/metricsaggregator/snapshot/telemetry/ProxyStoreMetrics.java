package io.metricsaggregator.snapshot.telemetry;

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

    /**
     * One process.
     *
     * @param byKey figures of each key; may be a view
     * @param aggregateTimes times of all keys by name
     * @param recordsOfKeysLeftOut records of keys beyond the limit; their times count in {@code aggregateTimes}
     */
    public record Instance(Map<String, Key> byKey, Map<String, TimeStats> aggregateTimes, long recordsOfKeysLeftOut) {}

    /**
     * One key.
     *
     * @param attributes the last value of each name: a boolean, a number or a string
     */
    public record Key(Map<String, Object> attributes, Map<String, Long> counters, Map<String, TimeStats> times) {}

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
            double lastTimestampSeconds) {}
}
