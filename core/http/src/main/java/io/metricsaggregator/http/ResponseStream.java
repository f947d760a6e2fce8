package io.metricsaggregator.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The body of an answer that is sent piece by piece, each at once. A sender that looks at {@link #isWritable} or uses {@link #write} keeps no
 * more in memory than {@link HttpLimits#pendingBytes} and one piece. Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a connection that cannot be written to or closed is gone
public final class ResponseStream {
    private final Connection connection;
    private final Channel channel;
    private final Object drained = new Object();
    private volatile @Nullable Runnable onWritable;
    private volatile @Nullable Runnable onClose;

    ResponseStream(Connection connection) {
        this.connection = connection;
        this.channel = connection.channel();
    }

    /** Whether the peer is still connected, as far as is known: a vanished one shows when something is sent. */
    public boolean isOpen() {
        return channel.isActive();
    }

    /** Whether few enough bytes wait for the peer to send more. */
    public boolean isWritable() {
        return channel.isWritable();
    }

    /** Sends a piece that is not empty, and never waits; a peer that has gone does not get it. The array must not change afterwards. */
    public void send(byte[] piece) {
        channel.writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(piece)), channel.voidPromise());
    }

    /**
     * Sends a piece that is not empty as soon as the stream is writable, and waits for that. Not for the listener's thread.
     *
     * @throws IOException if the peer has gone
     * @throws InterruptedException if the thread is interrupted; the piece was not sent
     */
    public void write(byte[] piece) throws IOException, InterruptedException {
        awaitWritable();
        send(piece);
    }

    /**
     * As {@link #write}, and waits until the piece is with the operating system.
     *
     * @return that time, on the clock of {@link System#nanoTime}
     */
    public long writeOut(byte[] piece) throws IOException, InterruptedException {
        awaitWritable();
        AtomicLong written = new AtomicLong();
        ChannelFuture sent = channel.writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(piece)))
                .addListener(future -> written.set(System.nanoTime()));
        if (!sent.await().isSuccess()) {
            throw new IOException("the peer has closed the connection", sent.cause());
        }
        // Who waits may be woken before the listener has run.
        return written.get() == 0 ? System.nanoTime() : written.get();
    }

    private void awaitWritable() throws IOException, InterruptedException {
        synchronized (drained) {
            while (channel.isActive() && !channel.isWritable()) {
                drained.wait();
            }
        }
        if (!channel.isActive()) {
            throw new IOException("the peer has closed the connection");
        }
    }

    /** Calls back on the listener's thread whenever the stream becomes writable again. */
    public void onWritable(Runnable action) {
        onWritable = action;
    }

    /** Calls back once on the listener's thread when the connection has ended; set on that thread. */
    public void onClose(Runnable action) {
        onClose = action;
    }

    /** Completes the answer. */
    public void end() {
        connection.onLoop(() -> connection.complete(LastHttpContent.EMPTY_LAST_CONTENT));
    }

    /** Closes the connection in the middle of the answer: the peer sees that it is not complete. */
    public void abort() {
        connection.onLoop(connection::abort);
    }

    void changed() {
        synchronized (drained) {
            drained.notifyAll();
        }
        Runnable action = onWritable;
        if (action != null && channel.isActive() && channel.isWritable()) {
            action.run();
        }
    }

    void closed() {
        changed();
        Runnable action = onClose;
        if (action != null) {
            action.run();
        }
    }
}
