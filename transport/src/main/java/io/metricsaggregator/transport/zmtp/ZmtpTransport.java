package io.metricsaggregator.transport.zmtp;

import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.FrameHandler;
import io.metricsaggregator.transport.FrameSink;
import io.metricsaggregator.transport.FrameSource;
import io.metricsaggregator.transport.Transport;
import io.metricsaggregator.transport.TransportException;
import io.metricsaggregator.transport.TransportOptions;
import io.metricsaggregator.transport.TransportStats;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** ZMTP 3 with the NULL mechanism over Unix domain and TCP sockets, all on one selector. */
public final class ZmtpTransport implements Transport {
    private static final long DISCARDED_MAX_BYTES = 256L << 20;
    /** Connections that publishers leave to subscribers; a quarter of the limit where that is less. */
    private static final int SUBSCRIBERS_RESERVED = 8;

    private static final int STAGING_BYTES = 64 * 1024;
    private static final int STAGING_KEPT = 4;
    private static final long NANOS_PER_MILLI = 1_000_000L;
    /** How often handshakes and stalled peers are looked at. */
    private static final long PATROL_NANOS = 100 * NANOS_PER_MILLI;
    /** How long a peer is given to see the end of the stream before its socket is closed. */
    private static final long GOODBYE_NANOS = 250 * NANOS_PER_MILLI;

    final Logger log = LoggerFactory.getLogger(ZmtpTransport.class);
    final TransportOptions options;
    final TransportStats stats = new TransportStats();
    final Selector selector;
    long receiveBytesHeld;

    private long bytesDiscarded;
    int framesThisPoll;

    private final List<ZmtpSocket> sockets = new ArrayList<>();
    private final List<ZmtpConnection> connections = new ArrayList<>();
    private final ArrayDeque<ByteBuffer> freeStaging = new ArrayDeque<>();
    private final Set<String> logged = new HashSet<>();
    private final Consumer<SelectionKey> dispatch = ZmtpTransport::dispatch;
    private @Nullable PeerUser peerUser;
    private boolean watching;
    private long nextPatrolNanos;
    private boolean closing;

    public ZmtpTransport(TransportOptions options) throws IOException {
        this.options = options;
        this.selector = Selector.open();
    }

    @Override
    public FrameSource openSource(List<Endpoint> endpoints, FrameHandler handler) throws TransportException {
        SubSocket source = new SubSocket(handler, this::nowNanos);
        attach(source, endpoints);
        return source;
    }

    @Override
    public FrameSink openSink(List<Endpoint> endpoints, FrameSink.Kind kind) throws TransportException {
        SinkSocket sink = new SinkSocket(kind, options.sendQueueMaxBytes(), stats);
        attach(sink, endpoints);
        return sink;
    }

    private void attach(ZmtpSocket socket, List<Endpoint> endpoints) throws TransportException {
        try {
            for (Endpoint endpoint : endpoints) {
                if (endpoint.bind()) {
                    socket.listeners.add(new Listener(this, socket, endpoint));
                } else {
                    socket.connectors.add(new Connector(this, socket, endpoint));
                }
            }
        } catch (TransportException e) {
            socket.listeners.forEach(Listener::close);
            throw e;
        }
        sockets.add(socket);
    }

    @Override
    public int poll(long timeoutNanos) throws IOException {
        framesThisPoll = 0;
        long now = nowNanos();
        long due = runTimers(now);
        for (int i = 0; i < sockets.size(); i++) {
            sockets.get(i).flushOffered();
        }
        long wait = Math.min(timeoutNanos, due - now);
        if (wait <= 0) {
            selector.selectNow(dispatch);
        } else {
            selector.select(dispatch, Math.max(1, wait / NANOS_PER_MILLI));
        }
        for (int i = 0; i < sockets.size(); i++) {
            sockets.get(i).flushOffered();
        }
        return framesThisPoll;
    }

    private static void dispatch(SelectionKey key) {
        Object attached = key.attachment();
        if (!key.isValid()) {
            return;
        }
        if (attached instanceof ZmtpConnection connection) {
            connection.onSelected();
        } else if (attached instanceof Listener listener) {
            listener.onSelected();
        } else if (attached instanceof Connector connector) {
            connector.onSelected();
        }
    }

    /** Does what is due; answers when something is due next. */
    private long runTimers(long now) {
        long due = now + 3_600_000L * NANOS_PER_MILLI;
        for (int i = 0; i < sockets.size(); i++) {
            ZmtpSocket socket = sockets.get(i);
            for (int j = 0; j < socket.connectors.size() && !(closing && socket.type != SocketType.PUSH); j++) {
                Connector connector = socket.connectors.get(j);
                connector.onTime(now);
                due = Math.min(due, connector.dueNanos());
            }
            for (int j = 0; j < socket.listeners.size(); j++) {
                Listener listener = socket.listeners.get(j);
                listener.onTime(now);
                due = Math.min(due, listener.dueNanos());
            }
        }
        if (watching && now - nextPatrolNanos >= 0) {
            watching = patrol(now);
            nextPatrolNanos = now + PATROL_NANOS;
        }
        return watching ? Math.min(due, nextPatrolNanos) : due;
    }

    /** Closes peers that take too long; answers whether there is one to keep an eye on. */
    private boolean patrol(long now) {
        boolean someoneSlow = false;
        for (int i = connections.size() - 1; i >= 0; i--) {
            ZmtpConnection connection = connections.get(i);
            if (!connection.isReady()) {
                someoneSlow = true;
                if (now - connection.openedNanos() > options.handshakeTimeoutNanos()) {
                    stats.peersTimedOut++;
                    logOnce("peers", "a peer did not finish its handshake in time and was disconnected");
                    connection.close();
                }
            } else if (connection.hasOutput()) {
                someoneSlow = true;
                if (now - connection.lastProgressNanos(now) > options.stallTimeoutNanos()) {
                    stats.peersStalled++;
                    logOnce("peers", "a peer took nothing of what waited for it and was disconnected");
                    connection.close();
                }
            }
        }
        return someoneSlow;
    }

    /** There is a peer that has something to do in time. */
    void watchPeers() {
        if (!watching) {
            watching = true;
            nextPatrolNanos = nowNanos() + PATROL_NANOS;
        }
    }

    ZmtpConnection open(ZmtpSocket socket, SocketChannel channel, String peer, @Nullable Connector connector)
            throws IOException {
        ZmtpConnection connection = new ZmtpConnection(this, socket, channel, peer, connector);
        connections.add(connection);
        socket.connections.add(connection);
        watchPeers();
        connection.flushAfterIdle();
        return connection;
    }

    /**
     * Whether one more peer of a socket may connect; at the limit, one that never got ready has to go. Some of the connections are kept for
     * subscribers: publishers cannot take them all.
     */
    boolean makeRoomForPeer(ZmtpSocket socket) {
        int max = options.connectionsMax();
        boolean full = connections.size() >= max;
        boolean publishers = socket instanceof SubSocket;
        if (publishers && !full) {
            full = socket.connections.size() >= max - Math.min(SUBSCRIBERS_RESERVED, max / 4);
        }
        if (!full) {
            return true;
        }
        for (ZmtpConnection connection : publishers ? socket.connections : connections) {
            if (!connection.isReady()) {
                stats.peersTimedOut++;
                connection.close();
                return true;
            }
        }
        return false;
    }

    void onClosed(ZmtpConnection connection) {
        connections.remove(connection);
        connection.socket.connections.remove(connection);
        connection.socket.onPeerGone(connection);
        if (connection.connector != null) {
            connection.connector.onConnectionClosed();
        }
    }

    PeerUser peerUser() throws IOException {
        if (peerUser == null) {
            peerUser = new PeerUser(options.allowedUids());
        }
        return peerUser;
    }

    /** Logs the first of a kind; all are counted. */
    void logOnce(ProtocolError error, String peer, String detail) {
        if (logged.add(error.name())) {
            log.warn("{}: closed a connection: {}{}", peer, error.text(), detail.isEmpty() ? "" : " (" + detail + ")");
        }
    }

    void logOnce(String where, String what) {
        if (logged.add(what)) {
            log.warn("{}: {}", where, what);
        }
    }

    /** Says that others can reach what is bound here, as was asked for. */
    void expose(String what) {
        stats.exposures.add(what);
        log.warn("{}", what);
    }

    ByteBuffer takeStaging() {
        ByteBuffer buffer = freeStaging.poll();
        return buffer == null ? ByteBuffer.allocateDirect(STAGING_BYTES) : buffer;
    }

    void giveStaging(ByteBuffer buffer) {
        if (freeStaging.size() < STAGING_KEPT) {
            buffer.clear();
            freeStaging.push(buffer);
        }
    }

    long nowNanos() {
        return System.nanoTime();
    }

    @Override
    public void wakeup() {
        selector.wakeup();
    }

    @Override
    public TransportStats stats() {
        stats.bytesWaiting = 0;
        for (int i = 0; i < connections.size(); i++) {
            stats.bytesWaiting += connections.get(i).bytesWaiting();
        }
        return stats;
    }

    /**
     * Memory outside the heap is no longer used. It goes back when the collector finds out, which on a heap where little happens
     * may be never: when much has come together, it is told to look.
     */
    void discarded(long bytes) {
        bytesDiscarded += bytes;
        if (bytesDiscarded > DISCARDED_MAX_BYTES) {
            bytesDiscarded = 0;
            System.gc();
        }
    }

    @Override
    public void close(long lingerNanos) {
        closing = true;
        sockets.stream().filter(SubSocket.class::isInstance).forEach(this::close);
        try {
            long deadline = nowNanos() + lingerNanos;
            while (lingerNanos > 0 && hasPending() && nowNanos() - deadline < 0) {
                poll(Math.min(10 * NANOS_PER_MILLI, deadline - nowNanos()));
            }
            // Nobody may come back now, or it would be told the end twice.
            sockets.forEach(socket -> socket.listeners.forEach(Listener::close));
            sayGoodbye(Math.min(lingerNanos, GOODBYE_NANOS));
        } catch (IOException e) {
            log.debug("closing: {}", e.getMessage());
        } finally {
            closeAll();
        }
    }

    private boolean hasPending() {
        long now = nowNanos();
        for (ZmtpSocket socket : sockets) {
            if (socket.hasPending(now)) {
                return true;
            }
        }
        return false;
    }

    /** Ends each sink's stream and waits until its peers have read to the end: a reset could take data with it. */
    private void sayGoodbye(long patienceNanos) throws IOException {
        List<ZmtpConnection> leaving = new ArrayList<>();
        for (ZmtpConnection connection : connections) {
            if (patienceNanos > 0 && connection.socket.type != SocketType.SUB && !connection.hasOutput()) {
                leaving.add(connection);
            }
        }
        leaving.forEach(ZmtpConnection::shutdownOutput);
        long deadline = nowNanos() + patienceNanos;
        while (leaving.stream().anyMatch(ZmtpConnection::isOpen) && nowNanos() - deadline < 0) {
            poll(Math.min(10 * NANOS_PER_MILLI, deadline - nowNanos()));
        }
    }

    private void close(ZmtpSocket socket) {
        socket.listeners.forEach(Listener::close);
        socket.connectors.forEach(Connector::close);
        List.copyOf(socket.connections).forEach(ZmtpConnection::close);
    }

    private void closeAll() {
        sockets.forEach(this::close);
        try {
            selector.close();
        } catch (IOException e) {
            log.debug("closing: {}", e.getMessage());
        }
    }
}
