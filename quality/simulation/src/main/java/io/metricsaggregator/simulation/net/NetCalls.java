package io.metricsaggregator.simulation.net;

import io.metricsaggregator.simulation.machine.Machine;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the daemon's classes call in place of the JDK's sockets once they are woven. Runs on a simulated thread. */
public final class NetCalls {
    private static final Map<Integer, Callers> CALLERS = new TreeMap<>();

    private NetCalls() {}

    /** Who connects to a port of the process. */
    public interface Callers {

        /** A peer that waits to be accepted; null for none. It is returned once. */
        @Nullable
        Peer accept();

        /** Whether {@link #accept} would return a peer. */
        boolean isWaiting();

        /** When a peer next connects, sends or takes bytes, in virtual nanoseconds; {@link Long#MAX_VALUE} if none does. */
        long nextNanos();
    }

    /** A new process has no callers. */
    public static void begin() {
        CALLERS.clear();
    }

    /** Sets who connects to a port of the process. */
    public static void begin(int port, Callers to) {
        CALLERS.put(port, to);
    }

    static Callers callers(int port) {
        Callers to = CALLERS.get(port);
        if (to == null) {
            throw new IllegalStateException("no network is simulated at port " + port);
        }
        return to;
    }

    /** When a peer of any port next does something, in virtual nanoseconds. */
    public static long nextNanos() {
        long next = Long.MAX_VALUE;
        for (Callers each : CALLERS.values()) {
            next = Math.min(next, each.nextNanos());
        }
        return next;
    }

    public static Selector openSelector() {
        return new PeerSelector(Machine.active());
    }

    public static ServerSocketChannel openServer() {
        return new ListeningChannel();
    }
}
