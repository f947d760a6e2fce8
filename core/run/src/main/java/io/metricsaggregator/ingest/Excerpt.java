package io.metricsaggregator.ingest;

import java.nio.ByteBuffer;

/** Renders the first bytes of a malformed record for the log: printable ASCII as it is, other bytes as in a Python bytes literal. */
final class Excerpt {
    /** Enough bytes to show the type and time of a record. */
    static final int MAX_BYTES = 80;

    private Excerpt() {}

    /** Returns up to {@value #MAX_BYTES} bytes from {@code start}; an ellipsis stands for the rest. */
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
