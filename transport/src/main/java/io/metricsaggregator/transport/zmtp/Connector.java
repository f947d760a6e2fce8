package io.metricsaggregator.transport.zmtp;

import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Keeps one connection to a bound peer: connects, and connects again when it is lost. */
final class Connector {
    private static final long CONNECT_TIMEOUT_NANOS = 5_000_000_000L;

    private final ZmtpTransport transport;
    private final ZmtpSocket socket;
    private final Endpoint endpoint;
    private final SocketAddress address;
    private final Backoff backoff;

    private long nextAttemptNanos;
    private boolean attempting;
    private boolean everReady;
    /** Why the last attempt failed; null before the first failure and since the last success. */
    private @Nullable String lastFailure;

    private @Nullable SocketChannel connecting;
    private @Nullable ZmtpConnection connection;

    Connector(ZmtpTransport transport, ZmtpSocket socket, Endpoint endpoint) throws TransportException {
        this.transport = transport;
        this.socket = socket;
        this.endpoint = endpoint;
        this.address = endpoint.scheme() == Endpoint.Scheme.IPC
                ? UnixDomainSocketAddress.of(endpoint.address())
                : new InetSocketAddress(endpoint.address(), endpoint.port());
        this.nextAttemptNanos = transport.nowNanos();
        this.backoff = new Backoff(!(address instanceof InetSocketAddress remote)
                || (!remote.isUnresolved() && remote.getAddress().isLoopbackAddress()));
        if (address instanceof InetSocketAddress inet && inet.isUnresolved()) {
            throw new TransportException(
                    TransportException.Reason.UNAVAILABLE,
                    "cannot connect to " + endpoint.uri() + ": the host is unknown");
        }
    }

    Endpoint endpoint() {
        return endpoint;
    }

    boolean isSubscribed(long nowNanos) {
        return connection != null && connection.isSubscriptionConfirmed(nowNanos);
    }

    /** When there is something to do next; {@link Long#MAX_VALUE} if nothing. */
    long dueNanos() {
        return connection != null ? Long.MAX_VALUE : nextAttemptNanos;
    }

    /** Connects if it is time to. */
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
            if (channel.connect(address)) {
                connected();
            } else {
                // The connection registers the channel again, which replaces this attachment by itself.
                channel.register(transport.selector, SelectionKey.OP_CONNECT, this);
            }
        } catch (IOException e) {
            failed(e.getMessage());
        }
    }

    void onSelected() {
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
            if (!transport.peerUser().isAllowed(channel)) {
                transport.stats.peersRejectedUid++;
                transport.logOnce(
                        endpoint.uri(), "is served by another user's process; not connected. See --allow-uid");
                channel.close();
                failed("it is another user's");
                return;
            }
        } else {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        }
        connection = transport.open(socket, channel, endpoint.uri(), this);
    }

    private void failed(@Nullable String why) {
        // Attempts follow each other every 100 ms: only a new reason is worth a line.
        if (!Objects.equals(why, lastFailure)) {
            transport.log.debug("{}: cannot connect, trying again until it works: {}", endpoint.uri(), why);
            lastFailure = why;
        }
        closeQuietly(connecting);
        connecting = null;
        attempting = false;
        nextAttemptNanos = transport.nowNanos() + backoff.nextDelayNanos();
    }

    void onReady() {
        backoff.reset();
        lastFailure = null;
        if (everReady) {
            transport.stats.reconnects++;
        }
        everReady = true;
    }

    void onConnectionClosed() {
        connection = null;
        nextAttemptNanos = transport.nowNanos() + backoff.nextDelayNanos();
    }

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
            transport.log.debug("{}: closing: {}", endpoint.uri(), e.getMessage());
        }
    }
}
