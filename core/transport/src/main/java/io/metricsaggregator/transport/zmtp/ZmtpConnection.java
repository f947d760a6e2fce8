package io.metricsaggregator.transport.zmtp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One connection: moves bytes between its channel and its protocol engine, in both directions. Used by the thread that polls. */
final class ZmtpConnection implements EngineListener, Selectable {
    /** Reads in a row before other connections get their turn. */
    private static final int READS_PER_TURN = 8;
    /** A peer of ZMTP 3.0 cannot confirm a subscription; it is taken as effective after this time. */
    private static final long UNCONFIRMED_SUBSCRIPTION_NANOS = 500_000_000L;

    /** The socket a connection belongs to. */
    interface Owner {
        SocketType type();

        /** Open connections of this socket. */
        List<ZmtpConnection> connections();

        /** The send queue of a new connection; null for a socket that sends no messages. */
        @Nullable
        Outbox newOutbox();

        /** First size of a connection's receive buffer in bytes. */
        int initialReceiveBytes();

        void onPeerReady(ZmtpConnection connection);

        void onPeerSubscribed(ZmtpConnection connection, byte[] prefix);

        /** Topics to subscribe to beside everything. */
        default List<String> announced() {
            return List.of();
        }

        void onMessage(ByteBuffer buffer, int start, int length);

        void onBurstEnd();

        void onPeerGone(ZmtpConnection connection);
    }

    /** The side that opened a connection actively and opens it again when it is lost. */
    interface Initiator {
        void onReady();

        void onConnectionClosed();
    }

    final Owner owner;
    final @Nullable Initiator initiator;
    final Subscriptions subscriptions = new Subscriptions();
    final @Nullable Outbox outbox;

    private final ZmtpContext context;
    private final Consumer<ZmtpConnection> onClosed;
    private final SocketChannel channel;
    private final SelectionKey key;
    private final ZmtpEngine engine;
    private final ReceiveBuffer received;
    private final String peerName;
    private final long openedNanos;

    private @Nullable ByteBuffer staging;
    private long lastProgressNanos;
    private boolean subscriptionConfirmed;
    private long readyNanos;
    private boolean outputBroken;
    private boolean closed;

    /**
     * Starts the handshake on a connected channel.
     *
     * @param peerName the endpoint, for messages
     * @param initiator null for an accepted connection
     * @param onClosed called once, after the channel is closed
     */
    ZmtpConnection(
            ZmtpContext context,
            Owner owner,
            SocketChannel channel,
            String peerName,
            @Nullable Initiator initiator,
            Consumer<ZmtpConnection> onClosed)
            throws IOException {
        this.context = context;
        this.owner = owner;
        this.channel = channel;
        this.initiator = initiator;
        this.onClosed = onClosed;
        this.peerName = peerName;
        this.outbox = owner.newOutbox();
        this.received = new ReceiveBuffer(context, owner.initialReceiveBytes(), owner.type() == SocketType.SUB);
        this.openedNanos = ZmtpContext.nowNanos();
        this.lastProgressNanos = openedNanos;
        this.engine =
                new ZmtpEngine(owner.type(), context.options.zmtpMinorVersion(), context.options.frameMaxBytes(), this);
        this.key = channel.register(context.selector, SelectionKey.OP_READ, this);
    }

    boolean isReady() {
        return engine.isReady() && !closed;
    }

    /** Bytes received of a frame that is not complete yet. */
    int bytesWaiting() {
        return received.unconsumed();
    }

    boolean isOpen() {
        return !closed;
    }

    long openedNanos() {
        return openedNanos;
    }

    long readyNanos() {
        return readyNanos;
    }

    /** Whether our subscription is in effect: the peer answered the PING sent after it, or half a second has passed since READY. */
    boolean isSubscriptionConfirmed(long nowNanos) {
        return isReady() && (subscriptionConfirmed || nowNanos - readyNanos > UNCONFIRMED_SUBSCRIPTION_NANOS);
    }

    /** When the peer last accepted bytes of the output; {@code nowNanos} if there is no output. */
    long lastProgressNanos(long nowNanos) {
        return hasOutput() ? lastProgressNanos : nowNanos;
    }

    boolean hasOutput() {
        return !outputBroken && (staging != null || engine.hasControl() || (outbox != null && !outbox.isEmpty()));
    }

    @Override
    public void onSelected() {
        try {
            if (key.isReadable()) {
                read();
            }
            if (!closed && key.isWritable()) {
                flush();
            }
        } catch (IOException e) {
            lost(e.getMessage());
        }
    }

    private void read() throws IOException {
        for (int turn = 0; turn < READS_PER_TURN; turn++) {
            if (!received.makeRoom(engine)) {
                engine.abandon(ProtocolError.NO_MEMORY);
                closeForProtocol();
                return;
            }
            int size = received.readFrom(channel);
            if (size <= 0) {
                if (size < 0) {
                    lost("the peer closed it");
                }
                return;
            }
            context.stats.bytesReceived += size;
            received.passTo(engine);
            owner.onBurstEnd();
            if (engine.error() != null) {
                closeForProtocol();
                return;
            }
            if (engine.hasControl()) {
                flush();
            }
            if (!received.filledByLastRead() || closed) {
                return;
            }
        }
    }

    /**
     * Writes output until the peer accepts no more. A failed write does not end a subscriber's connection: the peer may have sent
     * frames before it went away, and these are still read.
     */
    private void flush() {
        try {
            while (!closed && !outputBroken && stage()) {
                ByteBuffer out = staging;
                if (out == null) {
                    return;
                }
                if (channel.write(out) > 0) {
                    lastProgressNanos = ZmtpContext.nowNanos();
                }
                if (out.hasRemaining()) {
                    key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
                    context.watchingPeers = true;
                    return;
                }
                releaseStaging();
            }
        } catch (IOException e) {
            if (owner.type() != SocketType.SUB) {
                lost(e.getMessage());
                return;
            }
            outputBroken = true;
            releaseStaging();
        }
        if (!closed) {
            key.interestOps(SelectionKey.OP_READ);
        }
    }

    /** Fills the staging buffer with control frames and messages; false if there are none. */
    private boolean stage() {
        if (staging != null) {
            return true;
        }
        ByteBuffer out = context.takeStaging();
        if (engine.hasControl()) {
            engine.takeControl(out);
        }
        if (engine.isReady() && outbox != null) {
            outbox.stage(out);
        }
        out.flip();
        if (out.hasRemaining()) {
            staging = out;
            return true;
        }
        context.giveStaging(out);
        return false;
    }

    private void releaseStaging() {
        if (staging != null) {
            context.giveStaging(staging);
            staging = null;
        }
    }

    /** Writes the first output after a pause; the stall timeout starts now. */
    void flushAfterIdle() {
        lastProgressNanos = ZmtpContext.nowNanos();
        if (staging == null) { // With bytes in staging the channel is full, and the selector resumes the writing.
            flush();
        }
    }

    /** Ends the outgoing stream: the peer reads the end after the last byte. */
    void shutdownOutput() {
        try {
            channel.shutdownOutput();
        } catch (IOException e) {
            lost(e.getMessage());
        }
    }

    @Override
    public void onReady() {
        readyNanos = ZmtpContext.nowNanos();
        if (owner.type() == SocketType.SUB) {
            engine.subscribe(new byte[0]);
            for (String topic : owner.announced()) {
                engine.subscribe(topic.getBytes(StandardCharsets.US_ASCII));
            }
            if (engine.speaks31()) {
                engine.ping();
            }
        }
        if (initiator != null) {
            initiator.onReady();
        }
        owner.onPeerReady(this);
    }

    @Override
    public void onMessage(ByteBuffer buffer, int start, int length) {
        context.stats.framesReceived++;
        context.framesThisPoll++;
        owner.onMessage(buffer, start, length);
    }

    @Override
    public void onSubscribe(byte[] prefix) {
        if (!subscriptions.add(prefix)) {
            engine.abandon(ProtocolError.TOO_MANY_SUBSCRIPTIONS);
            return;
        }
        owner.onPeerSubscribed(this, prefix);
    }

    @Override
    public void onCancel(byte[] prefix) {
        subscriptions.remove(prefix);
    }

    @Override
    public void onPong() {
        subscriptionConfirmed = true;
    }

    private void closeForProtocol() {
        ProtocolError error = engine.error();
        context.stats.protocolErrors++;
        if (error != null) {
            context.logOnce(error, peerName, engine.errorDetail());
        }
        close();
    }

    private void lost(@Nullable String why) {
        if (closed) {
            return;
        }
        if (engine.isReady() && received.unconsumed() > 0) {
            context.stats.framesTruncated++;
        }
        if (!engine.isReady()) {
            context.stats.handshakesAborted++;
            if (initiator != null) {
                context.logOnce(
                        "peer closed the connection during the handshake; it may require CURVE",
                        "endpoint=" + peerName);
            }
        }
        context.log.debug("connection lost peer={} cause=\"{}\"", peerName, why);
        close();
    }

    /** Closes the channel at once; unsent output is lost. */
    void close() {
        if (closed) {
            return;
        }
        closed = true;
        key.cancel();
        try {
            channel.close();
        } catch (IOException e) {
            context.log.debug("closing failed peer={} cause={}", peerName, e.getMessage());
        }
        received.release();
        releaseStaging();
        onClosed.accept(this);
    }
}
