package io.metricsaggregator.flink.joined;

import java.io.Serializable;

/**
 * How long the join of a stream waits, in milliseconds.
 *
 * @param latenessMillis a record is applied in its order if its time is at most this far before the newest one of its partition; at least 0
 * @param silenceMillis a partition without a message for this long does not hold back the others, and a run without one has all its records applied; above 0
 * @param idleMillis a run without a message for this long ends; 0 for never
 */
public record JoinTimes(long latenessMillis, long silenceMillis, long idleMillis) implements Serializable {
    private static final long serialVersionUID = 1;
    private static final long NANOS_PER_MILLI = 1_000_000;

    /** {@code latenessMillis} in nanoseconds. */
    long latenessNanos() {
        return Math.multiplyExact(latenessMillis, NANOS_PER_MILLI);
    }

    /** Whether a record comes too late behind the newest one of its partition, both in nanoseconds. */
    boolean isLate(long nanos, long newestNanos) {
        return newestNanos > Long.MIN_VALUE + latenessNanos() && nanos < newestNanos - latenessNanos();
    }

    /** The millisecond of the wall clock with which records are applied, 0 or more and below that of the end of input. */
    static long millis(long nanos) {
        return Math.max(0, Math.floorDiv(nanos, NANOS_PER_MILLI));
    }
}
