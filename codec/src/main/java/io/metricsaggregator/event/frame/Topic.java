package io.metricsaggregator.event.frame;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The 40 bytes in front of every payload: a name, NUL-padded on the right. Topics route frames; only {@link #BATCH} and {@link #CHUNKS} decide how the payload is read. */
public final class Topic {

    /** Length of every topic on the wire. */
    public static final int LENGTH = 40;

    /** The topic of a batch of records. */
    public static final String BATCH = "batch";

    /** The topic of a metrics snapshot, before padding. */
    public static final String METRICS = "MET\0";

    /** The topic of a frame of chunks, see {@link ChunkFrames}. A subscription to it tells a producer that its peer reads them. */
    public static final String CHUNKS = "chunks";

    private static final long BATCH_WORD = 0x6261746368000000L;
    private static final long CHUNKS_WORD = 0x6368756e6b730000L;

    private Topic() {}

    /** The padded bytes of a topic of at most 40 ASCII characters. */
    public static byte[] pad(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
        if (bytes.length > LENGTH) {
            throw new IllegalArgumentException("topic '" + name + "' is longer than " + LENGTH + " bytes");
        }
        byte[] padded = new byte[LENGTH];
        System.arraycopy(bytes, 0, padded, 0, bytes.length);
        return padded;
    }

    /** Builds a frame: the padded topic, then the payload. */
    public static byte[] frame(String name, byte[] payload) {
        byte[] frame = new byte[LENGTH + payload.length];
        byte[] topic = pad(name);
        System.arraycopy(topic, 0, frame, 0, LENGTH);
        System.arraycopy(payload, 0, frame, LENGTH, payload.length);
        return frame;
    }

    /** Whether the topic at {@code start}, 40 bytes of which must be there, is exactly that of a batch. */
    public static boolean isBatch(ByteBuffer buffer, int start) {
        return is(BATCH_WORD, buffer, start);
    }

    /** Whether the topic at {@code start}, 40 bytes of which must be there, is exactly that of a frame of chunks. */
    public static boolean isChunks(ByteBuffer buffer, int start) {
        return is(CHUNKS_WORD, buffer, start);
    }

    private static boolean is(long word, ByteBuffer buffer, int start) {
        return buffer.getLong(start) == word
                && (buffer.getLong(start + 8)
                                | buffer.getLong(start + 16)
                                | buffer.getLong(start + 24)
                                | buffer.getLong(start + 32))
                        == 0;
    }

    /** The name at {@code start} without its padding; null if it is not printable ASCII. Allocates. */
    public static @Nullable String read(ByteBuffer buffer, int start) {
        int length = LENGTH;
        while (length > 0 && buffer.get(start + length - 1) == 0) {
            length--;
        }
        StringBuilder name = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            int b = buffer.get(start + i);
            if (b < 0x20 || b == 0x7f) {
                return null;
            }
            name.append((char) b);
        }
        return name.toString();
    }
}
