package io.metricsaggregator.transport.zmtp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** One connected socket: bytes between its channel and its protocol engine, in both directions. */
final class ZmtpConnection implements EngineListener {
    /** The buffer grows to this when reads fill it, whatever the frames need: fewer reads of more bytes. */
    private static final int READ_TARGET_BYTES = 1 << 18;
    /** A buffer that one large frame made larger than this is given back after it. */
    private static final int KEEP_MAX_BYTES = 1 << 22;
    /** Reads in a row before other connections get their turn. */
    private static final int READS_PER_TURN = 8;

    final ZmtpSocket socket;
    final @Nullable Connector connector;
    final Subscriptions subscriptions = new Subscriptions();
    final @Nullable Outbox outbox;

    private final ZmtpTransport transport;
    private final SocketChannel channel;
    private final SelectionKey key;
    private final ZmtpEngine engine;
    private final String peerName;
    private final long openedNanos;

    private ByteBuffer in;
    private int head;
    private int tail;
    private boolean filledByLastRead;
    private @Nullable ByteBuffer staging;
    private long lastProgressNanos;
    private boolean subscriptionConfirmed;
    private long readyNanos;
    private boolean outputBroken;
    private boolean closed;

    ZmtpConnection(
            ZmtpTransport transport,
            ZmtpSocket socket,
            SocketChannel channel,
            String peerName,
            @Nullable Connector connector)
            throws IOException {
        this.transport = transport;
        this.socket = socket;
        this.channel = channel;
        this.connector = connector;
        this.peerName = peerName;
        this.outbox = socket.newOutbox();
        this.in = ByteBuffer.allocateDirect(socket.initialReceiveBytes());
        transport.receiveBytesHeld += in.capacity();
        this.openedNanos = transport.nowNanos();
        this.lastProgressNanos = openedNanos;
        this.engine = new ZmtpEngine(
                socket.type, transport.options.zmtpMinorVersion(), transport.options.frameMaxBytes(), this);
        this.key = channel.register(transport.selector, SelectionKey.OP_READ, this);
    }

    boolean isReady() {
        return engine.isReady() && !closed;
    }

    /** Bytes read that are no whole frame yet. */
    int bytesWaiting() {
        return tail - head;
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

    /** Whether what we subscribed to reaches us: the peer said so, or, if it cannot, half a second has passed. */
    boolean isSubscriptionConfirmed(long nowNanos) {
        return isReady() && (subscriptionConfirmed || nowNanos - readyNanos > 500_000_000L);
    }

    /** When something waiting was last taken by the peer; now if nothing waits. */
    long lastProgressNanos(long nowNanos) {
        return hasOutput() ? lastProgressNanos : nowNanos;
    }

    boolean hasOutput() {
        return !outputBroken && (staging != null || engine.hasControl() || (outbox != null && !outbox.isEmpty()));
    }

    void onSelected() {
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
            if (!makeRoom()) {
                return;
            }
            in.limit(in.capacity()).position(tail);
            int room = in.remaining();
            int size = channel.read(in);
            filledByLastRead = size == room;
            if (size <= 0) {
                if (size < 0) {
                    lost("the peer closed it");
                }
                return;
            }
            transport.stats.bytesReceived += size;
            tail += size;
            head = engine.receive(in, head, tail);
            socket.onBurstEnd();
            if (engine.error() != null) {
                closeForProtocol();
                return;
            }
            if (engine.hasControl()) {
                flush();
            }
            if (size < room || closed) {
                return;
            }
        }
    }

    /** Makes room to read into; false if the connection was closed because there may be no more. */
    private boolean makeRoom() {
        in.limit(in.capacity());
        boolean readMore = filledByLastRead && in.capacity() < socket.receiveTargetBytes(READ_TARGET_BYTES);
        if (head == tail) {
            head = 0;
            tail = 0;
            if (in.capacity() > KEEP_MAX_BYTES) {
                replaceBuffer(READ_TARGET_BYTES);
            } else if (readMore) {
                growTo(2L * in.capacity());
            }
            return true;
        }
        long needed = engine.frameLength(in, head, tail);
        if (readMore || (needed > in.capacity() && tail - head > in.capacity() / 2)) {
            // Doubling what has been filled: memory follows what was received, not what was declared.
            boolean grown = growTo(Math.min(2L * in.capacity(), Math.max(needed, READ_TARGET_BYTES)));
            if (!grown && tail - head == in.capacity()) {
                engine.abandon(ProtocolError.NO_MEMORY);
                closeForProtocol();
                return false;
            }
        }
        if (head > 0 && (needed > in.capacity() - head || in.capacity() - tail < in.capacity() / 4)) {
            in.position(head).limit(tail);
            in.compact();
            tail -= head;
            head = 0;
            in.limit(in.capacity());
        }
        return true;
    }

    /** Whether the buffer has that size now; not if all connections together would hold too much. */
    private boolean growTo(long capacity) {
        if (capacity <= in.capacity()) {
            return capacity == in.capacity();
        }
        if (transport.receiveBytesHeld + capacity - in.capacity() > transport.options.receiveBudgetBytes()) {
            return false;
        }
        replaceBuffer((int) capacity);
        return true;
    }

    private void replaceBuffer(int capacity) {
        ByteBuffer larger = ByteBuffer.allocateDirect(capacity);
        transport.receiveBytesHeld += capacity - in.capacity();
        transport.discarded(in.capacity());
        in.position(head).limit(tail);
        larger.put(in);
        larger.limit(capacity);
        in = larger;
        tail -= head;
        head = 0;
    }

    /**
     * Sends what waits, as far as the peer takes it. A peer that cannot be sent to any more may have sent before it went, so a
     * receiver goes on reading to the end.
     */
    private void flush() {
        try {
            while (!closed && !outputBroken && stage()) {
                ByteBuffer out = staging;
                if (out == null) {
                    return;
                }
                if (channel.write(out) > 0) {
                    lastProgressNanos = transport.nowNanos();
                }
                if (out.hasRemaining()) {
                    key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
                    transport.watchPeers();
                    return;
                }
                releaseStaging();
            }
        } catch (IOException e) {
            if (socket.type != SocketType.SUB) {
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

    /** Gets bytes to be sent together; false if there are none. */
    private boolean stage() {
        if (staging != null) {
            return true;
        }
        ByteBuffer out = transport.takeStaging();
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
        transport.giveStaging(out);
        return false;
    }

    private void releaseStaging() {
        if (staging != null) {
            transport.giveStaging(staging);
            staging = null;
        }
    }

    /** Sends to a peer that had nothing to take before, so that its patience starts now. */
    void flushAfterIdle() {
        lastProgressNanos = transport.nowNanos();
        if (staging == null) { // Otherwise the selector says when it goes on.
            flush();
        }
    }

    /** Says that nothing more will be sent; the peer sees the end after the last byte. */
    void shutdownOutput() {
        try {
            channel.shutdownOutput();
        } catch (IOException e) {
            lost(e.getMessage());
        }
    }

    @Override
    public void onReady() {
        readyNanos = transport.nowNanos();
        if (socket.type == SocketType.SUB) {
            engine.subscribe(new byte[0]);
            if (engine.speaks31()) {
                engine.ping();
            }
        }
        if (connector != null) {
            connector.onReady();
        }
        socket.onPeerReady(this);
    }

    @Override
    public void onMessage(ByteBuffer buffer, int start, int length) {
        transport.stats.framesReceived++;
        transport.framesThisPoll++;
        socket.onMessage(buffer, start, length);
    }

    @Override
    public void onSubscribe(byte[] prefix) {
        if (!subscriptions.add(prefix)) {
            engine.abandon(ProtocolError.TOO_MANY_SUBSCRIPTIONS);
            return;
        }
        socket.onPeerSubscribed(this, prefix);
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
        transport.stats.protocolErrors++;
        if (error != null) {
            transport.logOnce(error, peerName, engine.errorDetail());
        }
        close();
    }

    private void lost(@Nullable String why) {
        if (closed) {
            return;
        }
        if (engine.isReady() && tail > head) {
            transport.stats.framesTruncated++;
        }
        if (!engine.isReady()) {
            transport.stats.handshakesAborted++;
            if (connector != null) {
                transport.logOnce(peerName, "the peer ended the connection during the handshake; does it want CURVE?");
            }
        }
        transport.log.debug("{}: connection lost: {}", peerName, why);
        close();
    }

    /** Closes it now; what waits to be sent is gone. */
    void close() {
        if (closed) {
            return;
        }
        closed = true;
        key.cancel();
        try {
            channel.close();
        } catch (IOException e) {
            transport.log.debug("{}: closing: {}", peerName, e.getMessage());
        }
        transport.receiveBytesHeld -= in.capacity();
        transport.discarded(in.capacity());
        releaseStaging();
        transport.onClosed(this);
    }
}
