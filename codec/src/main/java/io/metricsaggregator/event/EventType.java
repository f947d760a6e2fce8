package io.metricsaggregator.event;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The closed set of load-generator events, each with its name on the wire ({@code category.value}). */
public enum EventType {
    SESSION_STARTED("session.started"),
    SESSION_ENDED("session.ended"),
    SESSION_STOP_LOADGEN("session.stop_loadgen"),
    SESSION_START_PERFORMANCE_TRACKING("session.start_performance_tracking"),
    /** A part of the session begins; its {@link PhaseData} may announce how many samples one pass over the dataset has. */
    SESSION_PHASE_START("session.phase_start"),
    /** The producer aborted the session. Sent before {@link #SESSION_ENDED}, which ends it. */
    SESSION_INTERRUPTED("session.interrupted"),
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
    private static final int TABLE_BITS = 6;
    /** Types by a hash of their last eight bytes and their length, without collisions. */
    private static final @Nullable EventType[] TABLE = new @Nullable EventType[1 << TABLE_BITS];

    private static final long MULTIPLIER = multiplier();

    /** Finds the first odd multiplier under which the types do not collide. */
    private static long multiplier() {
        long candidate = 0x9e3779b97f4a7c15L;
        while (!fill(candidate)) {
            candidate += 0x632be59bd9b4e01aL;
        }
        return candidate;
    }

    private static boolean fill(long multiplier) {
        Arrays.fill(TABLE, null);
        for (EventType type : values()) {
            int place = place(type.words[type.words.length - 1], type.wireName.length(), multiplier);
            if (TABLE[place] != null) {
                return false;
            }
            TABLE[place] = type;
        }
        return true;
    }

    private static int place(long lastWord, int length, long multiplier) {
        return (int) (((lastWord + length) * multiplier) >>> (64 - TABLE_BITS));
    }

    private final String wireName;
    private final int length;

    /** The name in words of eight bytes, big-endian; the last word ends with the name and may overlap the one before. */
    @SuppressWarnings("ImmutableEnumChecker") // never exposed
    private final long[] words;

    EventType(String wireName) {
        this.wireName = wireName;
        ByteBuffer bytes = ByteBuffer.wrap(wireName.getBytes(StandardCharsets.US_ASCII));
        length = bytes.capacity();
        words = new long[(length + 7) / 8];
        for (int i = 0; i < words.length; i++) {
            words[i] = bytes.getLong(Math.min(8 * i, length - 8));
        }
    }

    /** The wire name: the topic, and the value of {@code event_type}. */
    public String wireName() {
        return wireName;
    }

    /** Whether the event concerns the session; a publisher sends it at once instead of batching it. */
    public boolean isSession() {
        return ordinal() <= SESSION_STOP_PERFORMANCE_TRACKING.ordinal();
    }

    /** Whether the event is a step of a sample that goes well. */
    public boolean isStepOfSample() {
        return this == SAMPLE_ISSUED
                || this == SAMPLE_RECV_FIRST
                || this == SAMPLE_RECV_NON_FIRST
                || this == SAMPLE_COMPLETE;
    }

    /** The type of the name in a range; null if there is none. Allocates nothing; the range must lie within the buffer. */
    public static @Nullable EventType match(ByteBuffer buffer, int start, int length) {
        if (length < SHORTEST || length > LONGEST) {
            return null;
        }
        long last = buffer.getLong(start + length - 8);
        EventType candidate = TABLE[place(last, length, MULTIPLIER)];
        return candidate != null
                        && candidate.length == length
                        && candidate.words[candidate.words.length - 1] == last
                        && candidate.startsAs(buffer, start)
                ? candidate
                : null;
    }

    private boolean startsAs(ByteBuffer buffer, int start) {
        for (int i = 0; i < words.length - 1; i++) {
            if (buffer.getLong(start + 8 * i) != words[i]) {
                return false;
            }
        }
        return true;
    }
}
