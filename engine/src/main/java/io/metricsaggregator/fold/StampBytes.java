package io.metricsaggregator.fold;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.DecodedLabels;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.event.Malformation;
import io.metricsaggregator.event.RecordBytes;
import io.metricsaggregator.event.RecordTimes;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Writes events of samples with their stamps as bytes, and reads them in another process: the version, the stamp in 40 to 80 bytes, and the record as it
 * was received. Notes which optional keys the events of samples had so far, for the folds that begin with the first of them. One a run, for one thread.
 */
public final class StampBytes {
    private static final byte VERSION = 1;
    private static final int STAMP_MAX_BYTES = 96;
    private static final int WORKER_MAX_BYTES = 1024;
    private static final int DOUBLINGS_MAX = 33;

    // Flags.
    private static final int HAS_SLICES = 1;
    private static final int IS_TRACKING = 1 << 1;
    private static final int EVER_TRACKED = 1 << 2;
    private static final int WINDOW_OPEN = 1 << 3;
    private static final int CHUNK_KEYS = 1 << 4;
    private static final int CHUNK_PARTS = 1 << 5;
    private static final int USAGE = 1 << 6;

    private boolean chunkKeysSeen;
    private boolean partsSeen;
    private boolean usageSeen;

    /** Writes an event and its stamp. */
    public byte[] write(DecodedEvent event, SampleStamp stamp) {
        byte[] worker = stamp.worker.getBytes(StandardCharsets.UTF_8);
        ByteBuffer to = ByteBuffer.allocate(STAMP_MAX_BYTES + worker.length + RecordBytes.length(event));
        int flags = (stamp.hasSlices ? HAS_SLICES : 0)
                | (stamp.isTracking ? IS_TRACKING : 0)
                | (stamp.everTracked ? EVER_TRACKED : 0)
                | (stamp.window == SampleStamp.NONE ? 0 : WINDOW_OPEN)
                | (chunkKeysSeen ? CHUNK_KEYS : 0)
                | (partsSeen ? CHUNK_PARTS : 0)
                | (usageSeen ? USAGE : 0);
        to.put(VERSION).put((byte) flags).putLong(stamp.position).putLong(event.timestampNanos());
        if (stamp.hasSlices) {
            to.putShort((short) stamp.slice).put((byte) stamp.sliceDoublings).putLong(stamp.slicesStartNanos);
        }
        if (stamp.window != SampleStamp.NONE) {
            to.putLong(stamp.window).putLong(stamp.windowStartNanos);
        }
        if (stamp.everTracked) {
            to.putLong(stamp.trackedFromNanos);
        }
        if (stamp.isTracking) {
            to.putLong(stamp.labels).put((byte) stamp.labelsOver);
        }
        to.putShort((short) worker.length).put(worker);
        RecordBytes.copy(event, to);
        chunkKeysSeen |= event.hasChunkKeys();
        partsSeen |= event.part() != null;
        usageSeen |= event.hasUsage();
        byte[] bytes = new byte[to.position()];
        to.flip().get(bytes);
        return bytes;
    }

    /**
     * Reads an event and its stamp.
     *
     * @param event refers to {@code bytes} afterwards
     * @throws PartitionFormatException if the bytes are of another version, cut short, altered so that no head writes them, or hold no record of a sample
     */
    static void read(byte[] bytes, EventDecoder decoder, DecodedEvent event, SampleStamp stamp)
            throws PartitionFormatException {
        try {
            ByteBuffer from = ByteBuffer.wrap(bytes);
            long timestampNanos = readStamp(from, stamp);
            Malformation wrong = decoder.decode(from, from.position(), from.remaining(), event);
            if (wrong != null) {
                throw new PartitionFormatException("the record of a stamped event is malformed: " + wrong);
            }
            if (event.type() == null || event.type().isSession()) {
                throw new PartitionFormatException("a stamped event is of no sample");
            }
            if (event.hasTimestamp()) {
                // The scheduled time moves with the other one where the head joins several clocks.
                RecordTimes.shift(event, timestampNanos - event.timestampNanos());
            }
            event.stamp(timestampNanos);
        } catch (BufferUnderflowException e) {
            throw new PartitionFormatException("a stamped event of " + bytes.length + " bytes ends in its stamp");
        }
    }

    private static long readStamp(ByteBuffer from, SampleStamp stamp) throws PartitionFormatException {
        byte version = from.get();
        if (version != VERSION) {
            throw new PartitionFormatException("a stamped event has version " + version + ", not " + VERSION);
        }
        int flags = from.get();
        stamp.position = atLeast(1, from.getLong(), "position");
        long timestampNanos = from.getLong();
        stamp.hasSlices = (flags & HAS_SLICES) != 0;
        stamp.slice = SampleStamp.NONE;
        if (stamp.hasSlices) {
            stamp.slice = (int) between(SampleStamp.NONE, from.getShort(), SliceTable.MAX_SLICES - 1, "slice");
            stamp.sliceDoublings = (int) between(0, from.get(), DOUBLINGS_MAX, "slice width");
            stamp.slicesStartNanos = from.getLong();
        }
        stamp.window = SampleStamp.NONE;
        if ((flags & WINDOW_OPEN) != 0) {
            stamp.window = atLeast(0, from.getLong(), "window");
            stamp.windowStartNanos = from.getLong();
        }
        stamp.everTracked = (flags & EVER_TRACKED) != 0;
        stamp.trackedFromNanos = stamp.everTracked ? from.getLong() : 0;
        stamp.isTracking = (flags & IS_TRACKING) != 0;
        if (stamp.isTracking) {
            if (stamp.window == SampleStamp.NONE) {
                throw new PartitionFormatException("a stamped event is tracked without a window");
            }
            stamp.labels = from.getLong();
            stamp.labelsOver = (int) between(0, from.get(), DecodedLabels.PAIRS_MAX, "number of labels");
            if (!LabelCodes.isValid(stamp.labels)) {
                throw new PartitionFormatException("a stamped event has codes of labels that are not assigned");
            }
        }
        stamp.chunkKeysSeen = (flags & CHUNK_KEYS) != 0;
        stamp.partsSeen = (flags & CHUNK_PARTS) != 0;
        stamp.usageSeen = (flags & USAGE) != 0;
        byte[] worker = new byte[(int) between(0, from.getShort(), WORKER_MAX_BYTES, "length of a worker's name")];
        from.get(worker);
        stamp.worker = worker.length == 0 ? "" : new String(worker, StandardCharsets.UTF_8);
        return timestampNanos;
    }

    private static long atLeast(long least, long value, String what) throws PartitionFormatException {
        return between(least, value, Long.MAX_VALUE, what);
    }

    private static long between(long least, long value, long most, String what) throws PartitionFormatException {
        if (value < least || value > most) {
            throw new PartitionFormatException("the " + what + " of a stamped event is " + value);
        }
        return value;
    }
}
