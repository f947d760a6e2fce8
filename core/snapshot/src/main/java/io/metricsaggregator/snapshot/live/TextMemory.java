package io.metricsaggregator.snapshot.live;

import io.metricsaggregator.codec.MsgpackCursor;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Texts by their place among those of a list, so that a text that the same place had before is not decoded again. Bounded: places beyond
 * {@value #TEXTS_MAX} and texts of more than {@value #BYTES_MAX} bytes are not kept. One owner.
 */
final class TextMemory {
    private static final int TEXTS_MAX = 2048;
    private static final int BYTES_MAX = 256;

    private byte[][] encoded = new byte[16][];
    private String[] texts = new String[16];
    private int known;
    private int next;

    /** Starts with the first place. */
    void rewind() {
        next = 0;
    }

    /** The text of the string that the cursor read last, at the next place; invalid UTF-8 becomes U+FFFD. */
    String text(byte[] bytes, MsgpackCursor read) {
        int from = read.start();
        int to = from + read.length();
        int place = next++;
        if (place < known && Arrays.equals(encoded[place], 0, encoded[place].length, bytes, from, to)) {
            return texts[place];
        }
        String text = new String(bytes, from, to - from, StandardCharsets.UTF_8);
        if (place < TEXTS_MAX && place <= known && to - from <= BYTES_MAX) {
            if (place == texts.length) {
                encoded = Arrays.copyOf(encoded, 2 * place);
                texts = Arrays.copyOf(texts, 2 * place);
            }
            encoded[place] = Arrays.copyOfRange(bytes, from, to);
            texts[place] = text;
            known = Math.max(known, place + 1);
        }
        return text;
    }
}
