package io.metricsaggregator.flink.stream;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The form of frames in the state of a run: a byte that names version and kind, both times, the bytes of the frame. Stateless. */
final class FrameState {
    private static final byte FRAME = 1;
    private static final byte OUTAGE = 2;
    private static final byte RECORD = 3;
    private static final byte LATE = 4;
    private static final byte COUNTS = 5;

    private static final int HEAD_BYTES = 1 + 2 * Long.BYTES;

    private FrameState() {}

    /** Writes a frame of any kind but the end, which leaves no state. */
    static byte[] encode(RunFrame frame) {
        byte version = switch (frame.kind()) {
            case FRAME -> FRAME;
            case OUTAGE -> OUTAGE;
            case RECORD -> RECORD;
            case LATE -> LATE;
            case COUNTS -> COUNTS;
            case END -> throw new IllegalArgumentException("the end of a run is not kept in its state");
        };
        return ByteBuffer.allocate(HEAD_BYTES + frame.frame().length)
                .put(version)
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
        RunFrame.Kind kind = switch (version) {
            case FRAME -> RunFrame.Kind.FRAME;
            case OUTAGE -> RunFrame.Kind.OUTAGE;
            case RECORD -> RunFrame.Kind.RECORD;
            case LATE -> RunFrame.Kind.LATE;
            case COUNTS -> RunFrame.Kind.COUNTS;
            default ->
                throw new IOException(
                        "the state of run " + run + " has version " + version + ", which this job cannot read");
        };
        long nanos = from.getLong();
        long wallNanos = from.getLong();
        byte[] frame = new byte[from.remaining()];
        from.get(frame);
        return new RunFrame(run, kind, 0, RunFrame.NOT_NUMBERED, nanos, wallNanos, frame);
    }
}
