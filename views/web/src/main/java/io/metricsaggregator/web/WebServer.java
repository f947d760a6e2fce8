package io.metricsaggregator.web;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows the latest snapshot live in browsers, at {@code http://HOST:PORT/}. Its thread {@code web} never waits for a browser: a slow one
 * misses events. Accepts GET and HEAD and limits connections, requests and time; on loopback it rejects requests whose Host header is not a
 * loopback name, as those of a web page by DNS rebinding, and everywhere streams that a page of another site opens.
 */
public final class WebServer implements Closeable {
    /** Maximum number of connections; further ones are closed. */
    static final int CONNECTIONS_MAX = 64;
    /** Maximum number of viewers; further ones are answered with status 503. */
    static final int VIEWERS_MAX = 32;

    private static final Logger LOG = LoggerFactory.getLogger(WebServer.class);
    private static final int BACKLOG = 16;
    private static final int SEND_BUFFER_BYTES = 256 << 10;
    private static final long NANOS_PER_MILLI = 1_000_000L;
    /** Without a new snapshot viewers get a sign of life this often. */
    private static final long ALIVE_NANOS = 2000 * NANOS_PER_MILLI;
    /** Longest wait in {@link #close} for viewers to take the last snapshot. */
    private static final long LINGER_NANOS = 1000 * NANOS_PER_MILLI;

    private static final byte[] ALIVE = "event: alive\ndata: {}\n\n".getBytes(StandardCharsets.US_ASCII);

    private final ServerSocketChannel server;
    private final Selector selector;
    private final Guard guard;
    private final PageFiles files;
    private final LivePage page;
    private final List<Connection> connections = new ArrayList<>();
    private final Thread thread;
    private final AtomicInteger viewers = new AtomicInteger();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private long dueNanos = System.nanoTime();
    private long offeredNanos = dueNanos;
    private byte @Nullable [] offeredNow;
    private byte @Nullable [] offeredHistory;
    private volatile boolean closing;

    /**
     * Binds and starts serving.
     *
     * @param latest supplies the snapshot to show, null before the first; called on the thread {@code web}
     * @throws IOException if the address cannot be bound, or the class path lacks a file of the page
     */
    public WebServer(InetSocketAddress address, Supplier<@Nullable MetricsSnapshot> latest) throws IOException {
        files = PageFiles.read();
        page = new LivePage(latest);
        guard = new Guard(address.getAddress());
        selector = Selector.open();
        server = ServerSocketChannel.open();
        try {
            server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            server.bind(address, BACKLOG);
            server.configureBlocking(false);
            server.register(selector, SelectionKey.OP_ACCEPT);
        } catch (IOException e) {
            server.close();
            selector.close();
            throw e;
        }
        thread = new Thread(this::run, "web");
        thread.setDaemon(true);
        thread.start();
        LOG.info("live page started url={}", url());
    }

    /** The bound port. */
    public int port() {
        return server.socket().getLocalPort();
    }

    /** The address of the page. */
    public String url() {
        String host = server.socket().getInetAddress().getHostAddress();
        return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port() + "/";
    }

    /** Number of browsers that follow the run. */
    public int viewers() {
        return viewers.get();
    }

    /** Number of events replaced by a later one before a slow browser took them. */
    public long dropped() {
        return dropped.get();
    }

    /** Number of events that could not be rendered because of an internal error. */
    public long failures() {
        return failures.get();
    }

    private void run() {
        try {
            while (!closing) {
                long wait = Math.min(dueNanos - System.nanoTime(), LivePage.IDLE_NANOS);
                selector.select(Math.max(1, TimeUnit.NANOSECONDS.toMillis(wait)));
                turn(System.nanoTime());
            }
            sendLast();
        } catch (Throwable e) {
            // A failure of the page must not affect the run.
            failures.incrementAndGet();
            LOG.error("live page stopped", e);
        } finally {
            closeAll();
        }
    }

    private void turn(long now) {
        for (SelectionKey key : selector.selectedKeys()) {
            if (key.isValid() && key.isAcceptable()) {
                accept(now);
            } else if (key.isValid() && key.attachment() instanceof Connection connection) {
                serve(connection, key, now);
            }
        }
        selector.selectedKeys().clear();
        if (now - dueNanos >= 0) {
            update(now, connections.stream().anyMatch(Connection::isViewer));
        }
        connections.removeIf(connection -> {
            boolean overdue = connection.isOverdue(now);
            if (overdue) {
                connection.close();
                count();
            }
            return overdue;
        });
        count();
    }

    private void count() {
        viewers.set((int) connections.stream().filter(Connection::isViewer).count());
    }

    /** Renders what changed, once, and offers it to every viewer; without a viewer to come, or one that is here, nothing is rendered. */
    private void update(long now, boolean watched) {
        try {
            dueNanos = now + page.update(watched);
        } catch (RuntimeException | Error e) {
            dueNanos = now + LivePage.IDLE_NANOS;
            if (failures.getAndIncrement() == 0) {
                LOG.warn("live page not rendered. Further failures are only counted", e);
            }
        }
        if (watched) {
            offer(now);
        }
    }

    @SuppressWarnings("ReferenceEquality") // the same event, not one like it
    private void offer(long now) {
        byte[] figures = page.now() == offeredNow ? null : page.now();
        byte[] history = page.history() == offeredHistory ? null : page.history();
        offeredNow = page.now();
        offeredHistory = page.history();
        boolean quiet = figures == null && history == null;
        if (quiet && now - offeredNanos < ALIVE_NANOS) {
            return;
        }
        offeredNanos = now;
        for (Connection viewer : List.copyOf(connections)) {
            if (viewer.isViewer()) {
                if (figures != null) {
                    viewer.offerNow(figures);
                }
                if (history != null) {
                    viewer.offerHistory(history);
                }
                if (quiet && viewer.isIdle()) {
                    viewer.offerNow(ALIVE);
                }
                write(viewer, now);
            }
        }
    }

    private void accept(long now) {
        try {
            SocketChannel channel = server.accept();
            if (channel == null) {
                return;
            }
            if (connections.size() >= CONNECTIONS_MAX) {
                channel.close();
                return;
            }
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.setOption(StandardSocketOptions.SO_SNDBUF, SEND_BUFFER_BYTES);
            SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
            Connection connection = new Connection(channel, key, now);
            key.attach(connection);
            connections.add(connection);
        } catch (IOException e) {
            LOG.debug("connection not accepted", e);
        }
    }

    private void serve(Connection connection, SelectionKey key, long now) {
        try {
            if (key.isReadable()) {
                int length = connection.read();
                if (length == -1) {
                    drop(connection);
                    return;
                }
                if (length != 0) {
                    answer(connection, length, now);
                }
            }
        } catch (IOException e) {
            drop(connection);
            return;
        }
        if (!connection.isIdle()) {
            write(connection, now);
        }
    }

    private void answer(Connection connection, int length, long now) {
        if (length < 0) {
            connection.answer(
                    Response.text("431 Request Header Fields Too Large", "the request is too long", false), now);
            return;
        }
        Request request;
        try {
            request = Request.parse(connection.input(), length);
        } catch (IllegalArgumentException e) {
            connection.answer(Response.text("400 Bad Request", "not an HTTP/1 request", false), now);
            return;
        }
        byte[] refusal = guard.refusal(request);
        PageFiles.File file = files.get(request.path());
        if (refusal != null) {
            connection.answer(refusal, now);
        } else if (file != null) {
            connection.answer(Response.of("200 OK", file.type(), file.bytes(), request.isHead()), now);
        } else if (!request.path().equals("/events")) {
            connection.answer(Response.text("404 Not Found", "the page is at /", request.isHead()), now);
        } else if (request.isHead()) {
            connection.answer(Response.events(), now);
        } else if (connections.stream().filter(Connection::isViewer).count() >= VIEWERS_MAX) {
            connection.answer(Response.text("503 Service Unavailable", "too many viewers", false), now);
        } else {
            view(connection, now);
        }
    }

    private void view(Connection connection, long now) {
        if (connections.stream().noneMatch(Connection::isViewer)) {
            update(now, true);
        }
        connection.stream(Response.events(), now);
        byte[] figures = page.now();
        byte[] history = page.history();
        if (figures != null) {
            connection.offerNow(figures);
        }
        if (history != null) {
            connection.offerHistory(history);
        }
    }

    private void write(Connection connection, long now) {
        dropped.addAndGet(connection.takeDropped());
        try {
            if (!connection.write(now)) {
                drop(connection);
            }
        } catch (IOException e) {
            drop(connection);
        }
    }

    private void drop(Connection connection) {
        connection.close();
        connections.remove(connection);
    }

    /** Sends the latest snapshot, which may be the terminal one, and waits until the viewers have it. */
    private void sendLast() throws IOException {
        long start = System.nanoTime();
        update(start, connections.stream().anyMatch(Connection::isViewer));
        while (connections.stream().anyMatch(each -> each.isViewer() && !each.isIdle())
                && System.nanoTime() - start < LINGER_NANOS) {
            selector.select(10);
            for (SelectionKey key : selector.selectedKeys()) {
                if (key.isValid() && key.attachment() instanceof Connection connection) {
                    serve(connection, key, System.nanoTime());
                }
            }
            selector.selectedKeys().clear();
        }
    }

    private void closeAll() {
        connections.forEach(Connection::close);
        connections.clear();
        viewers.set(0);
        try {
            server.close();
            selector.close();
        } catch (IOException e) {
            LOG.debug("live page not closed", e);
        }
    }

    /** Sends viewers the latest snapshot, for a second at most, and stops serving. */
    @Override
    public void close() {
        closing = true;
        selector.wakeup();
        try {
            thread.join(TimeUnit.NANOSECONDS.toMillis(2 * LINGER_NANOS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
