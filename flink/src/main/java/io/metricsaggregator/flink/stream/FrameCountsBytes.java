package io.metricsaggregator.flink.stream;

import io.metricsaggregator.run.FrameCounts;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The form of counts of frames: six numbers of 8 bytes, in the order of the record. Stateless. */
public final class FrameCountsBytes {
    private static final int BYTES = 6 * Long.BYTES;

    private FrameCountsBytes() {}

    /** Returns the counts as bytes. */
    public static byte[] encode(FrameCounts counts) {
        return ByteBuffer.allocate(BYTES)
                .putLong(counts.frames())
                .putLong(counts.empty())
                .putLong(counts.bytes())
                .putLong(counts.batches())
                .putLong(counts.batchesMalformed())
                .putLong(counts.elementsEmpty())
                .array();
    }

    /** Reads what {@link #encode} returned. */
    public static FrameCounts decode(byte[] bytes) {
        ByteBuffer from = ByteBuffer.wrap(bytes);
        return new FrameCounts(
                from.getLong(), from.getLong(), from.getLong(), from.getLong(), from.getLong(), from.getLong());
    }

    /** Writes the counts between others. */
    public static void write(FrameCounts counts, DataOutput target) throws IOException {
        target.write(encode(counts));
    }

    /** Reads what {@link #write} wrote. */
    public static FrameCounts read(DataInput source) throws IOException {
        byte[] bytes = new byte[BYTES];
        source.readFully(bytes);
        return decode(bytes);
    }
}
