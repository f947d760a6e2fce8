package io.metricsaggregator.parts;

import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Fields of a part that several of its sections have. Stateless. */
final class PartFields {
    private static final int PIECE_BYTES = 64 << 10;

    private PartFields() {}

    static void writeOptional(@Nullable Long value, DataOutput to) throws IOException {
        to.writeBoolean(value != null);
        if (value != null) {
            to.writeLong(value);
        }
    }

    static @Nullable Long readOptional(DataInput from) throws IOException {
        return from.readBoolean() ? (Long) from.readLong() : null;
    }

    /** Writes a text of any length, which {@link DataOutput#writeUTF} cannot. */
    static void writeText(String text, DataOutput to) throws IOException {
        writeBytes(text.getBytes(StandardCharsets.UTF_8), to);
    }

    static String readText(DataInput from, int maxBytes, String what) throws IOException {
        return new String(readBytes(from, maxBytes, what), StandardCharsets.UTF_8);
    }

    static void writeBytes(byte[] bytes, DataOutput to) throws IOException {
        to.writeInt(bytes.length);
        to.write(bytes);
    }

    /** Reads bytes piece by piece, so that a length alone takes no memory. */
    static byte[] readBytes(DataInput from, int maxBytes, String what) throws IOException {
        int left = bounded(from.readInt(), maxBytes, "bytes of " + what);
        ByteArrayOutputStream all = new ByteArrayOutputStream(Math.min(left, PIECE_BYTES));
        byte[] piece = new byte[Math.min(left, PIECE_BYTES)];
        while (left > 0) {
            int size = Math.min(left, piece.length);
            from.readFully(piece, 0, size);
            all.write(piece, 0, size);
            left -= size;
        }
        return all.toByteArray();
    }

    /** Returns a count that was read. */
    static int bounded(int count, int most, String what) throws IOException {
        if (count < 0 || count > most) {
            throw new IOException(count + " " + what + ", not between 0 and " + most);
        }
        return count;
    }
}
