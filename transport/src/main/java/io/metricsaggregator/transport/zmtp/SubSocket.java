package io.metricsaggregator.transport.zmtp;

import io.metricsaggregator.transport.FrameHandler;
import io.metricsaggregator.transport.FrameSource;
import java.nio.ByteBuffer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A subscriber to everything. */
final class SubSocket extends ZmtpSocket implements FrameSource {
    private final FrameHandler handler;
    private final LongSupplier clock;

    SubSocket(FrameHandler handler, LongSupplier clock) {
        super(SocketType.SUB);
        this.handler = handler;
        this.clock = clock;
    }

    @Override
    public boolean ready() {
        long now = clock.getAsLong();
        for (Connector connector : connectors) {
            if (!connector.isSubscribed(now)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int peers() {
        return (int) connections.stream().filter(ZmtpConnection::isReady).count();
    }

    @Override
    @Nullable
    Outbox newOutbox() {
        return null;
    }

    @Override
    int initialReceiveBytes() {
        return 16 * 1024;
    }

    @Override
    int receiveTargetBytes(int wanted) {
        return wanted;
    }

    @Override
    void onPeerReady(ZmtpConnection connection) {}

    @Override
    void onPeerSubscribed(ZmtpConnection connection, byte[] prefix) {}

    @Override
    void onMessage(ByteBuffer buffer, int start, int length) {
        handler.onFrame(buffer, start, length);
    }

    @Override
    void onBurstEnd() {
        handler.onBurstEnd();
    }

    @Override
    void onPeerGone(ZmtpConnection connection) {}

    @Override
    boolean hasPending(long nowNanos) {
        return false;
    }

    @Override
    void flushOffered() {}
}
