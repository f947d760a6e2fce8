package io.metricsaggregator.transport;

import java.io.IOException;
import java.util.function.BooleanSupplier;

/** Polls transports until a condition holds. */
public final class Polling {
    private static final long DEADLINE_NANOS = 20_000_000_000L;

    private Polling() {}

    public static void until(String what, BooleanSupplier condition, Transport... transports) throws IOException {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > DEADLINE_NANOS) {
                throw new AssertionError("not within 20 s: " + what);
            }
            for (Transport transport : transports) {
                transport.poll(transports.length == 1 ? 5_000_000L : 500_000L);
            }
        }
    }

    /** Keeps polling for {@code nanos}, for assertions that something does not happen. */
    public static void during(long nanos, Transport... transports) throws IOException {
        long start = System.nanoTime();
        while (System.nanoTime() - start < nanos) {
            for (Transport transport : transports) {
                transport.poll(1_000_000L);
            }
        }
    }
}
