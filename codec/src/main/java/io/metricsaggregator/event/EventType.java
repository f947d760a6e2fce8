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

    private static final int WORD = 8;
    private static final int SHORTEST = WORD;
    private static final int LONGEST = 40;
    private static final int TABLE_BITS = 6;
    private static final int NAME = 4;
    private static final long NO_NAME = -1;
    /** Types by a hash of their last eight bytes and their length, without collisions. */
    private static final @Nullable EventType[] TABLE = new @Nullable EventType[1 << TABLE_BITS];

    /** For each place the name's first, second and last word, and its length: all of a name of up to 24 bytes. */
    private static final long[] NAMES = new long[NAME << TABLE_BITS];

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
        Arrays.fill(NAMES, NO_NAME);
        for (EventType type : values()) {
            int place = place(type.words[type.words.length - 1], type.length, multiplier);
            if (TABLE[place] != null) {
                return false;
            }
            TABLE[place] = type;
            NAMES[place * NAME] = type.words[0];
            NAMES[place * NAME + 1] = type.words[Math.min(1, type.words.length - 1)];
            NAMES[place * NAME + 2] = type.words[type.words.length - 1];
            NAMES[place * NAME + 3] = type.length;
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
        EventType candidate = match(
                buffer.getLong(start),
                buffer.getLong(start + Math.min(WORD, length - WORD)),
                buffer.getLong(start + length - WORD),
                length);
        return candidate == null || length <= 3 * WORD || candidate.startsAs(buffer, start) ? candidate : null;
    }

    /**
     * The type of a name of at least 8 bytes by its first and last eight bytes and the eight between; null if there is none. Beyond 24 bytes it is only
     * the one type that can have the name.
     *
     * @param second those from the ninth byte on, or the last eight of a shorter name
     */
    static @Nullable EventType match(long first, long second, long last, int length) {
        int place = place(last, length, MULTIPLIER);
        int name = place * NAME;
        long differences = (NAMES[name] ^ first)
                | (NAMES[name + 1] ^ second)
                | (NAMES[name + 2] ^ last)
                | (NAMES[name + 3] ^ length);
        return differences == 0 ? TABLE[place] : null;
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
