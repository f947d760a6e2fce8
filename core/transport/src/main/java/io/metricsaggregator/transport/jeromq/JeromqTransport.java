package io.metricsaggregator.transport.jeromq;

import io.metricsaggregator.transport.CurveKeys;
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
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;
import zmq.Msg;

/**
 * JeroMQ's tcp sockets, with CURVE if keys are given. Without keys they serve tests and measurements only: our own peer serves plain
 * tcp.
 *
 * <p>Hardened: before a peer is authenticated, JeroMQ 0.6.0 allocates whatever length a frame header declares and spins on a negative
 * one. A maximum message size prevents the former, an allocator that returns empty messages the latter.
 */
public final class JeromqTransport implements Transport {
    private static final Logger LOG = LoggerFactory.getLogger(JeromqTransport.class);
    private static final int FRAMES_PER_TURN = 1000;
    private static final int HIGH_WATER_MARK = 1000;
    private static final long NANOS_PER_MILLI = 1_000_000L;
    /** Poll interval while connections are being made, in milliseconds. */
    private static final long CONNECTING_MILLIS = 50;
    /**
     * Longest time for JeroMQ's threads to take the final frames over. The queue of a {@code PUBLISH_LATEST} socket holds one frame, and
     * the end of the connection, put into it by closing, replaces a frame that is still there, whatever the linger.
     */
    private static final long TAKE_LAST_NANOS = 500_000_000L;
    /** The same for each byte of a frame before it that is still being encrypted: a busy machine, before the code is compiled. */
    private static final long ENCRYPT_NANOS_PER_BYTE = 500;

    private final TransportOptions options;
    private final TransportStats stats = new TransportStats();
    private final ZContext context = new ZContext(1);
    private final LostConnection lost = new LostConnection(context);
    private final Pipe wakeups;
    private final List<JeromqSocket> sockets = new ArrayList<>();
    private final @Nullable ZapHandler zap;
    private ZMQ.Poller poller;
    private boolean closed;

    public JeromqTransport(TransportOptions options) throws IOException {
        this.options = options;
        this.wakeups = Pipe.open();
        wakeups.source().configureBlocking(false);
        wakeups.sink().configureBlocking(false);
        CurveKeys keys = options.curve();
        this.zap = keys == null ? null : new ZapHandler(context, keys.allowedClients(), stats);
        this.poller = newPoller();
    }

    @Override
    public FrameSource openSource(List<Endpoint> endpoints, FrameHandler handler) throws TransportException {
        ZMQ.Socket socket = newSocket(SocketType.SUB);
        socket.subscribe(new byte[0]);
        for (String topic : handler.announced()) {
            socket.subscribe(topic.getBytes(StandardCharsets.US_ASCII));
        }
        return add(new JeromqSocket(socket, monitor(socket), FrameSink.Kind.PUBLISH_LATEST, handler), endpoints);
    }

    @Override
    public FrameSink openSink(List<Endpoint> endpoints, FrameSink.Kind kind) throws TransportException {
        ZMQ.Socket socket = switch (kind) {
            case PUBLISH_LATEST -> newSocket(SocketType.PUB);
            case PUBLISH_QUEUED -> newSocket(SocketType.XPUB);
            case PUSH -> newSocket(SocketType.PUSH);
        };
        switch (kind) {
            case PUBLISH_LATEST -> socket.setConflate(true);
            case PUBLISH_QUEUED -> {
                socket.setXpubNoDrop(true);
                socket.setXpubVerbose(true);
            }
            case PUSH -> {
                // JeroMQ queues pushed frames until a peer connects.
            }
        }
        return add(new JeromqSocket(socket, monitor(socket), kind, null), endpoints);
    }

    private JeromqSocket add(JeromqSocket added, List<Endpoint> endpoints) throws TransportException {
        for (Endpoint endpoint : endpoints) {
            added.attach(attach(added, endpoint));
        }
        sockets.add(added);
        poller.close();
        poller = newPoller();
        return added;
    }

    private ZMQ.Poller newPoller() {
        ZMQ.Poller fresh = context.createPoller(2 * sockets.size() + 2);
        fresh.register(wakeups.source(), ZMQ.Poller.POLLIN);
        if (zap != null) {
            fresh.register(zap.socket(), ZMQ.Poller.POLLIN);
        }
        for (JeromqSocket socket : sockets) {
            fresh.register(socket.monitor, ZMQ.Poller.POLLIN);
            if (socket.receives()) {
                fresh.register(socket.socket, ZMQ.Poller.POLLIN);
            }
        }
        return fresh;
    }

    private ZMQ.Socket newSocket(SocketType type) {
        ZMQ.Socket socket = context.createSocket(type);
        int most = (int) options.frameMaxBytes();
        socket.setMaxMsgSize(most);
        socket.setMsgAllocator(size -> size < 0 || size > most ? new Msg(0) : new Msg(size));
        socket.setHandshakeIvl((int) (options.handshakeTimeoutNanos() / NANOS_PER_MILLI));
        socket.setReconnectIVL(50);
        socket.setReconnectIVLMax(1000);
        socket.setSndHWM(HIGH_WATER_MARK);
        // With CURVE, JeroMQ 0.6.0 delivers a frame still encrypted when a full queue makes it retry. An unbounded
        // queue is
        // never full, and only clients with an allowed key can fill it.
        socket.setRcvHWM(options.curve() == null ? HIGH_WATER_MARK : 0);
        return socket;
    }

    private ZMQ.Socket monitor(ZMQ.Socket socket) {
        String address = "inproc://monitor-" + sockets.size() + "-" + socket.hashCode();
        socket.monitor(address, ZMQ.EVENT_ALL);
        ZMQ.Socket monitor = context.createSocket(SocketType.PAIR);
        monitor.connect(address);
        return monitor;
    }

    private Endpoint attach(JeromqSocket added, Endpoint endpoint) throws TransportException {
        ZMQ.Socket socket = added.socket;
        if (endpoint.scheme() != Endpoint.Scheme.TCP) {
            throw unavailable(endpoint, "JeroMQ's ipc is not ZeroMQ's; this transport serves tcp only");
        }
        options.requireSafe(endpoint);
        secure(added, endpoint);
        if (!endpoint.bind()) {
            socket.connect(endpoint.uri());
            return endpoint;
        }
        try {
            int port = endpoint.port();
            if (port == 0) {
                port = socket.bindToRandomPort("tcp://" + endpoint.address());
            } else if (!socket.bind(endpoint.uri())) {
                throw unavailable(endpoint, "the operating system refused it");
            }
            return new Endpoint(Endpoint.Scheme.TCP, true, endpoint.address(), port);
        } catch (org.zeromq.ZMQException e) {
            throw unavailable(endpoint, String.valueOf(e.getMessage()));
        }
    }

    private void secure(JeromqSocket added, Endpoint endpoint) throws TransportException {
        ZMQ.Socket socket = added.socket;
        CurveKeys keys = options.curve();
        if (keys == null) {
            return;
        }
        socket.setCurvePublicKey(keys.publicKey().getBytes(StandardCharsets.US_ASCII));
        socket.setCurveSecretKey(keys.secretKey().getBytes(StandardCharsets.US_ASCII));
        if (endpoint.bind()) {
            String domain = "metrics-" + sockets.size();
            socket.setZAPDomain(domain);
            if (zap != null && !added.receives()) {
                added.admit(zap.admitted(domain));
            }
            socket.setCurveServer(true);
        } else {
            String serverKey = keys.serverKey();
            if (serverKey == null) {
                throw unavailable(endpoint, "CURVE needs the server's public key (--curve-server-key)");
            }
            socket.setCurveServerKey(serverKey.getBytes(StandardCharsets.US_ASCII));
        }
    }

    private static TransportException unavailable(Endpoint endpoint, String why) {
        return new TransportException(
                TransportException.Reason.UNAVAILABLE,
                "cannot " + (endpoint.bind() ? "bind " : "connect to ") + endpoint.uri() + ": " + why);
    }

    @Override
    public int poll(long timeoutNanos) throws IOException {
        long millis = timeoutNanos <= 0 ? 0 : Math.max(1, timeoutNanos / NANOS_PER_MILLI);
        boolean waiting = false;
        for (JeromqSocket socket : sockets) {
            socket.sendWaiting();
            waiting |= socket.isWaiting();
        }
        long now = System.nanoTime();
        boolean connecting = false;
        for (JeromqSocket socket : sockets) {
            connecting |= socket.isConnecting(now);
        }
        lost.lookAfter(connecting, now);
        poller.poll(waiting ? Math.min(millis, 5) : connecting ? Math.min(millis, CONNECTING_MILLIS) : millis);
        ByteBuffer swallowed = ByteBuffer.allocate(64);
        while (wakeups.source().read(swallowed) > 0) {
            swallowed.clear();
        }
        if (zap != null) {
            zap.answerAll();
        }
        int frames = 0;
        for (JeromqSocket socket : sockets) {
            socket.readMonitor(stats);
            frames += socket.receive(FRAMES_PER_TURN, stats);
        }
        if (zap != null) {
            countAbortedHandshakes(zap);
        }
        return frames;
    }

    /**
     * Counts ended connections in excess of those that proved a key: peers without CURVE or with a wrong server key. A lower bound,
     * because JeroMQ does not report which connection ended.
     */
    private void countAbortedHandshakes(ZapHandler authenticated) {
        long ended = -authenticated.answered();
        for (JeromqSocket socket : sockets) {
            ended += socket.disconnectedPeers();
        }
        if (ended > stats.handshakesAborted) {
            if (stats.handshakesAborted == 0) {
                LOG.warn(
                        "handshake aborted: the peer has no CURVE or a wrong server key. Further ones are only counted");
            }
            stats.handshakesAborted = ended;
        }
    }

    @Override
    public void wakeup() {
        try {
            wakeups.sink().write(ByteBuffer.wrap(new byte[1]));
        } catch (IOException e) {
            // A closed pipe means that the transport is closed and no poll waits.
            return;
        }
    }

    @Override
    public TransportStats stats() {
        return stats;
    }

    @Override
    public void close(long lingerNanos) {
        if (closed) {
            return;
        }
        closed = true;
        sockets.forEach(JeromqSocket::sendWaiting);
        long restNanos = lingerNanos;
        if (lingerNanos > 0) {
            // JeroMQ writes meanwhile, too, so little of the linger is needed afterwards.
            long pauseNanos = Math.min(
                    lingerNanos - lingerNanos / 10,
                    sockets.stream().mapToLong(this::takeLastNanos).max().orElse(0));
            pause(pauseNanos);
            restNanos -= pauseNanos;
        }
        int restMillis = (int) (restNanos / NANOS_PER_MILLI);
        for (JeromqSocket socket : sockets) {
            socket.socket.setLinger(restMillis);
        }
        poller.close();
        context.setLinger(restMillis);
        context.close();
        try {
            wakeups.sink().close();
            wakeups.source().close();
        } catch (IOException e) {
            // The pipe only carried wakeups.
            return;
        }
    }

    private long takeLastNanos(JeromqSocket socket) {
        if (!socket.hasSentLast()) {
            return 0;
        }
        return TAKE_LAST_NANOS + (options.curve() == null ? 0 : socket.largestFrameBytes() * ENCRYPT_NANOS_PER_BYTE);
    }

    private static void pause(long nanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
