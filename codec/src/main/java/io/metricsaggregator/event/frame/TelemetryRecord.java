package io.metricsaggregator.event.frame;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.codec.MsgpackTree;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A telemetry record: a flat map. This class reads the keys that all kinds share; each kind reads its own. Telemetry arrives hundreds to
 * thousands of times a second, not millions, so its records are objects.
 *
 * @param type such as {@code transfer.complete}
 * @param timestampNanos the producer's monotonic clock; the receiver's if the record has none
 * @param wallNanos nanoseconds since 1970 UTC; null if the record has none. Only this clock can be compared between hosts
 * @param source process, rank or target; {@code ""} if the record has none
 * @param node host; {@code ""} if the record has none
 * @param fields the whole record, the common keys included
 */
public record TelemetryRecord(
        String type, long timestampNanos, @Nullable Long wallNanos, String source, String node, Map<?, ?> fields) {
    /**
     * The largest record in bytes: the largest response of an exporter, and what its samples have as a record and not as text. The limit is lower
     * on a small heap, since a record takes up to forty times its bytes as objects.
     */
    public static final int BYTES_MAX = 17 << 20;
    /** The length in characters to which names are cut. */
    public static final int NAME_MAX_CHARS = 256;

    /**
     * Reads a record.
     *
     * @param receivedNanos the timestamp for a record that has none
     * @return the record; null if the bytes are not a map with a type
     */
    public static @Nullable TelemetryRecord read(
            MsgpackTree trees, ByteBuffer buffer, int start, int length, long receivedNanos) {
        try {
            if (!(trees.read(buffer.slice(start, length)) instanceof Map<?, ?> fields)
                    || !(fields.get("event_type") instanceof String type)) {
                return null;
            }
            return new TelemetryRecord(
                    type,
                    fields.get("timestamp_ns") instanceof Long at ? at : receivedNanos,
                    fields.get("wall_ns") instanceof Long wall ? wall : null,
                    name(fields.get("source_id")),
                    name(fields.get("node_id")),
                    fields);
        } catch (MalformedMessageException | RuntimeException e) {
            // The event decoder accepted the bytes, but a tree cannot hold them: the record counts as unknown.
            return null;
        }
    }

    private static String name(@Nullable Object value) {
        return value instanceof String text ? text.substring(0, Math.min(text.length(), NAME_MAX_CHARS)) : "";
    }

    /** The part of the type before the dot, such as {@code transfer}. */
    public String category() {
        int dot = type.indexOf('.');
        return dot < 0 ? type : type.substring(0, dot);
    }

    /** The part of the type after the dot, such as {@code complete}. */
    public String action() {
        return type.substring(type.indexOf('.') + 1);
    }

    /** The time that orders records, in nanoseconds: the wall clock if the record has one, else the monotonic clock. */
    public long orderNanos() {
        return wallNanos == null ? timestampNanos : wallNanos;
    }

    /** The string under a key; null if it is missing or of another type. */
    public @Nullable String text(String key) {
        return fields.get(key) instanceof String text ? text : null;
    }

    /** Whether a key has a value other than nil. */
    public boolean has(String key) {
        return fields.get(key) != null;
    }

    /**
     * The number under a key, an integer or a real.
     *
     * @throws Rejected if it is missing, not a number, or not finite
     */
    public double real(String key) throws Rejected {
        Object value = fields.get(key);
        if (value instanceof Number number && Double.isFinite(number.doubleValue())) {
            return number.doubleValue();
        }
        throw new Rejected(value == null ? "missing_" + key : "invalid_" + key);
    }

    /**
     * The number under a key, which must not be negative.
     *
     * @throws Rejected if it is missing or outside that range
     */
    public double positive(String key) throws Rejected {
        double value = real(key);
        if (value < 0) {
            throw new Rejected("negative_" + key);
        }
        return value;
    }

    /**
     * The integer under a key, from 0 to 2^63 − 1; a real without fraction is accepted.
     *
     * @throws Rejected if it is missing or outside that range
     */
    public long count(String key) throws Rejected {
        Object value = fields.get(key);
        if (value instanceof BigInteger) {
            throw new Rejected("too_large_" + key);
        }
        double real = positive(key);
        if (value instanceof Long number) {
            return number;
        }
        if (real != Math.rint(real) || real >= 0x1p63) {
            throw new Rejected("invalid_" + key);
        }
        return (long) real;
    }

    /** As {@link #count(String)}; {@code otherwise} if the key is missing. */
    public long count(String key, long otherwise) throws Rejected {
        return has(key) ? count(key) : otherwise;
    }

    /** The list under a key; empty if it is missing or of another type. */
    public List<?> list(String key) {
        return fields.get(key) instanceof List<?> list ? list : List.of();
    }

    /** A telemetry record that its kind does not accept, with the reason as a short name. */
    public static final class Rejected extends Exception {
        private static final long serialVersionUID = 1;

        /** Rejects a record for a reason, a short name such as {@code clock_off}. */
        public Rejected(String reason) {
            super(reason, null, false, false);
        }

        /** The short name of the reason, under which the snapshot counts the record. */
        public String reason() {
            return String.valueOf(getMessage());
        }
    }
}
