package io.metricsaggregator.transport.zmtp;

import io.metricsaggregator.transport.FrameSink;
import io.metricsaggregator.transport.TransportStats;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** A publisher or pusher: distributes offered frames to the send queues of its peers. */
final class SinkSocket extends ZmtpSocket implements FrameSink {
    /** On closing, time for a peer to subscribe after its handshake. */
    private static final long SUBSCRIBE_GRACE_NANOS = 200_000_000L;

    /**
     * Least time between binding and closing of a publisher with a last frame: a waiting subscriber retries every 100 to 200 ms
     * (libzmq's reconnect interval with its jitter; ours is shorter).
     */
    private static final long WAITING_PEER_GRACE_NANOS = 400_000_000L;

    private final Kind kind;
    private final long queueMaxBytes;
    private final TransportStats stats;
    private final ArrayDeque<ZmtpConnection> offeredTo = new ArrayDeque<>();
    private final ArrayDeque<byte[]> waitingForPeer = new ArrayDeque<>();
    private long waitingBytes;
    private int nextPeer;
    private byte @Nullable [] latest;
    private byte @Nullable [] last;

    SinkSocket(Kind kind, long queueMaxBytes, TransportStats stats) {
        super(kind == Kind.PUSH ? SocketType.PUSH : SocketType.PUB);
        this.kind = kind;
        this.queueMaxBytes = queueMaxBytes;
        this.stats = stats;
    }

    @Override
    public boolean offer(byte[] frame) {
        return switch (kind) {
            case PUSH -> push(frame);
            case PUBLISH_LATEST -> {
                latest = frame;
                for (ZmtpConnection connection : connections) {
                    if (connection.subscriptions.match(frame)) {
                        put(connection, frame);
                    }
                }
                yield true;
            }
            case PUBLISH_QUEUED -> publishQueued(frame);
        };
    }

    private boolean publishQueued(byte[] frame) {
        for (ZmtpConnection connection : connections) {
            Outbox outbox = connection.outbox;
            if (outbox != null && connection.subscriptions.match(frame) && !outbox.hasRoomFor(frame)) {
                return false;
            }
        }
        for (ZmtpConnection connection : connections) {
            if (connection.subscriptions.match(frame)) {
                put(connection, frame);
            }
        }
        return true;
    }

    private boolean push(byte[] frame) {
        int peers = connections.size();
        for (int i = 0; i < peers; i++) {
            ZmtpConnection connection = connections.get((nextPeer + i) % peers);
            Outbox outbox = connection.outbox;
            if (outbox != null && connection.isReady() && outbox.hasRoomFor(frame)) {
                nextPeer = (nextPeer + i + 1) % peers;
                put(connection, frame);
                return true;
            }
        }
        if (waitingBytes > 0 && waitingBytes + frame.length > queueMaxBytes) {
            return false;
        }
        waitingForPeer.add(frame);
        waitingBytes += frame.length;
        return true;
    }

    @Override
    public void offerLast(byte[] frame) {
        latest = null;
        last = frame;
        for (ZmtpConnection connection : connections) {
            Outbox outbox = connection.outbox;
            if (outbox != null && connection.subscriptions.match(frame)) {
                noteOffered(connection);
                outbox.putLast(frame);
            }
        }
    }

    @Override
    public void repeatLast() {
        // A new subscriber receives it in onPeerSubscribed.
    }

    private void put(ZmtpConnection connection, byte[] frame) {
        Outbox outbox = connection.outbox;
        if (outbox == null) {
            return;
        }
        noteOffered(connection);
        if (outbox.put(frame)) {
            stats.framesConflated++;
        }
    }

    private void noteOffered(ZmtpConnection connection) {
        if (!connection.hasOutput()) {
            offeredTo.add(connection);
        }
    }

    @Override
    void flushOffered() {
        // A write that fails removes its connection from those that wait here.
        for (ZmtpConnection next = offeredTo.poll(); next != null; next = offeredTo.poll()) {
            next.flushAfterIdle();
        }
    }

    @Override
    public int peers() {
        int peers = 0;
        for (ZmtpConnection connection : connections) {
            if (connection.isReady() && (kind == Kind.PUSH || !connection.subscriptions.isEmpty())) {
                peers++;
            }
        }
        return peers;
    }

    @Override
    public boolean allAnnounce(String topic) {
        if (kind != Kind.PUBLISH_QUEUED || peers() == 0) {
            return false;
        }
        byte[] prefix = topic.getBytes(StandardCharsets.US_ASCII);
        for (ZmtpConnection connection : connections) {
            if (!connection.subscriptions.isEmpty() && !connection.subscriptions.has(prefix)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean flushed() {
        if (!waitingForPeer.isEmpty()) {
            return false;
        }
        for (ZmtpConnection connection : connections) {
            if (connection.hasOutput()) {
                return false;
            }
        }
        return true;
    }

    @Override
    boolean hasPending(long nowNanos) {
        if (!flushed()) {
            return true;
        }
        for (Listener listener : listeners) {
            if (last != null && nowNanos - listener.boundNanos() < WAITING_PEER_GRACE_NANOS) {
                return true;
            }
        }
        for (ZmtpConnection connection : connections) {
            // The peer connected before the end and may be about to subscribe.
            boolean arriving = !connection.isReady()
                    || (connection.subscriptions.isEmpty()
                            && nowNanos - connection.readyNanos() < SUBSCRIBE_GRACE_NANOS);
            if (arriving && kind != Kind.PUSH && last != null) {
                return true;
            }
        }
        return false;
    }

    @Override
    public Outbox newOutbox() {
        return kind == Kind.PUBLISH_LATEST ? Outbox.ofLatest() : Outbox.queued(queueMaxBytes);
    }

    @Override
    public int initialReceiveBytes() {
        return 2048;
    }

    @Override
    public void onPeerReady(ZmtpConnection connection) {
        if (kind != Kind.PUSH) {
            return;
        }
        while (!waitingForPeer.isEmpty()) {
            byte[] frame = waitingForPeer.remove();
            waitingBytes -= frame.length;
            put(connection, frame);
        }
    }

    @Override
    public void onPeerSubscribed(ZmtpConnection connection, byte[] prefix) {
        byte[] newest = last != null ? last : latest;
        Outbox outbox = connection.outbox;
        if (newest == null || outbox == null || !Subscriptions.matches(prefix, newest)) {
            return;
        }
        noteOffered(connection);
        if (last != null) {
            outbox.putLast(last);
        } else {
            outbox.put(newest);
        }
    }

    @Override
    public void onMessage(ByteBuffer buffer, int start, int length) {}

    @Override
    public void onBurstEnd() {}

    @Override
    public void onPeerGone(ZmtpConnection connection) {
        offeredTo.remove(connection);
    }
}
