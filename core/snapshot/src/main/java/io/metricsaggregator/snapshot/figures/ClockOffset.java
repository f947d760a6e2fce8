package io.metricsaggregator.snapshot.figures;

/**
 * Where the monotonic clock of a host stands on the wall clock: a monotonic time plus {@code wallMinusMonotonicNanos} is a wall-clock time in nanoseconds
 * since 1970 UTC. Measured once when a daemon starts to receive; later steps of the wall clock do not change it.
 *
 * @param wallMinusMonotonicNanos wall clock minus monotonic clock, in nanoseconds
 * @param uncertaintyNanos how far the measurement may be off, in nanoseconds; at least 0. The error of the wall clock itself is not in it
 */
public record ClockOffset(long wallMinusMonotonicNanos, long uncertaintyNanos) {
    public ClockOffset {
        if (uncertaintyNanos < 0) {
            throw new IllegalArgumentException("the uncertainty of a clock offset is negative: " + uncertaintyNanos);
        }
    }
}
