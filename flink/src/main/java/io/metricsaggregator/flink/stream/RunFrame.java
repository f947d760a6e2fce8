package io.metricsaggregator.flink.stream;

import io.metricsaggregator.run.FrameCounts;

/**
 * One frame of a run, in the order of the run's input, or what a journal says between frames; a run joined from several nodes has records instead of frames.
 * Immutable; {@code frame} is never written to.
 *
 * @param run identifies the run within the job, and names its folder in the output
 * @param kind what this is
 * @param source number of the stream within the run that {@code sequence} counts in: a Kafka partition
 * @param sequence number of the frame within its stream, growing; {@link #NOT_NUMBERED} for none
 * @param nanos monotonic time of receipt in nanoseconds, which records without a time of their own get; {@code OUTAGE}: its start, wall
 *     clock since 1970 UTC; {@code END}: monotonic time of the end; {@code RECORD}: wall clock minus the clock of the record's own times
 * @param wallNanos wall-clock time of receipt in nanoseconds since 1970 UTC; {@code OUTAGE} and {@code END}: of the end
 * @param frame topic and payload, as a socket received them; {@code RECORD} and {@code LATE}: the record without a topic; {@code COUNTS}: the counts; empty
 *     for other kinds
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
        END,
        /** A record on the wall clock, of whatever frame. */
        RECORD,
        /** A record that came too late to be applied in its order. */
        LATE,
        /** Counts of the frames whose records come one by one. */
        COUNTS
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

    /**
     * A record of a run whose clock is the wall clock.
     *
     * @param shiftNanos wall clock minus the clock of the record's own times
     * @param receivedNanos wall-clock time of its receipt in nanoseconds since 1970 UTC, not before that of the run's previous record
     */
    public static RunFrame record(String run, long shiftNanos, long receivedNanos, byte[] record) {
        return new RunFrame(run, Kind.RECORD, 0, NOT_NUMBERED, shiftNanos, receivedNanos, record);
    }

    /** A record that came too late, after one that was received at {@code receivedNanos} of the wall clock. */
    public static RunFrame late(String run, long receivedNanos, byte[] record) {
        return new RunFrame(run, Kind.LATE, 0, NOT_NUMBERED, 0, receivedNanos, record);
    }

    /** Counts of frames that were received up to {@code receivedNanos} of the wall clock. */
    public static RunFrame counts(String run, long receivedNanos, FrameCounts counts) {
        return new RunFrame(run, Kind.COUNTS, 0, NOT_NUMBERED, 0, receivedNanos, FrameCountsBytes.encode(counts));
    }

    /** The counts that a {@code COUNTS} carries. */
    FrameCounts counts() {
        return FrameCountsBytes.decode(frame);
    }
}
