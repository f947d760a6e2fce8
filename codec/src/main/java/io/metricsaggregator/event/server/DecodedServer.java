package io.metricsaggregator.event.server;

import io.metricsaggregator.codec.Utf8;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The {@code server} of a decoded record. {@link ServerReader} fills and reuses it; its numbers are valid only if {@link #isPresent()}, and
 * only as long as the buffer that they were read from. One owner at a time.
 */
public final class DecodedServer {
    /** The number of a key that the record does not have. */
    public static final long ABSENT = -1;

    private static final ServerKey[] KEYS = ServerKey.values();
    static final byte NO_SOURCE = -1;
    // States of the key.
    static final byte NOT_THERE = 0;
    static final byte PRESENT = 1;
    static final byte REJECTED = 2;
    /** The length of a text that the record does not have. */
    static final int ABSENT_TEXT = -1;

    final long[] numbers = new long[ServerKey.COUNT];
    byte state;
    byte source;
    int prefillStart;
    int prefillLength;
    int decodeStart;
    int decodeLength;
    /** The bytes of the record, of which the names are places. */
    ByteBuffer buffer = ByteBuffer.allocate(0);

    /** Whether a record may have set the numbers, which are cleared only then. */
    private boolean touched = true;

    /** No numbers. */
    public DecodedServer() {
        clear();
    }

    /** Forgets the record before. */
    public void clear() {
        state = NOT_THERE;
        if (touched) {
            Arrays.fill(numbers, ABSENT);
            source = NO_SOURCE;
            prefillStart = 0;
            prefillLength = ABSENT_TEXT;
            decodeStart = 0;
            decodeLength = ABSENT_TEXT;
            touched = false;
        }
    }

    /** A record sets the numbers, which were cleared. */
    void begin(ByteBuffer bytes) {
        buffer = bytes;
        touched = true;
    }

    boolean isEmpty() {
        for (long number : numbers) {
            if (number != ABSENT) {
                return false;
            }
        }
        return true;
    }

    /** Whether the record has a valid {@code server} with at least one number. */
    public boolean isPresent() {
        return state == PRESENT;
    }

    /** Whether the record has a {@code server} that breaks a rule; it is ignored as a whole. */
    public boolean isRejected() {
        return state == REJECTED;
    }

    /** The number of a key, at least 0; {@link #ABSENT} if the record does not have it. */
    public long number(ServerKey key) {
        return numbers[key.ordinal()];
    }

    /** Whether the record has the number of a key. */
    public boolean has(ServerKey key) {
        return numbers[key.ordinal()] != ABSENT;
    }

    /** A copy as an object. Allocates. */
    public ServerTimes toServerTimes() {
        Map<ServerKey, Long> reported = new EnumMap<>(ServerKey.class);
        for (ServerKey key : KEYS) {
            if (has(key)) {
                reported.put(key, number(key));
            }
        }
        return new ServerTimes(
                reported,
                source == NO_SOURCE ? null : ServerTimes.Source.of(source),
                text(prefillStart, prefillLength),
                text(decodeStart, decodeLength));
    }

    private @Nullable String text(int start, int length) {
        return length == ABSENT_TEXT ? null : Utf8.read(buffer, start, length);
    }
}
