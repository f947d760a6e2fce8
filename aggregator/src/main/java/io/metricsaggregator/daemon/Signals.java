package io.metricsaggregator.daemon;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles POSIX signals. TERM and HUP interrupt the run. A terminal sends INT to the whole process group, so a sidecar ignores it and its
 * parent decides when the run ends; {@link Interactive} has the alternatives.
 */
public final class Signals {
    private static final Logger LOG = LoggerFactory.getLogger(Signals.class);
    private static final long SECOND_INT_NANOS = 2_000_000_000L;

    /** Effect of SIGINT. */
    public enum Interactive {
        /** Every SIGINT interrupts the run. */
        INTERRUPTS,
        /** The second SIGINT within two seconds interrupts the run. */
        SECOND_INTERRUPTS,
        /** SIGINT never interrupts the run: the daemon's parent decides. */
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
     * Starts to handle TERM, HUP and INT.
     *
     * @param interrupt called on a thread of the JVM; must only set a flag
     * @throws IllegalStateException if the JVM runs with {@code -Xrs}
     */
    public static void handle(Runnable interrupt, Interactive interactive) {
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
            LOG.warn("SIGINT ignored: the run ends with its session. Another SIGINT within 2 s interrupts it");
        } else if (first) {
            LOG.warn("SIGINT ignored: the run ends with its session. SIGTERM interrupts it");
        }
    }
}
