package io.metricsaggregator.fleet;

import io.metricsaggregator.codec.MsgpackCursor;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.transport.FrameHandler;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Hands frames to their decoder, at once while there is time before the next tick; later ones wait, the latest of each run alone. Decoding is nearly
 * all that a fleet does: one that is too slow for its nodes decodes fewer of their snapshots, which are cumulative, and still ticks. A frame whose run
 * or number cannot be read in passing never waits. Belongs to the main loop.
 */
final class FrameQueue implements FrameHandler {
    private static final byte[] RUN_ID = {(byte) 0xa6, 'r', 'u', 'n', '_', 'i', 'd'};
    /** Longest run id that is read in passing: that of MessagePack's shortest form of a string. */
    private static final int ID_MAX = 31;

    private static final long UNKNOWN = -1;

    private final FrameHandler input;
    private final LongSupplier nanos;
    private final long bytesMax;
    private final MsgpackCursor cursor = new MsgpackCursor();
    private final Map<String, Waiting> waiting = new LinkedHashMap<>();
    private long bytes;
    private long atOnceUntilNanos;

    private record Waiting(long counter, ByteBuffer frame) {}

    /**
     * A queue.
     *
     * @param input decodes frames
     * @param nanos the monotonic clock
     * @param bytesMax most bytes of frames that wait; a frame beyond is decoded at once
     */
    FrameQueue(FrameHandler input, LongSupplier nanos, long bytesMax) {
        this.input = input;
        this.nanos = nanos;
        this.bytesMax = bytesMax;
        this.atOnceUntilNanos = nanos.getAsLong();
    }

    /** Sets the time until which frames are decoded as they come; before the first call they wait. */
    void atOnceUntil(long untilNanos) {
        atOnceUntilNanos = untilNanos;
    }

    @Override
    public void onFrame(ByteBuffer buffer, int start, int length) {
        if (waiting.isEmpty() && nanos.getAsLong() - atOnceUntilNanos < 0) {
            input.onFrame(buffer, start, length);
            return;
        }
        long counter = length > FleetInput.FRAME_MAX_BYTES ? UNKNOWN : counter(buffer, start, length);
        String run = counter == UNKNOWN ? "" : runId(buffer, start, length);
        Waiting before = run.isEmpty() ? null : waiting.remove(run);
        if (before != null) {
            bytes -= before.frame.limit();
        }
        if (before != null && before.counter >= counter) {
            // The same run on a second way, or another run of that id: both are judged.
            input.onFrame(before.frame, 0, before.frame.limit());
            input.onFrame(buffer, start, length);
        } else if (run.isEmpty() || bytes + length > bytesMax) {
            input.onFrame(buffer, start, length);
        } else {
            byte[] copy = new byte[length];
            buffer.get(start, copy);
            waiting.put(run, new Waiting(counter, ByteBuffer.wrap(copy)));
            bytes += length;
        }
    }

    /** The number of a snapshot, the first element of its array; {@link #UNKNOWN} if it cannot be read. */
    private long counter(ByteBuffer buffer, int start, int length) {
        if (length <= Topic.LENGTH) {
            return UNKNOWN;
        }
        MsgpackCursor in = cursor.reset(buffer, start + Topic.LENGTH, length - Topic.LENGTH);
        return in.readArrayHeader() && in.readInteger() && in.integer() >= 0 ? in.integer() : UNKNOWN;
    }

    /** The run id, by the first place that looks like its key; empty if there is none. */
    private static String runId(ByteBuffer buffer, int start, int length) {
        int end = start + length - RUN_ID.length - 1;
        for (int at = start + Topic.LENGTH; at < end; at++) {
            if (buffer.get(at) == RUN_ID[0] && isKey(buffer, at)) {
                int head = buffer.get(at + RUN_ID.length) & 0xff;
                int size = head & ID_MAX;
                boolean isShort = (head & ~ID_MAX) == 0xa0 && at + RUN_ID.length + 1 + size <= start + length;
                byte[] id = new byte[isShort ? size : 0];
                buffer.get(at + RUN_ID.length + 1, id);
                return new String(id, StandardCharsets.ISO_8859_1);
            }
        }
        return "";
    }

    private static boolean isKey(ByteBuffer buffer, int at) {
        byte[] bytes = new byte[RUN_ID.length];
        buffer.get(at, bytes);
        return Arrays.equals(bytes, RUN_ID);
    }

    /** Whether frames wait. */
    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Decodes waiting frames, the one that waited longest first, until a time on the monotonic clock. */
    void decode(long untilNanos) {
        while (!waiting.isEmpty() && nanos.getAsLong() - untilNanos < 0) {
            String run = waiting.keySet().iterator().next();
            Waiting next = waiting.remove(run);
            if (next != null) {
                bytes -= next.frame.limit();
                input.onFrame(next.frame, 0, next.frame.limit());
            }
        }
    }
}
