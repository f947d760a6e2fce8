package io.metricsaggregator.transport.zmtp;

import io.metricsaggregator.transport.FrameHandler;
import io.metricsaggregator.transport.FrameSource;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A subscriber to all messages: passes them to a handler. */
final class SubSocket extends ZmtpSocket implements FrameSource {
    private final FrameHandler handler;

    SubSocket(FrameHandler handler) {
        super(SocketType.SUB);
        this.handler = handler;
    }

    @Override
    public List<String> announced() {
        return handler.announced();
    }

    @Override
    public boolean ready() {
        long now = ZmtpContext.nowNanos();
        for (Connector connector : connectors) {
            if (!connector.isSubscribed(now)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int peers() {
        int ready = 0;
        for (ZmtpConnection connection : connections) {
            ready += connection.isReady() ? 1 : 0;
        }
        return ready;
    }

    @Override
    public @Nullable Outbox newOutbox() {
        return null;
    }

    @Override
    public int initialReceiveBytes() {
        return 16 * 1024;
    }

    @Override
    public void onPeerReady(ZmtpConnection connection) {}

    @Override
    public void onPeerSubscribed(ZmtpConnection connection, byte[] prefix) {}

    @Override
    public void onMessage(ByteBuffer buffer, int start, int length) {
        handler.onFrame(buffer, start, length);
    }

    @Override
    public void onBurstEnd() {
        handler.onBurstEnd();
    }

    @Override
    public void onPeerGone(ZmtpConnection connection) {}

    @Override
    boolean hasPending(long nowNanos) {
        return false;
    }

    @Override
    void flushOffered() {}
}
