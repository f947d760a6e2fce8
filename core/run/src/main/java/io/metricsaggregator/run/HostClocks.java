package io.metricsaggregator.run;

import io.metricsaggregator.codec.EpochNanos;
import io.metricsaggregator.snapshot.figures.ClockOffset;
import java.util.function.LongSupplier;

/** Measures where the monotonic clock of this host stands on the wall clock. Stateless. */
public final class HostClocks {
    private static final int READINGS = 32;

    private HostClocks() {}

    /**
     * Measures the offset of this host. Takes some microseconds.
     *
     * @param monotonic the clock that stamps events, in nanoseconds
     */
    public static ClockOffset offset(LongSupplier monotonic) {
        return offset(monotonic, EpochNanos::now);
    }

    /**
     * Reads the wall clock between two readings of the monotonic one, several times, and keeps the closest pair: the wall clock belongs to the middle, and
     * half the distance is the uncertainty.
     */
    static ClockOffset offset(LongSupplier monotonic, LongSupplier wall) {
        long closest = Long.MAX_VALUE;
        long offset = 0;
        for (int i = 0; i < READINGS; i++) {
            long before = monotonic.getAsLong();
            long between = wall.getAsLong();
            long distance = monotonic.getAsLong() - before;
            if (distance < closest) {
                closest = distance;
                offset = between - (before + distance / 2);
            }
        }
        return new ClockOffset(offset, closest - closest / 2);
    }
}
