package io.metricsaggregator.transport.jeromq;

import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.FrameHandler;
import io.metricsaggregator.transport.FrameSink;
import io.metricsaggregator.transport.FrameSource;
import io.metricsaggregator.transport.TransportStats;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.zeromq.ZEvent;
import org.zeromq.ZMQ;

/** One JeroMQ socket as a source or a sink. Used by the thread that polls. */
final class JeromqSocket implements FrameSource, FrameSink {
    private static final int TOPICS_MAX = 16;
    /** Time for the peer to process a subscription; JeroMQ does not report when it has. */
    private static final long SUBSCRIBE_GRACE_NANOS = 200_000_000L;

    /** Age below which a connection may still be half made: the peer's greeting does not prove that ours was sent. */
    private static final long YOUNG_NANOS = 2_000_000_000L;

    final ZMQ.Socket socket;
    final ZMQ.Socket monitor;

    private final Kind kind;
    private final @Nullable FrameHandler handler;
    private final List<Endpoint> endpoints = new ArrayList<>();
    private int toConnect;
    private int connected;
    private long disconnected;
    private int subscriptions;
    /** Subscriptions by topic, of the first {@link #TOPICS_MAX}: a peer may invent any number. */
    private final Map<String, Integer> subscriptionsByTopic = new HashMap<>();

    private long lastConnectNanos;
    private ZapHandler.@Nullable Admitted admitted;
    private byte @Nullable [] waiting;
    private byte @Nullable [] last;
    private long largestFrameBytes;

    JeromqSocket(ZMQ.Socket socket, ZMQ.Socket monitor, Kind kind, @Nullable FrameHandler handler) {
        this.socket = socket;
        this.monitor = monitor;
        this.kind = kind;
        this.handler = handler;
    }

    /** Lets only clients count as peers that were authenticated long enough ago to have subscribed: the greeting comes before that. */
    void admit(ZapHandler.Admitted clients) {
        admitted = clients;
    }

    void attach(Endpoint endpoint) {
        endpoints.add(endpoint);
        if (!endpoint.bind()) {
            toConnect++;
        }
    }

    /** Whether the socket receives: frames, or for a queued publisher subscriptions. */
    boolean receives() {
        return handler != null || kind == Kind.PUBLISH_QUEUED;
    }

    void readMonitor(TransportStats stats) {
        ZEvent event = ZEvent.recv(monitor, ZMQ.DONTWAIT);
        while (event != null) {
            switch (event.getEvent()) {
                case ACCEPTED -> stats.peersAccepted++;
                // JeroMQ 0.6.0 reports no other event of a handshake: this one comes with the greeting, before the keys
                // are
                // checked.
                case HANDSHAKE_PROTOCOL -> {
                    connected++;
                    lastConnectNanos = System.nanoTime();
                }
                case DISCONNECTED -> {
                    connected = Math.max(0, connected - 1);
                    disconnected++;
                }
                default -> {
                    // Other events do not affect the counters.
                }
            }
            event = ZEvent.recv(monitor, ZMQ.DONTWAIT);
        }
    }

    /** Number of accepted connections that ended; 0 for a socket that connects. */
    long disconnectedPeers() {
        return toConnect == 0 ? disconnected : 0;
    }

    int receive(int most, TransportStats stats) {
        if (!receives()) {
            return 0;
        }
        int frames = 0;
        for (int i = 0; i < most; i++) {
            byte[] frame = socket.recv(ZMQ.DONTWAIT);
            if (frame == null) {
                break;
            }
            if (handler == null) {
                noteSubscription(frame);
                continue;
            }
            stats.framesReceived++;
            stats.bytesReceived += frame.length;
            handler.onFrame(ByteBuffer.wrap(frame), 0, frame.length);
            frames++;
        }
        if (handler != null && frames > 0) {
            handler.onBurstEnd();
        }
        return frames;
    }

    private void noteSubscription(byte[] message) {
        if (message.length > 0) {
            subscriptions = message[0] == 1 ? subscriptions + 1 : Math.max(0, subscriptions - 1);
            String topic = new String(message, 1, message.length - 1, StandardCharsets.ISO_8859_1);
            if (subscriptionsByTopic.size() < TOPICS_MAX || subscriptionsByTopic.containsKey(topic)) {
                subscriptionsByTopic.merge(topic, message[0] == 1 ? 1 : -1, Integer::sum);
                subscriptionsByTopic.remove(topic, 0);
            }
        }
    }

    void sendWaiting() {
        byte[] frame = waiting;
        if (frame != null && socket.send(frame, ZMQ.DONTWAIT)) {
            waiting = null;
        }
    }

    boolean isWaiting() {
        return waiting != null;
    }

    @Override
    public List<Endpoint> endpoints() {
        return List.copyOf(endpoints);
    }

    @Override
    public boolean ready() {
        return connected >= toConnect
                && (toConnect == 0 || System.nanoTime() - lastConnectNanos > SUBSCRIBE_GRACE_NANOS);
    }

    /** Whether a connection made by this side is missing or younger than two seconds. */
    boolean isConnecting(long nowNanos) {
        return toConnect > 0 && (connected < toConnect || nowNanos - lastConnectNanos < YOUNG_NANOS);
    }

    @Override
    public int peers() {
        if (kind == Kind.PUBLISH_QUEUED && handler == null) {
            return subscriptions;
        }
        ZapHandler.Admitted clients = admitted;
        boolean known = clients == null || clients.is(connected, SUBSCRIBE_GRACE_NANOS, System.nanoTime());
        return known ? connected : 0;
    }

    @Override
    public boolean allAnnounce(String topic) {
        // Which peer subscribed is unknown, and JeroMQ reports the end of a topic's last subscription only. Both can
        // make the answer no, never yes.
        int announced = subscriptionsByTopic.getOrDefault(topic, 0);
        return kind == Kind.PUBLISH_QUEUED && announced > 0 && subscriptions <= 2 * announced;
    }

    @Override
    public boolean offer(byte[] frame) {
        if (waiting != null) {
            return false;
        }
        largestFrameBytes = Math.max(largestFrameBytes, frame.length);
        boolean sent = socket.send(frame, ZMQ.DONTWAIT);
        if (!sent && kind == Kind.PUSH) {
            waiting = frame;
            return true;
        }
        return sent;
    }

    @Override
    public void offerLast(byte[] frame) {
        last = frame;
        if (!socket.send(frame, ZMQ.DONTWAIT)) {
            waiting = frame;
        }
    }

    /** Whether the final frame was sent to connected peers through a queue of one frame. */
    boolean hasSentLast() {
        return kind == Kind.PUBLISH_LATEST && last != null && connected > 0;
    }

    /** Size of the largest frame that was sent before the final one. */
    long largestFrameBytes() {
        return largestFrameBytes;
    }

    @Override
    public void repeatLast() {
        byte[] frame = last;
        if (frame != null && waiting == null) {
            socket.send(frame, ZMQ.DONTWAIT);
        }
    }

    @Override
    public boolean flushed() {
        return waiting == null;
    }
}
