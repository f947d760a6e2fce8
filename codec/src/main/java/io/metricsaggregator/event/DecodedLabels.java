package io.metricsaggregator.event;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The {@code labels} of a decoded record, as places in the received bytes. {@link EventDecoder} fills and reuses it; it is valid only if
 * {@link DecodedEvent#hasLabels()} and as long as the buffer. One owner at a time.
 */
public final class DecodedLabels {
    /** The most labels of a record. */
    public static final int PAIRS_MAX = 8;
    /** The longest key in bytes of UTF-8; a key has at least one. */
    public static final int KEY_MAX_BYTES = 64;
    /** The longest value in bytes of UTF-8. */
    public static final int VALUE_MAX_BYTES = 256;

    private static final int PLACE = 4;

    /** For each pair the start and length of its key and of its value. */
    private final int[] places = new int[PAIRS_MAX * PLACE];

    private final DecodedEvent event;
    private int count;

    DecodedLabels(DecodedEvent event) {
        this.event = event;
    }

    void clear() {
        count = 0;
    }

    void add(int keyStart, int keyLength, int valueStart, int valueLength) {
        int at = count * PLACE;
        places[at] = keyStart;
        places[at + 1] = keyLength;
        places[at + 2] = valueStart;
        places[at + 3] = valueLength;
        count++;
    }

    /** Number of labels, 1 to {@value #PAIRS_MAX}; a key that is repeated counts each time. */
    public int count() {
        return count;
    }

    /** Whether the key of label {@code i} equals {@code bytes}. */
    public boolean keyEquals(int i, byte[] bytes) {
        return event.equalsAt(places[i * PLACE], places[i * PLACE + 1], bytes);
    }

    /** Whether the value of label {@code i} equals {@code bytes}. */
    public boolean valueEquals(int i, byte[] bytes) {
        return event.equalsAt(places[i * PLACE + 2], places[i * PLACE + 3], bytes);
    }

    /** The key of label {@code i}. Allocates. */
    public String key(int i) {
        return event.textAt(places[i * PLACE], places[i * PLACE + 1]);
    }

    /** The value of label {@code i}. Allocates. */
    public String value(int i) {
        return event.textAt(places[i * PLACE + 2], places[i * PLACE + 3]);
    }

    /** A copy as a map, the last value of a repeated key. Allocates. */
    Map<String, String> toMap() {
        Map<String, String> labels = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            labels.put(key(i), value(i));
        }
        return labels;
    }
}
