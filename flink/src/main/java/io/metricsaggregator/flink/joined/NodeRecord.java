package io.metricsaggregator.flink.joined;

import io.metricsaggregator.event.EventType;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * One record of a node's journal, or of its messages, with its place in the joined run. Immutable; {@code bytes} is never written to.
 *
 * @param nanos time of the record on the clock of the joined run: its own, or that of its receipt if it carries none
 * @param rank order of records with the same time, of {@link #rank(EventType)}
 * @param node number of the journal; of a message: its partition
 * @param position number of the record in its journal; of a message: its offset, which records of one message share
 * @param receivedNanos time of its receipt on the clock of the joined run
 * @param shiftNanos how far the clock of the joined run is ahead of that of the record
 * @param bytes the encoded record
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record NodeRecord(
        long nanos, byte rank, int node, long position, long receivedNanos, long shiftNanos, byte[] bytes) {
    static final byte RANK_STARTED = 0;
    static final byte RANK_ENDED = 13;
    private static final byte RANK_OTHER = 12;

    /** The order of the joined run. */
    static final Comparator<NodeRecord> ORDER = Comparator.comparingLong(NodeRecord::nanos)
            .thenComparingInt(NodeRecord::rank)
            .thenComparingInt(NodeRecord::node)
            .thenComparingLong(NodeRecord::position);

    /** The place of the record in the joined run. */
    NodeRecord withoutBytes() {
        return new NodeRecord(nanos, rank, node, position, receivedNanos, shiftNanos, new byte[0]);
    }

    /**
     * Ranks a record among others with the same time: a session starts before its samples are issued, the steps of a sample follow each other, and a session
     * ends last.
     *
     * @param type type of the record; null for a malformed or unknown one
     */
    static byte rank(@Nullable EventType type) {
        if (type == null) {
            return RANK_OTHER;
        }
        return switch (type) {
            case SESSION_STARTED -> RANK_STARTED;
            case SESSION_PHASE_START -> 1;
            case SESSION_START_PERFORMANCE_TRACKING -> 2;
            case SAMPLE_ISSUED -> 3;
            case SAMPLE_RECV_FIRST -> 4;
            case SAMPLE_RECV_NON_FIRST -> 5;
            case ERROR_GENERIC, ERROR_LOADGEN, ERROR_SESSION, ERROR_CLIENT -> 6;
            case SAMPLE_COMPLETE -> 7;
            case SESSION_STOP_PERFORMANCE_TRACKING -> 8;
            case SESSION_STOP_LOADGEN -> 9;
            case SESSION_INTERRUPTED -> 10;
            case SESSION_ENDED -> RANK_ENDED;
        };
    }
}
