package io.metricsaggregator.event;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The closed set of load-generator events, each with its name on the wire ({@code category.value}). */
public enum EventType {
    SESSION_STARTED("session.started"),
    SESSION_ENDED("session.ended"),
    SESSION_STOP_LOADGEN("session.stop_loadgen"),
    SESSION_START_PERFORMANCE_TRACKING("session.start_performance_tracking"),
    SESSION_STOP_PERFORMANCE_TRACKING("session.stop_performance_tracking"),
    SAMPLE_ISSUED("sample.issued"),
    SAMPLE_RECV_FIRST("sample.recv_first"),
    SAMPLE_RECV_NON_FIRST("sample.recv_non_first"),
    SAMPLE_COMPLETE("sample.complete"),
    ERROR_GENERIC("error.generic"),
    ERROR_LOADGEN("error.loadgen"),
    ERROR_SESSION("error.session"),
    ERROR_CLIENT("error.client");

    private static final int SHORTEST = 8;
    private static final int LONGEST = 40;
    private static final EventType[][] BY_LENGTH = new EventType[LONGEST + 1][];

    static {
        for (int length = 0; length <= LONGEST; length++) {
            List<EventType> same = new ArrayList<>();
            for (EventType type : values()) {
                if (type.wireName.length() == length) {
                    same.add(type);
                }
            }
            BY_LENGTH[length] = same.toArray(new EventType[0]);
        }
    }

    private final String wireName;

    /** The name in words of eight bytes, big-endian; the last word ends with the name and may overlap the one before. */
    @SuppressWarnings("ImmutableEnumChecker") // never handed out
    private final long[] words;

    EventType(String wireName) {
        this.wireName = wireName;
        ByteBuffer bytes = ByteBuffer.wrap(wireName.getBytes(StandardCharsets.US_ASCII));
        int length = bytes.capacity();
        words = new long[(length + 7) / 8];
        for (int i = 0; i < words.length; i++) {
            words[i] = bytes.getLong(Math.min(8 * i, length - 8));
        }
    }

    /** The topic and the value of {@code event_type}. */
    public String wireName() {
        return wireName;
    }

    /** Whether a publisher sends it at once rather than waiting for a batch to fill. */
    public boolean isSession() {
        return ordinal() <= SESSION_STOP_PERFORMANCE_TRACKING.ordinal();
    }

    /** Whether it is one of the {@code error.*} events. */
    public boolean isError() {
        return ordinal() >= ERROR_GENERIC.ordinal();
    }

    /** The type of that name, or null if there is none. Allocates nothing; the range must lie within the buffer. */
    public static @Nullable EventType match(ByteBuffer buffer, int start, int length) {
        if (length < SHORTEST || length > LONGEST) {
            return null;
        }
        for (EventType candidate : BY_LENGTH[length]) {
            if (candidate.equalsBytes(buffer, start, length)) {
                return candidate;
            }
        }
        return null;
    }

    private boolean equalsBytes(ByteBuffer buffer, int start, int length) {
        // Names of one length differ in their last eight bytes: looking there first decides at once.
        int last = words.length - 1;
        if (buffer.getLong(start + length - 8) != words[last]) {
            return false;
        }
        for (int i = 0; i < last; i++) {
            if (buffer.getLong(start + 8 * i) != words[i]) {
                return false;
            }
        }
        return true;
    }
}
