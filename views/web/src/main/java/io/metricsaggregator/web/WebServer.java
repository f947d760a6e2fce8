package io.metricsaggregator.web;

import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.analysis.ThroughputWindow;
import io.metricsaggregator.http.HttpConfig;
import io.metricsaggregator.http.HttpExchange;
import io.metricsaggregator.http.HttpLimits;
import io.metricsaggregator.http.HttpListener;
import io.metricsaggregator.http.ResponseStream;
import io.metricsaggregator.report.html.HtmlReport;
import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.web.model.RecentRun;
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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows the latest snapshot live in browsers, at {@code http://HOST:PORT/}. Its thread {@code web} never waits for a browser: a slow one
 * misses events; a download of the report or of the snapshot is rendered on it. Streams and downloads that a page of another site opens
 * are refused.
 */
public final class WebServer implements Closeable {
    /** Maximum number of connections; further ones are closed. */
    static final int CONNECTIONS_MAX = 64;
    /** Maximum number of viewers; further ones are answered with status 503. */
    static final int VIEWERS_MAX = 32;

    private static final Logger LOG = LoggerFactory.getLogger(WebServer.class);
    /** Longest wait in {@link #close} for viewers to take the last snapshot, in milliseconds. */
    private static final long LINGER_MILLIS = 1000;

    private static final String EVENTS = "text/event-stream; charset=utf-8";
    private static final String WINDOW = "window=";
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
    private final Supplier<@Nullable MetricsSnapshot> latest;
    private final LivePage page;
    private final HttpListener listener;
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private final CountDownLatch lastSent = new CountDownLatch(1);
    private volatile int viewerCount;
    // What follows belongs to the thread web.
    private final List<Viewer> viewers = new ArrayList<>();
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
        this.latest = latest;
        page = new LivePage(latest);
        listener = HttpListener.bind(address, CONFIG, this::answer);
        listener.execute(this::turn);
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
            return;
        }
        switch (exchange.path()) {
            case "/events", "/report.html", "/snapshot.json" -> {
                if (exchange.isForeign()) {
                    exchange.text(403, "open the page itself");
                } else if (exchange.path().equals("/events")) {
                    events(exchange);
                } else {
                    download(exchange, exchange.path().substring(1));
                }
            }
            default -> exchange.text(404, "the page is at /");
        }
    }

    private void download(HttpExchange exchange, String name) {
        MetricsSnapshot snapshot = latest.get();
        if (snapshot == null) {
            exchange.text(404, "there is no snapshot yet");
            return;
        }
        boolean html = name.endsWith(".html");
        byte[] content = html
                ? HtmlReport.render(Report.of(snapshot, ThroughputWindow.TRACKED))
                        .getBytes(StandardCharsets.UTF_8)
                : new JsonSnapshotCodec().encode(snapshot);
        exchange.set("Content-Disposition", "attachment; filename=\"" + name + "\"");
        exchange.send(200, html ? "text/html; charset=utf-8" : "application/json", content);
    }

    private void events(HttpExchange exchange) {
        Integer window = window(exchange.query());
        if (window == null) {
            exchange.text(400, WINDOW + " takes seconds, one of " + RecentRun.WINDOWS);
        } else if (exchange.isHead()) {
            exchange.send(200, EVENTS, new byte[0]);
        } else if (viewers.size() >= VIEWERS_MAX) {
            exchange.text(503, "too many viewers");
        } else {
            view(exchange.stream(EVENTS, false), window);
        }
    }

    /** The window that a query asks for, in seconds; null if there is no such window. */
    private static @Nullable Integer window(String query) {
        if (!query.startsWith(WINDOW)) {
            return RecentRun.WINDOWS.get(0);
        }
        String wanted = query.substring(WINDOW.length());
        return RecentRun.WINDOWS.stream()
                .filter(seconds -> seconds.toString().equals(wanted))
                .findFirst()
                .orElse(null);
    }

    private void view(ResponseStream stream, int window) {
        Viewer viewer = new Viewer(stream, window);
        viewers.add(viewer);
        stream.onClose(() -> gone(viewer));
        viewerCount = viewers.size();
        // Renders what this one wants, at once.
        turn();
    }

    private void gone(Viewer viewer) {
        dropped.addAndGet(viewer.takeDropped());
        viewers.remove(viewer);
        viewerCount = viewers.size();
        if (closing && viewers.isEmpty()) {
            lastSent.countDown();
        }
    }

    /** Renders what changed, once, offers it to every viewer, and comes again; without a viewer nothing is rendered. */
    private void turn() {
        if (closing) {
            return;
        }
        long wait = update();
        // A call in between replaces the one that is due.
        long turn = ++turns;
        listener.schedule(
                () -> {
                    if (turn == turns) {
                        turn();
                    }
                },
                wait);
    }

    private long update() {
        long wait = LivePage.IDLE_NANOS;
        try {
            wait = page.update(viewers.stream().map(Viewer::windowSeconds).collect(Collectors.toSet()));
        } catch (RuntimeException | Error e) {
            if (failures.getAndIncrement() == 0) {
                LOG.warn("live page not rendered. Further failures are only counted", e);
            }
        }
        long now = System.nanoTime();
        for (Viewer viewer : List.copyOf(viewers)) {
            viewer.offer(page.now(viewer.windowSeconds()), page.history(), now);
            dropped.addAndGet(viewer.takeDropped());
        }
        return wait;
    }

    /** Sends the latest snapshot, which may be the terminal one. */
    private void sendLast() {
        update();
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
