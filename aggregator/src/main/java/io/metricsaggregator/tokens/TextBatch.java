package io.metricsaggregator.tokens;

import io.metricsaggregator.event.DecodedEvent;
import java.util.Arrays;

/**
 * Texts on their way to be counted, and their counts on the way back. Holds them as the bytes that were received. Belongs to one
 * thread at a time: the one that fills it, the worker that counts, the one that records.
 */
final class TextBatch {
    /** Items to a batch: enough for handing it over to cost nothing, few enough for all threads to have work. */
    static final int ITEMS_MAX = 64;
    /** A batch with more bytes than this takes no further item. */
    static final int FULL_BYTES = 256 * 1024;

    /** Room for text in a new batch; it doubles as it is needed. */
    static final int FIRST_BYTES = 16 * 1024;

    /** What became of an item. */
    enum Outcome {
        COUNTED,
        /** Counted without the model's chat template, which would frame it. */
        APPROXIMATE,
        /** There is nothing in it to count. */
        EMPTY,
        FAILED
    }

    final boolean[] prompt = new boolean[ITEMS_MAX];
    /** For outputs, as the fold gave it. */
    final long[] sinceFirstNanos = new long[ITEMS_MAX];

    final int[] starts = new int[ITEMS_MAX];
    final int[] lengths = new int[ITEMS_MAX];
    final Outcome[] outcomes = new Outcome[ITEMS_MAX];
    final long[] tokens = new long[ITEMS_MAX];
    /** Tokens after the first chunk; 0 where there is none or that is not known. */
    final long[] tokensAfterFirst = new long[ITEMS_MAX];

    byte[] bytes = new byte[FIRST_BYTES];
    int items;
    private int used;

    boolean isFull() {
        return items == ITEMS_MAX || used >= FULL_BYTES;
    }

    /** Bytes it would hold with one more item of this length. */
    int bytesWith(int length) {
        return Math.max(bytes.length, length > bytes.length - used ? Math.max(2 * bytes.length, used + length) : 0);
    }

    void add(DecodedEvent event, boolean isPrompt, long nanos) {
        int length = event.dataLength();
        if (length > bytes.length - used) {
            bytes = Arrays.copyOf(bytes, bytesWith(length));
        }
        event.copyData(bytes, used);
        prompt[items] = isPrompt;
        sinceFirstNanos[items] = nanos;
        starts[items] = used;
        lengths[items] = length;
        outcomes[items] = Outcome.FAILED;
        items++;
        used += length;
    }

    /** Makes it empty; what it grew to for a large text is given back. */
    void clear() {
        items = 0;
        used = 0;
        if (bytes.length > 2 * FULL_BYTES) {
            bytes = new byte[FIRST_BYTES];
        }
    }
}
