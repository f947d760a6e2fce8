package io.metricsaggregator.transport.zmtp;

import io.metricsaggregator.transport.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The address that an endpoint connects to. The name of a host is resolved when the endpoint is opened, and again after failures, because a host
 * that was replaced has another address. Later look-ups run on the thread {@code resolve}: they may take seconds. Belongs to the thread that polls.
 */
final class PeerAddress {
    /** Least time between two look-ups. */
    static final long REFRESH_NANOS = 2_000_000_000L;

    /** Looks up the name of a host. */
    interface Resolver {
        /**
         * Returns an address of the host.
         *
         * @throws IOException if the host is unknown
         */
        InetAddress resolve(String host) throws IOException;
    }

    private final Endpoint endpoint;
    private final Resolver resolver;
    private final boolean named;
    private final AtomicBoolean resolving = new AtomicBoolean();
    private volatile SocketAddress current;
    private long refreshedNanos;

    /**
     * Looks up the address.
     *
     * @param nowNanos the monotonic clock
     * @throws IOException if the host is unknown
     */
    PeerAddress(Endpoint endpoint, Resolver resolver, long nowNanos) throws IOException {
        this.endpoint = endpoint;
        this.resolver = resolver;
        this.refreshedNanos = nowNanos;
        boolean ipc = endpoint.scheme() == Endpoint.Scheme.IPC;
        this.named = !ipc && !endpoint.address().matches("[0-9.]+|.*:.*");
        this.current = ipc ? UnixDomainSocketAddress.of(endpoint.address()) : resolve();
    }

    private InetSocketAddress resolve() throws IOException {
        return new InetSocketAddress(resolver.resolve(endpoint.address()), endpoint.port());
    }

    /** The address of the last look-up that succeeded. */
    SocketAddress current() {
        return current;
    }

    /** Whether it is on this host. */
    boolean isLocal() {
        return !(current instanceof InetSocketAddress remote)
                || remote.getAddress().isLoopbackAddress();
    }

    /** Starts to look up the name again after a failure, at most once in 2 s. The address stays as it is while the name cannot be resolved. */
    void refresh(long nowNanos) {
        if (!named || nowNanos - refreshedNanos < REFRESH_NANOS || !resolving.compareAndSet(false, true)) {
            return;
        }
        refreshedNanos = nowNanos;
        Thread thread = new Thread(this::lookUp, "resolve");
        thread.setDaemon(true);
        thread.start();
    }

    private void lookUp() {
        try {
            current = resolve();
        } catch (IOException unknownHost) {
            // The connector tries the former address again, and logs why that fails.
        } finally {
            resolving.set(false);
        }
    }
}
