package io.metricsaggregator.transport.zmtp;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All connections of a transport: holds them to the connection limit and closes peers that exceed the handshake or stall timeout.
 * Used by the thread that polls.
 */
final class ConnectionTable {
    /** Whether the limit of connections leaves room for another: as it is, after one was closed for it, or not. */
    enum Room {
        FREE,
        MADE,
        NONE
    }

    /** Connections that publishers leave to subscribers; a quarter of the limit where that is less. */
    private static final int SUBSCRIBERS_RESERVED = 8;
    /** Interval of the timeout checks. */
    private static final long CHECK_NANOS = 100_000_000L;

    private final ZmtpContext context;
    private final List<ZmtpConnection> connections = new ArrayList<>();
    private boolean checking;
    private long nextCheckNanos;

    ConnectionTable(ZmtpContext context) {
        this.context = context;
    }

    /**
     * Starts a connection on a connected channel.
     *
     * @param initiator null for an accepted connection
     */
    ZmtpConnection open(
            ZmtpConnection.Owner owner,
            SocketChannel channel,
            String peer,
            ZmtpConnection.@Nullable Initiator initiator)
            throws IOException {
        ZmtpConnection connection = new ZmtpConnection(context, owner, channel, peer, initiator, this::onClosed);
        connections.add(connection);
        owner.connections().add(connection);
        context.watchingPeers = true;
        connection.flushAfterIdle();
        return connection;
    }

    /**
     * Whether the connection limit leaves room for another peer of a socket. At the limit, a connection in its handshake is closed to
     * make room; its file descriptor is free after the next select. Some connections are reserved for subscribers: publishers cannot
     * take them all.
     */
    Room makeRoomForPeer(ZmtpConnection.Owner owner) {
        int max = context.options.connectionsMax();
        boolean full = connections.size() >= max;
        boolean publishers = owner.type() == SocketType.SUB;
        if (publishers && !full) {
            full = owner.connections().size() >= max - Math.min(SUBSCRIBERS_RESERVED, max / 4);
        }
        if (!full) {
            return Room.FREE;
        }
        for (ZmtpConnection connection : publishers ? owner.connections() : connections) {
            if (!connection.isReady()) {
                context.stats.peersTimedOut++;
                connection.close();
                return Room.MADE;
            }
        }
        return Room.NONE;
    }

    private void onClosed(ZmtpConnection connection) {
        connections.remove(connection);
        connection.owner.connections().remove(connection);
        connection.owner.onPeerGone(connection);
        if (connection.initiator != null) {
            connection.initiator.onConnectionClosed();
        }
    }

    /** Runs the timeout checks if they are due; returns when they are due next, {@link Long#MAX_VALUE} if no peer needs them. */
    long checkTimeouts(long nowNanos) {
        if (context.watchingPeers && !checking) {
            checking = true;
            nextCheckNanos = nowNanos + CHECK_NANOS;
        }
        if (checking && nowNanos - nextCheckNanos >= 0) {
            checking = closeOverdue(nowNanos);
            context.watchingPeers = checking;
            nextCheckNanos = nowNanos + CHECK_NANOS;
        }
        return checking ? nextCheckNanos : Long.MAX_VALUE;
    }

    /** Closes overdue peers; returns whether another one is in its handshake or has output waiting. */
    private boolean closeOverdue(long now) {
        boolean someoneSlow = false;
        for (int i = connections.size() - 1; i >= 0; i--) {
            ZmtpConnection connection = connections.get(i);
            if (!connection.isReady()) {
                someoneSlow = true;
                if (now - connection.openedNanos() > context.options.handshakeTimeoutNanos()) {
                    context.stats.peersTimedOut++;
                    context.logOnce("peer disconnected: its handshake timed out");
                    connection.close();
                }
            } else if (connection.hasOutput()) {
                someoneSlow = true;
                if (now - connection.lastProgressNanos(now) > context.options.stallTimeoutNanos()) {
                    context.stats.peersStalled++;
                    context.logOnce("peer disconnected: it read nothing within the stall timeout");
                    connection.close();
                }
            }
        }
        return someoneSlow;
    }

    /** Bytes of incomplete frames, over all connections. */
    long bytesWaiting() {
        long bytes = 0;
        for (int i = 0; i < connections.size(); i++) {
            bytes += connections.get(i).bytesWaiting();
        }
        return bytes;
    }

    /** Connections of publishers and pushers whose output has been written completely. */
    List<ZmtpConnection> flushedSenders() {
        List<ZmtpConnection> senders = new ArrayList<>();
        for (ZmtpConnection connection : connections) {
            if (connection.owner.type() != SocketType.SUB && !connection.hasOutput()) {
                senders.add(connection);
            }
        }
        return senders;
    }
}
