package io.metricsaggregator.web;

import io.metricsaggregator.http.HttpConfig;
import io.metricsaggregator.http.HttpExchange;
import io.metricsaggregator.http.HttpLimits;
import io.metricsaggregator.http.HttpListener;
import io.metricsaggregator.http.ResponseStream;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows the latest snapshot live in browsers, at {@code http://HOST:PORT/}. Its thread {@code web} never waits for a browser: a slow one
 * misses events. A stream that a page of another site opens is refused.
 */
public final class WebServer implements Closeable {
    /** Maximum number of connections; further ones are closed. */
    static final int CONNECTIONS_MAX = 64;
    /** Maximum number of viewers; further ones are answered with status 503. */
    static final int VIEWERS_MAX = 32;

    private static final Logger LOG = LoggerFactory.getLogger(WebServer.class);
    private static final long NANOS_PER_MILLI = 1_000_000L;
    /** Without a new snapshot viewers get a sign of life this often. */
    private static final long ALIVE_NANOS = 2000 * NANOS_PER_MILLI;
    /** Longest wait in {@link #close} for viewers to take the last snapshot, in milliseconds. */
    private static final long LINGER_MILLIS = 1000;

    private static final String EVENTS = "text/event-stream; charset=utf-8";
    private static final byte[] ALIVE = "event: alive\ndata: {}\n\n".getBytes(StandardCharsets.US_ASCII);
    /** Forbids a browser to run, load, frame or send anything beyond this server's own files. */
    private static final Map<String, String> HEADERS = Map.of(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none';"
                    + " form-action 'none'; frame-ancestors 'none'",
            "X-Content-Type-Options",
            "nosniff",
            "Referrer-Policy",
            "no-referrer",
            "Cross-Origin-Opener-Policy",
            "same-origin",
            "Cross-Origin-Resource-Policy",
            "same-origin",
            "Cache-Control",
            "no-store",
            // A browser keeps no connection that others may need.
            "Connection",
            "close");

    private static final HttpConfig CONFIG = new HttpConfig(
            "web",
            HttpLimits.SMALL.withConnections(CONNECTIONS_MAX).withPendingBytes(1),
            HttpConfig.GET_AND_HEAD,
            HEADERS);

    private final PageFiles files;
    private final LivePage page;
    private final HttpListener listener;
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private final CountDownLatch lastSent = new CountDownLatch(1);
    private volatile int viewerCount;
    // What follows belongs to the thread web.
    private final List<Viewer> viewers = new ArrayList<>();
    private long offeredNanos = System.nanoTime();
    private byte @Nullable [] offeredNow;
    private byte @Nullable [] offeredHistory;
    private long turns;
    private boolean closing;

    /**
     * Binds and starts serving.
     *
     * @param latest supplies the snapshot to show, null before the first; called on the thread {@code web}
     * @throws IOException if the address cannot be bound, or the class path lacks a file of the page
     */
    public WebServer(InetSocketAddress address, Supplier<@Nullable MetricsSnapshot> latest) throws IOException {
        files = PageFiles.read();
        page = new LivePage(latest);
        listener = HttpListener.bind(address, CONFIG, this::answer);
        listener.execute(() -> turn(false));
        listener.start();
        LOG.info("live page started url={}", url());
    }

    /** The bound port. */
    public int port() {
        return listener.port();
    }

    /** The address of the page. */
    public String url() {
        return listener.url();
    }

    /** Number of browsers that follow the run. */
    public int viewers() {
        return viewerCount;
    }

    /** Number of events replaced by a later one before a slow browser took them. */
    public long dropped() {
        return dropped.get();
    }

    /** Number of events that could not be rendered because of an internal error. */
    public long failures() {
        return failures.get() + listener.failures();
    }

    private void answer(HttpExchange exchange) {
        PageFiles.File file = files.get(exchange.path());
        if (file != null) {
            exchange.send(200, file.type(), file.bytes());
        } else if (!exchange.path().equals("/events")) {
            exchange.text(404, "the page is at /");
        } else if (exchange.isForeign()) {
            exchange.text(403, "open the page itself");
        } else if (exchange.isHead()) {
            exchange.send(200, EVENTS, new byte[0]);
        } else if (viewers.size() >= VIEWERS_MAX) {
            exchange.text(503, "too many viewers");
        } else {
            view(exchange.stream(EVENTS, false));
        }
    }

    private void view(ResponseStream stream) {
        if (viewers.isEmpty()) {
            turn(true);
        }
        Viewer viewer = new Viewer(stream);
        viewers.add(viewer);
        stream.onClose(() -> gone(viewer));
        viewerCount = viewers.size();
        byte[] figures = page.now();
        byte[] history = page.history();
        if (figures != null) {
            viewer.offerNow(figures);
        }
        if (history != null) {
            viewer.offerHistory(history);
        }
    }

    private void gone(Viewer viewer) {
        dropped.addAndGet(viewer.takeDropped());
        viewers.remove(viewer);
        viewerCount = viewers.size();
        if (closing && viewers.isEmpty()) {
            lastSent.countDown();
        }
    }

    /** Renders what changed, once, offers it to every viewer, and comes again; without one, or one to come, nothing is rendered. */
    private void turn(boolean watched) {
        if (closing) {
            return;
        }
        long wait = update(watched);
        // A call in between replaces the one that is due.
        long turn = ++turns;
        listener.schedule(
                () -> {
                    if (turn == turns) {
                        turn(!viewers.isEmpty());
                    }
                },
                wait);
    }

    private long update(boolean watched) {
        long wait = LivePage.IDLE_NANOS;
        try {
            wait = page.update(watched);
        } catch (RuntimeException | Error e) {
            if (failures.getAndIncrement() == 0) {
                LOG.warn("live page not rendered. Further failures are only counted", e);
            }
        }
        if (watched) {
            offer(System.nanoTime());
        }
        return wait;
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
        for (Viewer viewer : List.copyOf(viewers)) {
            if (figures != null) {
                viewer.offerNow(figures);
            }
            if (history != null) {
                viewer.offerHistory(history);
            }
            if (quiet && viewer.isIdle()) {
                viewer.offerNow(ALIVE);
            }
            dropped.addAndGet(viewer.takeDropped());
        }
    }

    /** Sends the latest snapshot, which may be the terminal one. */
    private void sendLast() {
        update(!viewers.isEmpty());
        closing = true;
        if (viewers.isEmpty()) {
            lastSent.countDown();
        }
        List.copyOf(viewers).forEach(Viewer::end);
    }

    /** Sends viewers the latest snapshot, for a second at most, and stops serving. */
    @Override
    public void close() {
        listener.execute(this::sendLast);
        try {
            lastSent.await(LINGER_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        listener.close();
    }
}
