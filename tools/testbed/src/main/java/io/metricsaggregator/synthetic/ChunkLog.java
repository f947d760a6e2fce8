package io.metricsaggregator.synthetic;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** When the chunks of one streamed answer were sent, and what they held; the first {@value #MAX} of them. Used by the thread that answers. */
final class ChunkLog {
    private static final int MAX = 4096;

    private long[] nanos = new long[32];
    private int[] tokens = new int[32];
    private Kind[] kinds = new Kind[32];
    private int size;

    /** What a chunk holds. */
    enum Kind {
        /** The role of the answer, without text. */
        ROLE,
        /** Nothing. */
        EMPTY,
        /** Text of the reasoning. */
        REASONING,
        /** Text of the answer, or arguments of a call. */
        CONTENT
    }

    void add(long sinceArrivalNanos, int count, Kind kind) {
        if (size == MAX) {
            return;
        }
        if (size == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * size);
            tokens = Arrays.copyOf(tokens, 2 * size);
            kinds = Arrays.copyOf(kinds, 2 * size);
        }
        nanos[size] = sinceArrivalNanos;
        tokens[size] = count;
        kinds[size++] = kind;
    }

    List<List<Object>> toList() {
        List<List<Object>> all = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            all.add(List.of(nanos[i], (long) tokens[i], kinds[i].name().toLowerCase(Locale.ROOT)));
        }
        return all;
    }
}
