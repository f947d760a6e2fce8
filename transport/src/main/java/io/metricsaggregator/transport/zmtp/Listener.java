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

/** A bound socket that takes connections in. */
final class Listener {
    private static final int BACKLOG = 1024;
    /** How long accepting pauses when the process has no file descriptor left. */
    private static final long PAUSE_NANOS = 250_000_000L;

    private final ZmtpTransport transport;
    private final ZmtpSocket socket;
    private final Endpoint endpoint;
    private final ServerSocketChannel server;
    private final @Nullable IpcBinding ipc;
    private final SelectionKey key;
    private final long boundNanos;
    private long pausedUntilNanos = Long.MAX_VALUE;

    Listener(ZmtpTransport transport, ZmtpSocket socket, Endpoint wanted) throws TransportException {
        this.transport = transport;
        this.socket = socket;
        try {
            if (wanted.scheme() == Endpoint.Scheme.IPC) {
                ipc = IpcBinding.claim(Path.of(wanted.address()), transport.options.insecureSocketDir());
                server = ipc.bind();
                if (ipc.isExposed()) {
                    transport.expose(wanted.uri() + " is in a directory others can write to: they could replace it");
                }
                endpoint = wanted;
            } else {
                ipc = null;
                server = bindTcp(wanted);
                InetSocketAddress bound = (InetSocketAddress) server.getLocalAddress();
                endpoint = new Endpoint(Endpoint.Scheme.TCP, true, wanted.address(), bound.getPort());
                if (!bound.getAddress().isLoopbackAddress()) {
                    transport.expose(
                            endpoint.uri() + " is bound without CURVE: whoever reaches it may publish and read");
                }
            }
            server.configureBlocking(false);
            key = server.register(transport.selector, SelectionKey.OP_ACCEPT, this);
            boundNanos = transport.nowNanos();
        } catch (TransportException e) {
            throw e;
        } catch (IOException e) {
            throw new TransportException(
                    TransportException.Reason.UNAVAILABLE, "cannot bind " + wanted.uri() + ": " + e.getMessage(), e);
        }
    }

    private ServerSocketChannel bindTcp(Endpoint wanted) throws IOException {
        InetAddress address = resolve(wanted.address());
        if (!address.isLoopbackAddress() && !transport.options.insecureBind()) {
            throw new TransportException(
                    TransportException.Reason.UNSAFE,
                    "binding " + wanted.uri() + " would let anyone who reaches this host publish and read. Bind a"
                            + " loopback address, use CURVE keys (--curve-key), or --insecure-bind");
        }
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

    /** When it began to listen. */
    long boundNanos() {
        return boundNanos;
    }

    /** When accepting goes on after a pause; {@link Long#MAX_VALUE} if there is none. */
    long dueNanos() {
        return pausedUntilNanos;
    }

    void onTime(long nowNanos) {
        if (pausedUntilNanos != Long.MAX_VALUE && nowNanos - pausedUntilNanos >= 0) {
            pausedUntilNanos = Long.MAX_VALUE;
            key.interestOps(SelectionKey.OP_ACCEPT);
        }
    }

    void onSelected() {
        try {
            SocketChannel channel = server.accept();
            while (channel != null) {
                take(channel);
                channel = server.accept();
            }
        } catch (IOException e) {
            // Out of file descriptors, mostly: trying again at once would spin.
            transport.logOnce(endpoint.uri(), "cannot accept connections for the moment: " + e.getMessage());
            key.interestOps(0);
            pausedUntilNanos = transport.nowNanos() + PAUSE_NANOS;
        }
    }

    private void take(SocketChannel channel) {
        try {
            if (ipc != null && !transport.peerUser().isAllowed(channel)) {
                transport.stats.peersRejectedUid++;
                transport.logOnce(endpoint.uri(), "refused a process of another user. See --allow-uid");
                channel.close();
                return;
            }
            if (!transport.makeRoomForPeer(socket)) {
                transport.stats.peersRejectedLimit++;
                transport.logOnce(
                        endpoint.uri(),
                        "refused a connection: there are " + transport.options.connectionsMax() + " already");
                channel.close();
                return;
            }
            channel.configureBlocking(false);
            if (ipc == null) {
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            }
            transport.stats.peersAccepted++;
            transport.open(socket, channel, endpoint.uri(), null);
        } catch (IOException e) {
            transport.log.debug("{}: a connection ended while it was taken in: {}", endpoint.uri(), e.getMessage());
            try {
                channel.close();
            } catch (IOException again) {
                transport.log.debug("{}: closing: {}", endpoint.uri(), again.getMessage());
            }
        }
    }

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
            transport.log.debug("{}: closing: {}", endpoint.uri(), e.getMessage());
        }
    }
}
