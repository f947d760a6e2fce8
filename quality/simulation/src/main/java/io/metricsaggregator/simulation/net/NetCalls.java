package io.metricsaggregator.simulation.net;

import io.metricsaggregator.simulation.machine.Machine;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import org.jspecify.annotations.Nullable;

/** What the daemon's classes call in place of the JDK's sockets once they are woven. Runs on a simulated thread. */
public final class NetCalls {
    private static @Nullable Callers callers;

    private NetCalls() {}

    /** Who connects to the process. */
    public interface Callers {

        /** A peer that waits to be accepted; null for none. It is returned once. */
        @Nullable
        Peer accept();

        /** Whether {@link #accept} would return a peer. */
        boolean isWaiting();

        /** When a peer next connects, sends or takes bytes, in virtual nanoseconds; {@link Long#MAX_VALUE} if none does. */
        long nextNanos();
    }

    /** Sets who connects to a new process. */
    public static void begin(Callers to) {
        callers = to;
    }

    static Callers callers() {
        Callers to = callers;
        if (to == null) {
            throw new IllegalStateException("no network is simulated");
        }
        return to;
    }

    public static Selector openSelector() {
        return new PeerSelector(Machine.active());
    }

    public static ServerSocketChannel openServer() {
        return new ListeningChannel();
    }
}
