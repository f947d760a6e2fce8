package io.metricsaggregator.transport.zmtp;

import java.util.concurrent.ThreadLocalRandom;

/** How long to wait before connecting again: 50 ms at first, doubling to a limit, each with up to a quarter of jitter off. */
final class Backoff {
    private static final long FIRST_NANOS = 50_000_000L;
    /** On the same host an attempt costs next to nothing, and who comes up may not stay long. */
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
