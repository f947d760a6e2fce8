package io.metricsaggregator.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.flow.FlowControlHandler;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * An HTTP/1.1 listener with one thread. It parses requests, enforces {@link HttpLimits}, and refuses what is ambiguous or addressed to
 * another server: an absolute target, two lengths, a length and chunks, two hosts; on loopback also a Host header that is not a loopback
 * name, as that of a web page by DNS rebinding. Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a connection that cannot be written to or closed is gone
public final class HttpListener implements Closeable {
    private static final int BACKLOG = 1024;
    private static final int SEND_BUFFER_BYTES = 256 << 10;

    private final EventLoop loop;
    private final Channel server;
    private final ListenerState state;

    private HttpListener(EventLoop loop, Channel server, ListenerState state) {
        this.loop = loop;
        this.server = server;
        this.state = state;
    }

    /**
     * Binds an address; peers can connect, and are served after {@link #start}.
     *
     * @param address to listen on; port 0 for any free one
     * @param handler called on the listener's thread, which serves no other request meanwhile
     * @throws IOException if the address cannot be bound
     */
    public static HttpListener bind(InetSocketAddress address, HttpConfig config, HttpHandler handler)
            throws IOException {
        ThreadFactory threads = task -> thread(task, config.name());
        EventLoop loop = new SingleThreadIoEventLoop(null, threads, NioIoHandler.newFactory());
        ListenerState state = new ListenerState(config, address.getAddress(), handler);
        ChannelFuture bound = bootstrap(loop, state).bind(address).awaitUninterruptibly();
        if (bound.isSuccess()) {
            return new HttpListener(loop, bound.channel(), state);
        }
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        Throwable cause = bound.cause();
        throw cause instanceof IOException failure ? failure : new IOException(String.valueOf(cause), cause);
    }

    private static Thread thread(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    private static ServerBootstrap bootstrap(EventLoop loop, ListenerState state) {
        int pending = state.limits().pendingBytes();
        return new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.AUTO_READ, false)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_SNDBUF, SEND_BUFFER_BYTES)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(1, pending))
                // A pool would hold memory that few and short requests do not need.
                .childOption(ChannelOption.ALLOCATOR, new UnpooledByteBufAllocator(false, true))
                .childHandler(new Pipeline(state));
    }

    /** Begins to serve. */
    public void start() {
        server.config().setAutoRead(true);
    }

    /** The bound port. */
    public int port() {
        return ((InetSocketAddress) server.localAddress()).getPort();
    }

    /** The address of the root, such as {@code http://127.0.0.1:9464/}. */
    public String url() {
        String host = ((InetSocketAddress) server.localAddress()).getAddress().getHostAddress();
        return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port() + "/";
    }

    /** Runs something on the listener's thread; not at all after {@link #close}. */
    public void execute(Runnable action) {
        schedule(action, 0);
    }

    /** Runs something on the listener's thread after a delay in nanoseconds; not at all after {@link #close}. */
    public void schedule(Runnable action, long delayNanos) {
        try {
            loop.schedule(() -> runSafely(action), delayNanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // The listener is closed.
            return;
        }
    }

    private void runSafely(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | Error e) {
            state.failed(e);
        }
    }

    /** Number of connections and requests that the listener refused without its handler. */
    public long refused() {
        return state.refused.get();
    }

    /** Number of failures of the handler and of actions. */
    public long failures() {
        return state.failures.get();
    }

    /** Stops at once: open connections are closed. Not on the listener's thread. */
    @Override
    public void close() {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        try {
            loop.awaitTermination(2, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sets up a new connection. */
    private static final class Pipeline extends ChannelInitializer<SocketChannel> {
        private final ListenerState state;

        Pipeline(ListenerState state) {
            this.state = state;
        }

        @Override
        protected void initChannel(SocketChannel channel) {
            channel.closeFuture().addListener(closed -> state.closed());
            if (!state.opened()) {
                channel.close();
                return;
            }
            Connection connection = new Connection(state, channel);
            int head = state.limits().headBytes();
            HttpDecoderConfig limits = new HttpDecoderConfig()
                    .setMaxInitialLineLength(head)
                    .setMaxHeaderSize(head)
                    .setInitialBufferSize(Math.min(head, 256));
            channel.pipeline()
                    .addLast(new ChannelInboundHandlerAdapter() {
                        @Override
                        public void channelRead(ChannelHandlerContext context, Object bytes) {
                            connection.bytesArrived();
                            context.fireChannelRead(bytes);
                        }
                    })
                    .addLast(new HttpServerCodec(limits))
                    .addLast(new FlowControlHandler())
                    .addLast(connection);
        }
    }
}
