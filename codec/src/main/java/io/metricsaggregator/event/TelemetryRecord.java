package io.metricsaggregator.event;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.codec.MsgpackTree;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A record of another kind than the load generator's: a flat map. Its common keys are read here; the rest are the kind's own. These kinds
 * come hundreds to thousands of times a second, not millions: they are objects.
 *
 * @param type such as {@code transfer.complete}
 * @param timestampNanos the producer's monotonic clock; the receiver's where it does not tell
 * @param wallNanos since 1970 UTC; null if it does not tell. Only this can be compared between hosts
 * @param source which process, rank or target; {@code ""} if it does not tell
 * @param node which host; {@code ""} if it does not tell
 * @param fields all of it
 */
public record TelemetryRecord(
        String type, long timestampNanos, @Nullable Long wallNanos, String source, String node, Map<?, ?> fields) {
    /** The largest record that is ever read; less where the heap is small, since as objects records take up to forty times their bytes. */
    public static final int BYTES_MAX = 8 << 20;
    /** Longer names are cut. */
    public static final int NAME_MAX_CHARS = 256;

    /**
     * Reads a record.
     *
     * @param receivedNanos for a record without a time
     * @return null if it is no map with a type
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
            // The decoder took it; what a tree of it cannot hold counts as unknown.
            return null;
        }
    }

    private static String name(@Nullable Object value) {
        return !(value instanceof String text)
                ? ""
                : text.length() <= NAME_MAX_CHARS ? text : text.substring(0, NAME_MAX_CHARS);
    }

    /** What comes before the dot. */
    public String category() {
        int dot = type.indexOf('.');
        return dot < 0 ? type : type.substring(0, dot);
    }

    /** What comes behind it. */
    public String action() {
        return type.substring(type.indexOf('.') + 1);
    }

    /** The clock that orders events: the wall clock where it is told. */
    public long orderNanos() {
        return wallNanos == null ? timestampNanos : wallNanos;
    }

    /** A text; null if it is none. */
    public @Nullable String text(String key) {
        return fields.get(key) instanceof String text ? text : null;
    }

    /** Whether a key has a value other than nil. */
    public boolean has(String key) {
        return fields.get(key) != null;
    }

    /**
     * A number, of whatever width.
     *
     * @throws Rejected if it is not there, no number, or not finite
     */
    public double real(String key) throws Rejected {
        Object value = fields.get(key);
        if (value instanceof Number number && Double.isFinite(number.doubleValue())) {
            return number.doubleValue();
        }
        throw new Rejected(value == null ? "missing_" + key : "invalid_" + key);
    }

    /**
     * A number that is not negative.
     *
     * @throws Rejected if it is not there, or none
     */
    public double positive(String key) throws Rejected {
        double value = real(key);
        if (value < 0) {
            throw new Rejected("negative_" + key);
        }
        return value;
    }

    /**
     * An integer from 0 to 2^63 − 1; a whole real counts.
     *
     * @throws Rejected if it is not there, or none
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

    /** The same, or {@code otherwise} if it is not there. */
    public long count(String key, long otherwise) throws Rejected {
        return has(key) ? count(key) : otherwise;
    }

    /** A list; empty if it is none. */
    public List<?> list(String key) {
        return fields.get(key) instanceof List<?> list ? list : List.of();
    }

    /** An observation that its kind does not take, and why: a short name. */
    public static final class Rejected extends Exception {
        private static final long serialVersionUID = 1;

        /** For that reason. */
        public Rejected(String reason) {
            super(reason, null, false, false);
        }

        /** The reason. */
        public String reason() {
            return String.valueOf(getMessage());
        }
    }
}
