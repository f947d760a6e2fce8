package io.metricsaggregator.snapshot.figures;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;

/**
 * Where the monotonic clock of a host stands on the wall clock: a monotonic time plus {@code wallMinusMonotonicNanos} is a wall-clock time in nanoseconds
 * since 1970 UTC. Measured once when a daemon starts to receive; later steps of the wall clock do not change it.
 *
 * @param wallMinusMonotonicNanos wall clock minus monotonic clock, in nanoseconds
 * @param uncertaintyNanos how far the measurement may be off, in nanoseconds; at least 0. The error of the wall clock itself is not in it
 */
public record ClockOffset(long wallMinusMonotonicNanos, long uncertaintyNanos) {
    /** What a reader starts from. */
    public static final ClockOffset BLANK = new ClockOffset(0, 0);

    /** The declaration of the fields, in the map of the run. */
    public static ClockOffset pass(Fields f, ClockOffset v) throws MalformedMessageException {
        long offset = f.count("wall_offset_ns", v.wallMinusMonotonicNanos());
        long uncertainty = f.count("wall_offset_uncertainty_ns", v.uncertaintyNanos());
        if (uncertainty < 0) {
            throw new MalformedMessageException("wall_offset_uncertainty_ns is negative: " + uncertainty);
        }
        return new ClockOffset(offset, uncertainty);
    }

    public ClockOffset {
        if (uncertaintyNanos < 0) {
            throw new IllegalArgumentException("the uncertainty of a clock offset is negative: " + uncertaintyNanos);
        }
    }
}
