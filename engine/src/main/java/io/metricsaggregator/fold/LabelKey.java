package io.metricsaggregator.fold;

import io.metricsaggregator.event.DecodedLabels;
import io.metricsaggregator.snapshot.LabelBreakdown;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The values of one label key, in the order of their first sample, and what is counted by each. Belongs to the thread of the fold. */
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
    private static final int FIRST = 3;
    /** Codes in all. */
    static final int CODES = FIRST + VALUES_MAX;

    private final String name;
    private final byte[] bytes;
    private final @Nullable LabelCounts[] counts = new @Nullable LabelCounts[CODES];
    private int values;

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
        for (int code = FIRST; code < FIRST + values; code++) {
            LabelCounts each = counts[code];
            if (each != null && labels.valueEquals(i, each.bytes())) {
                return code;
            }
        }
        return values == VALUES_MAX ? OTHER : add(labels.value(i));
    }

    /** Adds a value; there must be room. Returns its code. */
    int add(String value) {
        counts[FIRST + values] = new LabelCounts(value);
        return FIRST + values++;
    }

    boolean isFull() {
        return values == VALUES_MAX;
    }

    String name() {
        return name;
    }

    /** Whether the samples are of more than one value. */
    boolean isDivided() {
        return values + (counts[NONE] == null ? 0 : 1) > 1;
    }

    /** Ends and begins the wait of every value; see {@link LabelCounts#rebase}. */
    void rebase(long fromNanos, long toNanos, ProgressFold progress) {
        for (LabelCounts each : counts) {
            if (each != null) {
                each.rebase(fromNanos, toNanos, progress);
            }
        }
    }

    /** The counts of a code; allocates for the first sample without the key or beyond the bound. */
    LabelCounts counts(int code) {
        LabelCounts known = counts[code];
        if (known == null) {
            known = new LabelCounts(code == NONE ? LabelBreakdown.NONE : LabelBreakdown.OTHER);
            counts[code] = known;
        }
        return known;
    }

    /** Copies the counts: values in the order of their first sample, then samples without the key, then all others. */
    LabelBreakdown.Key summary(ProgressFold progress, boolean judged) {
        List<LabelBreakdown.Value> rows = new ArrayList<>(values + 2);
        for (int code = FIRST; code < FIRST + values; code++) {
            rows.add(counts(code).summary(progress, judged));
        }
        for (int code : new int[] {NONE, OTHER}) {
            LabelCounts each = counts[code];
            if (each != null) {
                rows.add(each.summary(progress, judged));
            }
        }
        return new LabelBreakdown.Key(name, rows);
    }
}
