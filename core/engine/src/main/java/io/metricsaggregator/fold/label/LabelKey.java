package io.metricsaggregator.fold.label;

import io.metricsaggregator.event.DecodedLabels;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The values of one label key in the order of their first sample, each with its code. Belongs to the thread of the fold. */
final class LabelKey {
    /** Values with counts of their own; the rest share {@link #OTHER}. */
    static final int VALUES_MAX = 32;
    /** Codes of a sample for this key: it was issued before the key was known. */
    static final int UNKNOWN = 0;
    /** The sample does not have the key. */
    static final int NONE = 1;
    /** The value came after the bound was reached. */
    static final int OTHER = 2;
    /** The code of the first value. */
    static final int FIRST = 3;
    /** Codes in all. */
    static final int CODES = FIRST + VALUES_MAX;

    private final String name;
    private final byte[] bytes;
    private final List<String> values = new ArrayList<>();
    private final byte[][] valueBytes = new byte[VALUES_MAX][];

    LabelKey(String name) {
        this.name = name;
        this.bytes = name.getBytes(StandardCharsets.UTF_8);
    }

    /** Whether label {@code i} has this key. */
    boolean isKeyOf(DecodedLabels labels, int i) {
        return labels.keyEquals(i, bytes);
    }

    /** The code of the value of label {@code i}; allocates for a new value. */
    int code(DecodedLabels labels, int i) {
        for (int value = 0; value < values.size(); value++) {
            if (labels.valueEquals(i, valueBytes[value])) {
                return FIRST + value;
            }
        }
        return isFull() ? OTHER : add(labels.value(i));
    }

    /** Adds a value; there must be room. Returns its code. */
    int add(String value) {
        valueBytes[values.size()] = value.getBytes(StandardCharsets.UTF_8);
        values.add(value);
        return FIRST + values.size() - 1;
    }

    boolean isFull() {
        return values.size() == VALUES_MAX;
    }

    String name() {
        return name;
    }

    /** Its values, that of code {@link #FIRST} first. */
    List<String> values() {
        return values;
    }
}
