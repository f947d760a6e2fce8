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
import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.LoggerFactory;

/** ZMTP 3 with the NULL mechanism over Unix domain and TCP sockets, all on one selector. */
public final class ZmtpTransport implements Transport {
    private static final long NANOS_PER_MILLI = 1_000_000L;
    private static final long IDLE_NANOS = 3_600_000L * NANOS_PER_MILLI;
    /** On closing, time for peers to read to the end of their stream before the socket is closed. */
    private static final long GOODBYE_NANOS = 250 * NANOS_PER_MILLI;

    private final ZmtpContext context;
    private final ConnectionTable connections;
    private final List<ZmtpSocket> sockets = new ArrayList<>();
    private final Consumer<SelectionKey> dispatch = ZmtpTransport::dispatch;
    private boolean closing;

    public ZmtpTransport(TransportOptions options) throws IOException {
        this.context = new ZmtpContext(options, LoggerFactory.getLogger(ZmtpTransport.class));
        this.connections = new ConnectionTable(context);
    }

    @Override
    public FrameSource openSource(List<Endpoint> endpoints, FrameHandler handler) throws TransportException {
        SubSocket source = new SubSocket(handler);
        attach(source, endpoints);
        return source;
    }

    @Override
    public FrameSink openSink(List<Endpoint> endpoints, FrameSink.Kind kind) throws TransportException {
        SinkSocket sink = new SinkSocket(kind, context.options.sendQueueMaxBytes(), context.stats);
        attach(sink, endpoints);
        return sink;
    }

    private void attach(ZmtpSocket socket, List<Endpoint> endpoints) throws TransportException {
        try {
            for (Endpoint endpoint : endpoints) {
                if (endpoint.bind()) {
                    socket.listeners.add(new Listener(context, connections, socket, endpoint));
                } else {
                    Connector.requireReachable(endpoint);
                    socket.connectors.add(new Connector(context, connections, socket, endpoint));
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
        context.framesThisPoll = 0;
        long now = ZmtpContext.nowNanos();
        long due = runTimers(now);
        for (int i = 0; i < sockets.size(); i++) {
            sockets.get(i).flushOffered();
        }
        long wait = Math.min(timeoutNanos, due - now);
        if (wait <= 0) {
            context.selector.selectNow(dispatch);
        } else {
            context.selector.select(dispatch, Math.max(1, wait / NANOS_PER_MILLI));
        }
        for (int i = 0; i < sockets.size(); i++) {
            sockets.get(i).flushOffered();
        }
        return context.framesThisPoll;
    }

    private static void dispatch(SelectionKey key) {
        if (key.isValid()) {
            ((Selectable) key.attachment()).onSelected();
        }
    }

    /** Runs due timers; returns when the next one is due, at most an hour from now. */
    private long runTimers(long now) {
        long due = now + IDLE_NANOS;
        for (int i = 0; i < sockets.size(); i++) {
            ZmtpSocket socket = sockets.get(i);
            for (int j = 0; j < socket.connectors.size() && !(closing && socket.type() != SocketType.PUSH); j++) {
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
        return Math.min(due, connections.checkTimeouts(now));
    }

    /** Bytes of all receive buffers. */
    long receiveBytesHeld() {
        return context.receiveBytesHeld();
    }

    @Override
    public void wakeup() {
        context.selector.wakeup();
    }

    @Override
    public TransportStats stats() {
        context.stats.bytesWaiting = connections.bytesWaiting();
        return context.stats;
    }

    @Override
    public void close(long lingerNanos) {
        closing = true;
        sockets.stream().filter(socket -> socket.type() == SocketType.SUB).forEach(ZmtpSocket::close);
        try {
            long deadline = ZmtpContext.nowNanos() + lingerNanos;
            while (lingerNanos > 0 && hasPending() && ZmtpContext.nowNanos() - deadline < 0) {
                poll(Math.min(10 * NANOS_PER_MILLI, deadline - ZmtpContext.nowNanos()));
            }
            // A peer that reconnected from here on would receive the last frame twice.
            sockets.forEach(socket -> socket.listeners.forEach(Listener::close));
            sayGoodbye(Math.min(lingerNanos, GOODBYE_NANOS));
        } catch (IOException e) {
            context.log.debug("closing failed cause={}", e.getMessage());
        } finally {
            closeAll();
        }
    }

    private boolean hasPending() {
        long now = ZmtpContext.nowNanos();
        for (ZmtpSocket socket : sockets) {
            if (socket.hasPending(now)) {
                return true;
            }
        }
        return false;
    }

    /** Ends the streams of flushed sinks and waits until their peers closed: a reset could discard data still in flight. */
    private void sayGoodbye(long patienceNanos) throws IOException {
        List<ZmtpConnection> leaving = patienceNanos > 0 ? connections.flushedSenders() : List.of();
        leaving.forEach(ZmtpConnection::shutdownOutput);
        long deadline = ZmtpContext.nowNanos() + patienceNanos;
        while (leaving.stream().anyMatch(ZmtpConnection::isOpen) && ZmtpContext.nowNanos() - deadline < 0) {
            poll(Math.min(10 * NANOS_PER_MILLI, deadline - ZmtpContext.nowNanos()));
        }
    }

    private void closeAll() {
        sockets.forEach(ZmtpSocket::close);
        try {
            context.selector.close();
        } catch (IOException e) {
            context.log.debug("closing failed cause={}", e.getMessage());
        }
    }
}
