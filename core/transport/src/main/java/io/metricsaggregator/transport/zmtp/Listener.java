package io.metricsaggregator.transport.zmtp;

import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A bound socket: accepts connections within the limits of users and numbers. Used by the thread that polls. */
final class Listener implements Selectable {
    private static final int BACKLOG = 1024;
    /** Pause after a failed accept, which is mostly a lack of file descriptors. */
    private static final long PAUSE_NANOS = 250_000_000L;

    private final ZmtpContext context;
    private final ConnectionTable connections;
    private final ZmtpConnection.Owner owner;
    private final Endpoint endpoint;
    private final ServerSocketChannel server;
    private final @Nullable IpcBinding ipc;
    private final SelectionKey key;
    private final long boundNanos;
    private long pausedUntilNanos = Long.MAX_VALUE;

    /**
     * Binds and listens.
     *
     * @param wanted port 0 for a free one
     * @throws TransportException if the endpoint cannot be bound or is not safe to bind
     */
    Listener(ZmtpContext context, ConnectionTable connections, ZmtpConnection.Owner owner, Endpoint wanted)
            throws TransportException {
        this.context = context;
        this.connections = connections;
        this.owner = owner;
        try {
            if (wanted.scheme() == Endpoint.Scheme.IPC) {
                ipc = IpcBinding.claim(
                        Path.of(wanted.address()), context.options.socketMode(), context.options.insecureSocketDir());
                server = ipc.bind();
                if (ipc.isExposed()) {
                    context.expose(wanted.uri() + " is in a directory others can write to: they could replace it");
                }
                endpoint = wanted;
            } else {
                ipc = null;
                server = bindTcp(wanted);
                InetSocketAddress bound = (InetSocketAddress) server.getLocalAddress();
                endpoint = new Endpoint(Endpoint.Scheme.TCP, true, wanted.address(), bound.getPort());
                if (!bound.getAddress().isLoopbackAddress()) {
                    context.expose(
                            endpoint.uri() + " is bound without CURVE: anyone who reaches it may publish and read");
                }
            }
            server.configureBlocking(false);
            key = server.register(context.selector, SelectionKey.OP_ACCEPT, this);
            boundNanos = ZmtpContext.nowNanos();
        } catch (TransportException e) {
            throw e;
        } catch (IOException e) {
            throw new TransportException(
                    TransportException.Reason.UNAVAILABLE, "cannot bind " + wanted.uri() + ": " + e.getMessage(), e);
        }
    }

    private ServerSocketChannel bindTcp(Endpoint wanted) throws IOException {
        context.options.requireSafe(wanted);
        InetAddress address = resolve(wanted.address());
        ServerSocketChannel channel = ServerSocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            channel.bind(new InetSocketAddress(address, wanted.port()), BACKLOG);
            return channel;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private static InetAddress resolve(String host) throws UnknownHostException {
        return host.equals("*") ? InetAddress.getByAddress(new byte[4]) : InetAddress.getByName(host);
    }

    Endpoint endpoint() {
        return endpoint;
    }

    /** When the socket was bound. */
    long boundNanos() {
        return boundNanos;
    }

    /** End of the pause in accepting; {@link Long#MAX_VALUE} without a pause. */
    long dueNanos() {
        return pausedUntilNanos;
    }

    /** Resumes accepting when a pause is over. */
    void onTime(long nowNanos) {
        if (pausedUntilNanos != Long.MAX_VALUE && nowNanos - pausedUntilNanos >= 0) {
            pausedUntilNanos = Long.MAX_VALUE;
            key.interestOps(SelectionKey.OP_ACCEPT);
        }
    }

    @Override
    public void onSelected() {
        try {
            // Another peer waits until the descriptor of a connection that was closed for this one is free.
            boolean mayAcceptAnother = true;
            while (mayAcceptAnother) {
                SocketChannel channel = server.accept();
                mayAcceptAnother = channel != null && admit(channel);
            }
        } catch (IOException e) {
            // Mostly a lack of file descriptors: an immediate retry would spin.
            context.logOnce(
                    "cannot accept connections, retrying", "endpoint=" + endpoint.uri() + " cause=" + e.getMessage());
            key.interestOps(0);
            pausedUntilNanos = ZmtpContext.nowNanos() + PAUSE_NANOS;
        }
    }

    /** Returns false if a connection was closed to make room. */
    private boolean admit(SocketChannel channel) {
        try {
            if (ipc != null && !context.peerUser().isAllowed(channel)) {
                context.stats.peersRejectedUid++;
                context.logOnce("process of another user refused, see --allow-uid", "endpoint=" + endpoint.uri());
                channel.close();
                return true;
            }
            ConnectionTable.Room room = connections.makeRoomForPeer(owner);
            if (room == ConnectionTable.Room.NONE) {
                context.stats.peersRejectedLimit++;
                context.logOnce(
                        "connection refused: limit of connections reached",
                        "endpoint=" + endpoint.uri() + " connections_max=" + context.options.connectionsMax());
                channel.close();
                return true;
            }
            channel.configureBlocking(false);
            if (ipc == null) {
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            }
            context.stats.peersAccepted++;
            connections.open(owner, channel, endpoint.uri(), null);
            return room == ConnectionTable.Room.FREE;
        } catch (IOException e) {
            context.log.debug(
                    "connection ended while it was accepted endpoint={} cause={}", endpoint.uri(), e.getMessage());
            try {
                channel.close();
            } catch (IOException again) {
                context.log.debug("closing failed endpoint={} cause={}", endpoint.uri(), again.getMessage());
            }
            return false;
        }
    }

    /** Closes the socket and releases an ipc path; open connections stay. */
    void close() {
        if (!server.isOpen()) {
            return;
        }
        try {
            key.cancel();
            server.close();
            if (ipc != null) {
                ipc.release();
            }
        } catch (IOException e) {
            context.log.debug("closing failed endpoint={} cause={}", endpoint.uri(), e.getMessage());
        }
    }
}
