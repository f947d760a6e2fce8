package io.metricsaggregator.http;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A peer's connection: it serves one request after the other, reads none while it answers, and is closed when a deadline passes. Belongs to
 * the listener's thread.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a connection that cannot be written to or closed is gone
final class Connection extends ChannelInboundHandlerAdapter {
    /** Time in which a peer whose request was refused may still send, so that its system does not discard the answer. */
    private static final Duration LINGER = Duration.ofSeconds(1);
    /** Number of looks at a stream in the time after which it counts as stalled. */
    private static final int LOOKS = 4;

    private static final Logger LOG = LoggerFactory.getLogger(HttpListener.class);

    private enum Phase {
        IDLE,
        HEAD,
        BODY,
        ANSWER,
        LAST_STREAM,
        CLOSING
    }

    private final ListenerState listener;
    private final HttpLimits limits;
    private final Channel channel;
    private Phase phase = Phase.HEAD;
    private @Nullable Future<?> deadline;
    private @Nullable HttpRequest request;
    private @Nullable ResponseStream stream;
    private ByteArrayOutputStream body = new ByteArrayOutputStream(0);
    private long arrivedNanos;
    private boolean keepAlive;
    private long seenProgress;
    private int stalledLooks;

    Connection(ListenerState listener, Channel channel) {
        this.listener = listener;
        this.limits = listener.limits();
        this.channel = channel;
    }

    Channel channel() {
        return channel;
    }

    /** Runs something on the listener's thread; not at all if the listener is closed, and all connections with it. */
    void onLoop(Runnable action) {
        if (channel.eventLoop().inEventLoop()) {
            action.run();
            return;
        }
        try {
            channel.eventLoop().execute(action);
        } catch (RejectedExecutionException e) {
            channel.close();
        }
    }

    private void within(Duration time, Runnable otherwise) {
        withoutDeadline();
        deadline = channel.eventLoop().schedule(otherwise, time.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void withoutDeadline() {
        if (deadline != null) {
            deadline.cancel(false);
            deadline = null;
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        within(limits.request(), this::abort);
    }

    /** Notes bytes before they are decoded, and among them the first of a request that follows another one. */
    void bytesArrived() {
        arrivedNanos = System.nanoTime();
        if (phase == Phase.IDLE) {
            phase = Phase.HEAD;
            within(limits.request(), this::abort);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        try {
            if (phase == Phase.CLOSING || phase == Phase.LAST_STREAM) {
                return;
            }
            if (message instanceof HttpRequest head) {
                head(head);
            }
            if (message instanceof HttpContent content && phase == Phase.BODY) {
                content(content);
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private void head(HttpRequest head) {
        Guard.Refusal refusal = listener.guard.refusal(head);
        if (refusal != null) {
            refuse(refusal);
            return;
        }
        request = head;
        keepAlive = HttpUtil.isKeepAlive(head);
        phase = Phase.BODY;
        within(limits.request(), this::abort);
        if (HttpUtil.is100ContinueExpected(head)) {
            channel.writeAndFlush(new DefaultFullHttpResponse(
                    HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER));
        }
    }

    private void content(HttpContent content) {
        if (content.decoderResult().isFailure()) {
            refuse(Guard.malformed(content.decoderResult().cause()));
            return;
        }
        int length = content.content().readableBytes();
        if (body.size() + length > limits.bodyBytes()) {
            refuse(listener.guard.tooLarge());
            return;
        }
        if (!listener.reserve(length)) {
            refuse(new Guard.Refusal(503, "too many request bodies arrive at the same time"));
            return;
        }
        body.writeBytes(ByteBufUtil.getBytes(content.content()));
        if (content instanceof LastHttpContent) {
            dispatch();
        }
    }

    private void dispatch() {
        HttpRequest head = Objects.requireNonNull(request);
        byte[] bytes = body.toByteArray();
        forgetRequest();
        withoutDeadline();
        phase = Phase.ANSWER;
        // The next request of the connection waits for the answer to this one.
        channel.config().setAutoRead(false);
        new HttpExchange(this, head, bytes, arrivedNanos).run(listener.handler());
    }

    private void forgetRequest() {
        listener.release(body.size());
        body = new ByteArrayOutputStream(0);
        request = null;
    }

    /** Answers a request that no handler gets, and closes the connection. */
    private void refuse(Guard.Refusal refusal) {
        listener.refused.incrementAndGet();
        forgetRequest();
        byte[] text = (refusal.line() + "\n").getBytes(StandardCharsets.US_ASCII);
        HttpResponse answer = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(refusal.status()), Unpooled.wrappedBuffer(text));
        answer.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, "text/plain; charset=us-ascii")
                .set(HttpHeaderNames.CONTENT_LENGTH, text.length)
                .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        if (refusal.status() == 405) {
            answer.headers().set(HttpHeaderNames.ALLOW, String.join(", ", listener.config.methods()));
        }
        phase = Phase.CLOSING;
        answer(answer);
    }

    /** Sends a whole answer. */
    void answer(HttpResponse answer) {
        listener.addHeaders(answer);
        keepAlive &= HttpUtil.isKeepAlive(answer);
        within(limits.answer(), this::abort);
        complete(answer);
    }

    /** Sends the head of a stream. */
    void stream(HttpResponse head, ResponseStream body, boolean more) {
        listener.addHeaders(head);
        keepAlive &= HttpUtil.isKeepAlive(head);
        stream = body;
        stalledLooks = 0;
        within(limits.stall().dividedBy(LOOKS), this::look);
        channel.writeAndFlush(head, channel.voidPromise());
        if (!more) {
            phase = Phase.LAST_STREAM;
            channel.config().setAutoRead(true);
        }
    }

    /** Closes a stream whose peer takes nothing although something waits for it. */
    private void look() {
        ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer();
        if (waiting == null) {
            return;
        }
        long progress = 31 * waiting.totalPendingWriteBytes() + waiting.currentProgress();
        boolean stalled = waiting.totalPendingWriteBytes() > 0 && progress == seenProgress;
        seenProgress = progress;
        stalledLooks = stalled ? stalledLooks + 1 : 0;
        if (stalledLooks == LOOKS) {
            abort();
        } else {
            within(limits.stall().dividedBy(LOOKS), this::look);
        }
    }

    /** Sends what completes an answer, and continues with the next request or closes the connection. */
    void complete(HttpObject last) {
        ChannelFuture sent = channel.writeAndFlush(last);
        if (phase == Phase.CLOSING) {
            sent.addListener(future -> linger());
        } else if (keepAlive) {
            sent.addListener(future -> next(future.isSuccess()));
        } else {
            sent.addListener(ChannelFutureListener.CLOSE);
        }
    }

    private void next(boolean sent) {
        if (!sent) {
            abort();
            return;
        }
        stream = null;
        phase = Phase.IDLE;
        within(limits.idle(), this::abort);
        channel.config().setAutoRead(true);
    }

    private void linger() {
        within(LINGER, this::abort);
        if (channel instanceof DuplexChannel duplex) {
            duplex.shutdownOutput();
        }
    }

    /** Closes the connection at once. */
    void abort() {
        channel.close();
    }

    /** Notes a failed handler. */
    void failed(Throwable cause) {
        listener.failed(cause);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (stream != null) {
            stream.changed();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        withoutDeadline();
        forgetRequest();
        phase = Phase.CLOSING;
        if (stream != null) {
            stream.closed();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        LOG.debug("connection failed", cause);
        channel.close();
    }
}
