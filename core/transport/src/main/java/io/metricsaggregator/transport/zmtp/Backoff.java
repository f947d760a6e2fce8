package io.metricsaggregator.transport.zmtp;

import java.util.concurrent.ThreadLocalRandom;

/** Delays between connection attempts: 50 ms at first, doubling to a limit, each reduced by a jitter of up to a quarter. */
final class Backoff {
    private static final long FIRST_NANOS = 50_000_000L;
    /** Limit on the same host, where an attempt is cheap and a peer may be short-lived. */
    private static final long LONGEST_LOCAL_NANOS = 100_000_000L;

    private static final long LONGEST_NANOS = 1_000_000_000L;

    private final long longestNanos;
    private long nextNanos = FIRST_NANOS;

    Backoff(boolean local) {
        this.longestNanos = local ? LONGEST_LOCAL_NANOS : LONGEST_NANOS;
    }

    long nextDelayNanos() {
        long delay = nextNanos;
        nextNanos = Math.min(2 * nextNanos, longestNanos);
        return delay - ThreadLocalRandom.current().nextLong(delay / 4);
    }

    void reset() {
        nextNanos = FIRST_NANOS;
    }
}
