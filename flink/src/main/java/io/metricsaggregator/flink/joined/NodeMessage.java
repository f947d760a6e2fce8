package io.metricsaggregator.flink.joined;

import io.metricsaggregator.run.FrameCounts;
import java.util.List;

/**
 * The records of one message of a node, on the wall clock. Immutable.
 *
 * @param place where the message comes from
 * @param newestNanos time up to which the message lets its partition advance, in nanoseconds since 1970 UTC: the newest of its records, but not far after
 *     the message was written; {@link Long#MIN_VALUE} without records
 * @param frames counts of its frame
 * @param records its records in their order
 */
public record NodeMessage(Place place, long newestNanos, FrameCounts frames, List<NodeRecord> records) {
    /** The {@code sequence} of a message without a number. */
    public static final long NOT_NUMBERED = -1;

    /**
     * Where a message comes from.
     *
     * @param run identifies the run within the job, and names its folder in the output
     * @param node name of the node
     * @param partition partition of the topic
     * @param offset of the message in its partition
     * @param sequence number of the message within its node and partition, growing; {@link #NOT_NUMBERED} for none
     */
    public record Place(String run, String node, int partition, long offset, long sequence) {}

    String run() {
        return place.run();
    }
}
