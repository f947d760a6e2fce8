package io.metricsaggregator.flink.stream;

/**
 * One frame of a run, in the order of the run's input. Immutable; {@code frame} is never written to.
 *
 * @param run identifies the run within the job, and names its folder in the output
 * @param source number of the stream within the run that {@code sequence} counts in: a Kafka partition
 * @param sequence number of the frame within its stream, growing; {@link #NOT_NUMBERED} for none
 * @param nanos monotonic time of receipt in nanoseconds, which records without a time of their own get
 * @param wallNanos wall-clock time of receipt in nanoseconds since 1970 UTC
 * @param frame topic and payload, as a socket received them
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record RunFrame(String run, int source, long sequence, long nanos, long wallNanos, byte[] frame) {
    /** The {@code sequence} of a frame without a number. */
    public static final long NOT_NUMBERED = -1;
}
