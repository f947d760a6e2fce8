package io.metricsaggregator.flink.joined;

import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.run.FrameCounts;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
     * @param receivedNanos when the node received the frame, on the clock of the records' own times; the time of records that carry none. Null for the time
     *     at which the message was written
     * @param shiftNanos wall clock minus the clock of the records' own times
     * @param writtenNanos when the message was written, wall clock, in nanoseconds since 1970 UTC; records that claim to be later by more than the
     *     lateness do not let their partition advance, so that one false time does not make all others late. Negative if unknown
     * @param frame topic and payload; not written to
     */
    public NodeMessage read(
            NodeMessage.Place place, @Nullable Long receivedNanos, long shiftNanos, long writtenNanos, byte[] frame) {
        List<NodeRecord> records = new ArrayList<>();
        long received = receivedNanos == null
                ? Math.max(0, writtenNanos)
                : TimestampMath.saturatedSum(receivedNanos, shiftNanos);
        long limit = writtenNanos < 0 ? Long.MAX_VALUE : TimestampMath.saturatedSum(writtenNanos, latenessNanos);
        long[] newest = {Long.MIN_VALUE};
        FrameCounts counts =
                splitter.split(ByteBuffer.wrap(frame), 0, frame.length, received, shiftNanos, (nanos, rank, bytes) -> {
                    newest[0] = Math.max(newest[0], Math.min(nanos, limit));
                    records.add(new NodeRecord(
                            nanos, rank, place.partition(), place.offset(), received, shiftNanos, bytes));
                });
        return new NodeMessage(place, newest[0], counts, records);
    }
}
