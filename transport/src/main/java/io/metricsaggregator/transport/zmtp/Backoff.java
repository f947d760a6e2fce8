package io.metricsaggregator.transport.zmtp;

import java.util.concurrent.ThreadLocalRandom;

/** How long to wait before connecting again: 50 ms at first, doubling to 1 s, each with up to a quarter of jitter off. */
final class Backoff {
    private static final long FIRST_NANOS = 50_000_000L;
    private static final long LONGEST_NANOS = 1_000_000_000L;

    private long nextNanos = FIRST_NANOS;

    long nextDelayNanos() {
        long delay = nextNanos;
        nextNanos = Math.min(2 * nextNanos, LONGEST_NANOS);
        return delay - ThreadLocalRandom.current().nextLong(delay / 4);
    }

    void reset() {
        nextNanos = FIRST_NANOS;
    }
}
