package io.metricsaggregator.telemetry.energy;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Places the clocks of the sources of energy on the clock of the producers. Every clock is known by the least delay between a record's time and its receipt.
 * Clocks whose delays differ by less than {@value #SAME_SECONDS} s are one clock, as those of one host are; any other is moved by the difference, which is
 * off by the time that the fastest record was under way. Belongs to the thread that applies events.
 */
final class SourceClocks {
    private static final long SAME_SECONDS = 30;
    private static final int SOURCES_MAX = 1024;

    private final Map<String, Long> delays = new HashMap<>();
    private @Nullable Long producers;

    /**
     * Takes the receipt of a record.
     *
     * @param nanos time of the record on the clock of its source
     * @param receivedNanos time of its receipt
     * @param newestNanos time of the producers' newest event; {@link Long#MIN_VALUE} before the first
     */
    void received(String source, long nanos, long receivedNanos, long newestNanos) {
        if (delays.containsKey(source) || delays.size() < SOURCES_MAX) {
            delays.merge(source, receivedNanos - nanos, Math::min);
        }
        if (newestNanos != Long.MIN_VALUE) {
            long delay = receivedNanos - newestNanos;
            Long known = producers;
            producers = known == null ? delay : Math.min(known, delay);
        }
    }

    /** What to add to a time of the source for a time of the producers; 0 if they share a clock. */
    long offsetNanos(String source) {
        Long known = producers;
        long own = delays.getOrDefault(source, 0L) - (known == null ? 0 : known);
        return Math.abs(own) < SAME_SECONDS * 1_000_000_000L ? 0 : own;
    }
}
