package io.metricsaggregator.daemon;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What signals do. TERM and HUP interrupt the run. INT reaches the whole process group when somebody types ^C, so a sidecar
 * leaves it to its parent to end the run; a second one within two seconds, or any in the foreground, interrupts.
 */
final class Signals {
    private static final Logger LOG = LoggerFactory.getLogger(Signals.class);
    private static final long SECOND_INT_NANOS = 2_000_000_000L;

    private final Runnable interrupt;
    private final boolean foreground;
    private long lastIntNanos;
    private boolean intSeen;

    private Signals(Runnable interrupt, boolean foreground) {
        this.interrupt = interrupt;
        this.foreground = foreground;
    }

    /**
     * Starts handling them.
     *
     * @param interrupt called on a thread of the JVM's; must only set a flag
     * @throws IllegalStateException if the JVM was told to keep signals to itself ({@code -Xrs})
     */
    static void handle(Runnable interrupt, boolean foreground) {
        Signals signals = new Signals(interrupt, foreground);
        UnixSignals.handle("TERM", signals::terminate);
        UnixSignals.handle("HUP", signals::terminate);
        UnixSignals.handle("INT", signals::interactive);
    }

    private void terminate() {
        interrupt.run();
    }

    private synchronized void interactive() {
        long now = System.nanoTime();
        boolean second = intSeen && now - lastIntNanos < SECOND_INT_NANOS;
        intSeen = true;
        lastIntNanos = now;
        if (foreground || second) {
            interrupt.run();
        } else {
            LOG.warn("SIGINT ignored: the end of the session ends the run. Once more within 2 s interrupts it");
        }
    }
}
