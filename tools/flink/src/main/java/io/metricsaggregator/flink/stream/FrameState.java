package io.metricsaggregator.flink.stream;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The form of frames in the state of a run: a byte that names the version, both times, the bytes of the frame. Stateless. */
final class FrameState {
    private static final byte VERSION = 1;

    private static final int HEAD_BYTES = 1 + 2 * Long.BYTES;

    private FrameState() {}

    /** Writes a frame. */
    static byte[] encode(RunFrame frame) {
        return ByteBuffer.allocate(HEAD_BYTES + frame.frame().length)
                .put(VERSION)
                .putLong(frame.nanos())
                .putLong(frame.wallNanos())
                .put(frame.frame())
                .array();
    }

    /**
     * Reads what {@link #encode} wrote. The number of the frame is not kept.
     *
     * @throws IOException if another version of this program wrote it
     */
    static RunFrame decode(String run, byte[] state) throws IOException {
        ByteBuffer from = ByteBuffer.wrap(state);
        byte version = from.get();
        if (version != VERSION) {
            throw new IOException(
                    "the state of run " + run + " has version " + version + ", which this job cannot read");
        }
        long nanos = from.getLong();
        long wallNanos = from.getLong();
        byte[] frame = new byte[from.remaining()];
        from.get(frame);
        return new RunFrame(run, 0, RunFrame.NOT_NUMBERED, nanos, wallNanos, frame);
    }
}
