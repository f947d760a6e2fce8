package io.metricsaggregator.conformance;

import io.metricsaggregator.event.EventType;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One well-formed record as it was received.
 *
 * @param number its place among the records received, from 1
 * @param receivedNanos the receiver's monotonic clock when its frame was received
 * @param type the type; null for telemetry
 * @param fields the record's keys and values, as {@link io.metricsaggregator.codec.MsgpackTree} returns them
 */
record SeenRecord(long number, long receivedNanos, @Nullable EventType type, Map<?, ?> fields) {

    /** The id of the sample; empty for none. */
    String sample() {
        return text("sample_uuid");
    }

    /** A string of the record; empty if it is absent or of another type. */
    String text(String key) {
        return fields.get(key) instanceof String text ? text : "";
    }

    /** An integer of the record; null if it is absent or of another type. */
    @Nullable
    Long integer(String key) {
        return fields.get(key) instanceof Long number ? number : null;
    }

    /** The record's place and type for messages, such as {@code record 12 (sample.issued of s1)}. */
    String where() {
        String id = sample();
        return "record " + number + " (" + text("event_type")
                + (id.isEmpty() ? "" : " of " + (id.length() <= 40 ? id : id.substring(0, 40) + "…")) + ")";
    }
}
