package io.metricsaggregator.transport.zmtp;

import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Keeps one connection to a bound peer: connects, and reconnects with backoff. Used by the thread that polls. */
final class Connector implements Selectable, ZmtpConnection.Initiator {
    private static final long CONNECT_TIMEOUT_NANOS = 5_000_000_000L;

    private final ZmtpContext context;
    private final ConnectionTable connections;
    private final ZmtpConnection.Owner owner;
    private final Endpoint endpoint;
    private final PeerAddress address;
    private final Backoff backoff;

    private long nextAttemptNanos;
    private boolean attempting;
    private boolean everReady;
    /** Why the last attempt failed; null before the first failure and since the last success. */
    private @Nullable String lastFailure;

    private @Nullable SocketChannel connecting;
    private @Nullable ZmtpConnection connection;

    /**
     * Prepares the first attempt; {@link #onTime} makes it.
     *
     * @throws TransportException if the host is unknown
     */
    Connector(ZmtpContext context, ConnectionTable connections, ZmtpConnection.Owner owner, Endpoint endpoint)
            throws TransportException {
        this.context = context;
        this.connections = connections;
        this.owner = owner;
        this.endpoint = endpoint;
        this.nextAttemptNanos = ZmtpContext.nowNanos();
        try {
            this.address = new PeerAddress(endpoint, InetAddress::getByName, nextAttemptNanos);
        } catch (IOException e) {
            throw new TransportException(
                    TransportException.Reason.UNAVAILABLE,
                    "cannot connect to " + endpoint.uri() + ": the host is unknown");
        }
        this.backoff = new Backoff(address.isLocal());
    }

    Endpoint endpoint() {
        return endpoint;
    }

    /** Whether the connection is ready and its subscription in effect. */
    boolean isSubscribed(long nowNanos) {
        return connection != null && connection.isSubscriptionConfirmed(nowNanos);
    }

    /** When the next attempt or its timeout is due; {@link Long#MAX_VALUE} while connected. */
    long dueNanos() {
        return connection != null ? Long.MAX_VALUE : nextAttemptNanos;
    }

    /** Starts an attempt that is due, or ends one that takes too long. */
    void onTime(long nowNanos) {
        if (connection != null || nowNanos - nextAttemptNanos < 0) {
            return;
        }
        if (attempting) {
            failed("it took too long");
            return;
        }
        try {
            boolean ipc = endpoint.scheme() == Endpoint.Scheme.IPC;
            SocketChannel channel = ipc ? SocketChannel.open(StandardProtocolFamily.UNIX) : SocketChannel.open();
            connecting = channel;
            channel.configureBlocking(false);
            attempting = true;
            nextAttemptNanos = nowNanos + CONNECT_TIMEOUT_NANOS;
            if (channel.connect(address.current())) {
                connected();
            } else {
                // ZmtpConnection registers the channel again and so replaces this attachment.
                channel.register(context.selector, SelectionKey.OP_CONNECT, this);
            }
        } catch (IOException e) {
            failed(e.getMessage());
        }
    }

    @Override
    public void onSelected() {
        try {
            SocketChannel channel = connecting;
            if (channel != null && channel.finishConnect()) {
                connected();
            }
        } catch (IOException e) {
            failed(e.getMessage());
        }
    }

    private void connected() throws IOException {
        SocketChannel channel = connecting;
        if (channel == null) {
            return;
        }
        attempting = false;
        connecting = null;
        if (endpoint.scheme() == Endpoint.Scheme.IPC) {
            if (!context.peerUser().isAllowed(channel)) {
                context.stats.peersRejectedUid++;
                context.logOnce(
                        "not connected: a process of another user has bound the socket, see --allow-uid",
                        "endpoint=" + endpoint.uri());
                channel.close();
                failed("another user's process has bound it");
                return;
            }
        } else {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        }
        connection = connections.open(owner, channel, endpoint.uri(), this);
    }

    private void failed(@Nullable String why) {
        // There are up to ten attempts a second: a line is logged only when the reason changes.
        if (!Objects.equals(why, lastFailure)) {
            IpcObstacle obstacle = obstacle(endpoint);
            if (obstacle != null) {
                context.log.warn("cannot connect, retrying endpoint={} cause=\"{}\"", endpoint.uri(), obstacle.cause());
            } else {
                context.log.debug("cannot connect, retrying endpoint={} cause=\"{}\"", endpoint.uri(), why);
            }
            lastFailure = why;
        }
        closeQuietly(connecting);
        connecting = null;
        attempting = false;
        retryLater();
    }

    /**
     * Refuses an endpoint that no attempt can reach.
     *
     * @throws TransportException if something other than a peer that is not there yet keeps this process from connecting
     */
    static void requireReachable(Endpoint endpoint) throws TransportException {
        IpcObstacle obstacle = obstacle(endpoint);
        if (obstacle != null && obstacle.isPermanent()) {
            throw new TransportException(
                    TransportException.Reason.UNAVAILABLE,
                    "cannot connect to " + endpoint.uri() + ": " + obstacle.cause());
        }
    }

    private static @Nullable IpcObstacle obstacle(Endpoint endpoint) {
        return endpoint.scheme() == Endpoint.Scheme.IPC ? IpcObstacle.of(Path.of(endpoint.address())) : null;
    }

    private void retryLater() {
        long now = ZmtpContext.nowNanos();
        address.refresh(now);
        nextAttemptNanos = now + backoff.nextDelayNanos();
    }

    @Override
    public void onReady() {
        backoff.reset();
        lastFailure = null;
        if (everReady) {
            context.stats.reconnects++;
        }
        everReady = true;
    }

    @Override
    public void onConnectionClosed() {
        connection = null;
        retryLater();
    }

    /** Ends an attempt under way and makes no other; an open connection stays. */
    void close() {
        nextAttemptNanos = Long.MAX_VALUE;
        closeQuietly(connecting);
        connecting = null;
    }

    private void closeQuietly(@Nullable SocketChannel channel) {
        if (channel == null) {
            return;
        }
        try {
            channel.close();
        } catch (IOException e) {
            context.log.debug("closing failed endpoint={} cause={}", endpoint.uri(), e.getMessage());
        }
    }
}
