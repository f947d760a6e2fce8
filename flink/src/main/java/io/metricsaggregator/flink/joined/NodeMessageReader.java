package io.metricsaggregator.flink.joined;

import io.metricsaggregator.event.TimestampMath;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Takes the frames of messages apart. No bytes make it throw. Used by one thread. */
public final class NodeMessageReader {
    private final long latenessNanos;
    private final FrameSplitter splitter = new FrameSplitter();

    /** A reader for a stream that waits as {@code times} says. */
    public NodeMessageReader(JoinTimes times) {
        this.latenessNanos = times.latenessNanos();
    }

    /**
     * Reads a message.
     *
     * @param receivedNanos when the node received the frame, wall clock, in nanoseconds since 1970 UTC; the time of records that carry none
     * @param shiftNanos wall clock minus the clock of the records' own times
     * @param writtenNanos when the message was written, wall clock; records that claim to be later by more than the lateness do not let their
     *     partition advance, so that one false time does not make all others late. {@link Long#MAX_VALUE} if unknown
     * @param frame topic and payload; not written to
     */
    public NodeMessage read(
            NodeMessage.Place place, long receivedNanos, long shiftNanos, long writtenNanos, byte[] frame) {
        List<NodeRecord> records = new ArrayList<>();
        long limit = TimestampMath.saturatedSum(writtenNanos, latenessNanos);
        long[] newest = {Long.MIN_VALUE};
        var counts = splitter.split(
                ByteBuffer.wrap(frame), 0, frame.length, receivedNanos, shiftNanos, (nanos, rank, bytes) -> {
                    newest[0] = Math.max(newest[0], Math.min(nanos, limit));
                    records.add(new NodeRecord(
                            nanos, rank, place.partition(), place.offset(), receivedNanos, shiftNanos, bytes));
                });
        return new NodeMessage(place, newest[0], counts, records);
    }
}
