package io.metricsaggregator.codec;

import java.time.Instant;

/** Wall-clock times as nanoseconds since 1970-01-01T00:00:00Z, the form of {@code wall_ns}: from 1677 to 2262. */
public final class EpochNanos {
    private static final long PER_SECOND = 1_000_000_000L;

    private EpochNanos() {}

    /** The time now, by the host's wall clock. */
    public static long now() {
        return of(Instant.now());
    }

    /** The instant of a time; any {@code long} has one. */
    public static Instant toInstant(long epochNanos) {
        return Instant.ofEpochSecond(Math.floorDiv(epochNanos, PER_SECOND), Math.floorMod(epochNanos, PER_SECOND));
    }

    /**
     * The time of an instant.
     *
     * @throws ArithmeticException if 64 bits cannot hold it
     */
    public static long of(Instant instant) {
        return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), PER_SECOND), instant.getNano());
    }
}
