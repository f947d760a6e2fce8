package io.metricsaggregator.registry.raw;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The values of a series as a stream of blocks, each packed as {@link RawValues} packs it: the number of values (16 bits, at most
 * {@value RawValues#BLOCK}), the bytes of each (8 bits), the smallest value (64 bits), and the distances of all values from it, little-endian. A block of 0
 * values ends the stream. Writing and reading take the memory of one block. Stateless.
 */
public final class ValueBlocks {
    private ValueBlocks() {}

    /** Receives values one by one. */
    public interface Sink {
        /**
         * Takes a value.
         *
         * @throws IOException if the series cannot hold it
         */
        void value(long rawValue) throws IOException;
    }

    /**
     * Writes values.
     *
     * @param values all of them are kept
     * @throws IOException if the stream fails, or values cannot be read back
     */
    public static void write(RawValues values, DataOutput to) throws IOException {
        byte[] packed = new byte[(RawValues.BLOCK + 1) * Long.BYTES];
        boolean whole;
        try {
            whole = values.visit(0, 1, (block, size) -> {
                writeBlock(block, size, packed, to);
                return true;
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        if (!whole) {
            throw new IOException("values of a series cannot be read back from the spill file");
        }
        to.writeShort(0);
    }

    private static void writeBlock(long[] block, int size, byte[] packed, DataOutput to) {
        ByteBuffer into = ByteBuffer.wrap(packed).order(ByteOrder.LITTLE_ENDIAN);
        long min = block[0];
        long max = min;
        for (int i = 1; i < size; i++) {
            min = Math.min(min, block[i]);
            max = Math.max(max, block[i]);
        }
        int width = (64 - Long.numberOfLeadingZeros(max - min) + 7) / 8;
        for (int i = 0; i < size; i++) {
            into.putLong(i * width, block[i] - min);
        }
        try {
            to.writeShort(size);
            to.writeByte(width);
            to.writeLong(min);
            to.write(packed, 0, size * width);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Reads values.
     *
     * @param count number of values that the stream must hold
     * @throws IOException if the stream fails, holds another number of values, or a block breaks a bound
     */
    public static void read(DataInput from, long count, Sink into) throws IOException {
        byte[] packed = new byte[(RawValues.BLOCK + 1) * Long.BYTES];
        ByteBuffer values = ByteBuffer.wrap(packed).order(ByteOrder.LITTLE_ENDIAN);
        long left = count;
        int size = from.readUnsignedShort();
        while (size > 0) {
            int width = from.readUnsignedByte();
            if (size > RawValues.BLOCK || width > Long.BYTES || size > left) {
                throw new IOException("a block of " + size + " values of " + width + " bytes where " + left + " of "
                        + count + " values are missing");
            }
            long min = from.readLong();
            from.readFully(packed, 0, size * width);
            long mask = width == Long.BYTES ? -1 : (1L << (Byte.SIZE * width)) - 1;
            for (int i = 0; i < size; i++) {
                into.value(min + (values.getLong(i * width) & mask));
            }
            left -= size;
            size = from.readUnsignedShort();
        }
        if (left != 0) {
            throw new IOException(left + " of " + count + " values are missing");
        }
    }
}
