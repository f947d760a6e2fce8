package io.metricsaggregator.daemon;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What signals do. TERM and HUP interrupt the run. INT reaches the whole process group when somebody types ^C, so a sidecar
 * leaves it to its parent to end the run, unless {@link Interactive} says more.
 */
final class Signals {
    private static final Logger LOG = LoggerFactory.getLogger(Signals.class);
    private static final long SECOND_INT_NANOS = 2_000_000_000L;

    /** What SIGINT does. */
    enum Interactive {
        /** Each interrupts the run. */
        INTERRUPTS,
        /** The second one within two seconds does. */
        SECOND_INTERRUPTS,
        /** None does, however many come: the daemon's parent answers for them. */
        IGNORED
    }

    private final Runnable interrupt;
    private final Interactive interactive;
    private long lastIntNanos;
    private boolean intSeen;

    private Signals(Runnable interrupt, Interactive interactive) {
        this.interrupt = interrupt;
        this.interactive = interactive;
    }

    /**
     * Starts handling them.
     *
     * @param interrupt called on a thread of the JVM's; must only set a flag
     * @throws IllegalStateException if the JVM was told to keep signals to itself ({@code -Xrs})
     */
    static void handle(Runnable interrupt, Interactive interactive) {
        Signals signals = new Signals(interrupt, interactive);
        UnixSignals.handle("TERM", signals::terminate);
        UnixSignals.handle("HUP", signals::terminate);
        UnixSignals.handle("INT", signals::interactive);
    }

    private void terminate() {
        interrupt.run();
    }

    private synchronized void interactive() {
        long now = System.nanoTime();
        boolean first = !intSeen;
        boolean second = intSeen && now - lastIntNanos < SECOND_INT_NANOS;
        intSeen = true;
        lastIntNanos = now;
        if (interactive == Interactive.INTERRUPTS || (interactive == Interactive.SECOND_INTERRUPTS && second)) {
            interrupt.run();
        } else if (interactive == Interactive.SECOND_INTERRUPTS) {
            LOG.warn("SIGINT ignored: the end of the session ends the run. Another one within 2 s interrupts it");
        } else if (first) {
            LOG.warn("SIGINT ignored: the end of the session ends the run, and SIGTERM interrupts it");
        }
    }
}
