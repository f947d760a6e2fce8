package io.metricsaggregator.ingest;

import java.nio.ByteBuffer;

/** The beginning of bytes that could not be read, for a line of the log: ASCII as it is, all else as Python writes bytes. */
final class Excerpt {
    /** As much as it takes to see the type and time of a record. */
    static final int MAX_BYTES = 80;

    private Excerpt() {}

    static String of(ByteBuffer buffer, int start, int length) {
        StringBuilder text = new StringBuilder("b'");
        for (int i = 0; i < Math.min(length, MAX_BYTES); i++) {
            int b = buffer.get(start + i) & 0xff;
            if (b == '\'' || b == '\\') {
                text.append('\\').append((char) b);
            } else if (b >= ' ' && b < 0x7f) {
                text.append((char) b);
            } else {
                text.append(String.format("\\x%02x", b));
            }
        }
        return text.append(length > MAX_BYTES ? "'…" : "'").toString();
    }
}
