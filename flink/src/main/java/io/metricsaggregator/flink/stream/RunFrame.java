package io.metricsaggregator.flink.stream;

/**
 * One frame of a run, in the order of the run's input, or what a journal says between frames. Immutable; {@code frame} is never written to.
 *
 * @param run identifies the run within the job, and names its folder in the output
 * @param kind what this is
 * @param source number of the stream within the run that {@code sequence} counts in: a Kafka partition
 * @param sequence number of the frame within its stream, growing; {@link #NOT_NUMBERED} for none
 * @param nanos monotonic time of receipt in nanoseconds, which records without a time of their own get; {@code OUTAGE}: its start, wall
 *     clock since 1970 UTC; {@code END}: monotonic time of the end
 * @param wallNanos wall-clock time of receipt in nanoseconds since 1970 UTC; {@code OUTAGE} and {@code END}: of the end
 * @param frame topic and payload, as a socket received them; empty for other kinds
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record RunFrame(String run, Kind kind, int source, long sequence, long nanos, long wallNanos, byte[] frame) {
    /** The {@code sequence} of a frame without a number. */
    public static final long NOT_NUMBERED = -1;

    private static final byte[] NOTHING = {};

    /** What lies in the input of a run; the order is part of the serialized form. */
    public enum Kind {
        /** A frame as it was received. */
        FRAME,
        /** The daemon was down between two frames. */
        OUTAGE,
        /** The input of the run ends here. */
        END
    }

    /** A frame as it was received. */
    public RunFrame(String run, int source, long sequence, long nanos, long wallNanos, byte[] frame) {
        this(run, Kind.FRAME, source, sequence, nanos, wallNanos, frame);
    }

    /** An outage between two times of the wall clock, in nanoseconds since 1970 UTC. */
    public static RunFrame outage(String run, long fromWallNanos, long toWallNanos) {
        return new RunFrame(run, Kind.OUTAGE, 0, NOT_NUMBERED, fromWallNanos, toWallNanos, NOTHING);
    }

    /** The end of a run's input, at a time of the monotonic clock and of the wall clock, in nanoseconds. */
    public static RunFrame end(String run, long nanos, long wallNanos) {
        return new RunFrame(run, Kind.END, 0, NOT_NUMBERED, nanos, wallNanos, NOTHING);
    }
}
