package io.metricsaggregator.export;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the latest snapshot at {@code /metrics} in Prometheus' text, OpenMetrics and protobuf formats, whichever a scraper asks
 * for; protobuf alone carries native histograms. Accepts GET and HEAD and limits connections and time; on loopback it rejects requests
 * whose Host header is not a loopback name, as those of a web page by DNS rebinding.
 */
public final class PrometheusServer implements Closeable {
    /** Maximum number of connections; further ones are closed. */
    public static final int CONNECTIONS_MAX = 32;

    private static final Logger LOG = LoggerFactory.getLogger(PrometheusServer.class);
    private static final int BACKLOG = 16;
    private static final int THREADS = 2;
    private static final int WAITING_MAX = 32;
    private static final Set<String> LOOPBACK_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");

    private final HttpServer server;
    private final boolean loopback;
    private final Supplier<@Nullable MetricsSnapshot> latest;
    private final ExpositionFormats formats = ExpositionFormats.init();
    private final AtomicLong scrapes = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private final AtomicInteger conflicts = new AtomicInteger();
    private final AtomicInteger leftOut = new AtomicInteger();
    private final AtomicBoolean refusalLogged = new AtomicBoolean();

    static {
        // Limits of the JDK's server in seconds and bytes, which it reads once.
        System.setProperty("sun.net.httpserver.maxReqTime", "5");
        System.setProperty("sun.net.httpserver.maxRspTime", "10");
        System.setProperty("sun.net.httpserver.idleInterval", "10");
        System.setProperty("sun.net.httpserver.maxIdleConnections", "16");
        System.setProperty("jdk.httpserver.maxConnections", Integer.toString(CONNECTIONS_MAX));
        System.setProperty("sun.net.httpserver.maxReqHeaders", "64");
        System.setProperty("sun.net.httpserver.maxReqHeaderSize", "8192");
    }

    /**
     * Binds and starts serving.
     *
     * @param latest supplies the snapshot to serve, null before the first; called by several threads
     * @throws IOException if the address cannot be bound
     */
    public PrometheusServer(InetSocketAddress address, Supplier<@Nullable MetricsSnapshot> latest) throws IOException {
        this.latest = latest;
        this.loopback = address.getAddress() != null && address.getAddress().isLoopbackAddress();
        this.server = HttpServer.create(address, BACKLOG);
        AtomicInteger number = new AtomicInteger();
        ThreadPoolExecutor executor = new ThreadPoolExecutor(
                THREADS, THREADS, 1, TimeUnit.MINUTES, new ArrayBlockingQueue<>(WAITING_MAX), task -> {
                    Thread thread = new Thread(task, "prometheus-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    // A failed request must not affect others.
                    thread.setUncaughtExceptionHandler((dead, cause) -> failed(cause));
                    return thread;
                });
        executor.allowCoreThreadTimeOut(true);
        server.setExecutor(executor);
        server.createContext("/", this::answer);
        server.start();
        LOG.info("Prometheus endpoint started url=http://{}:{}/metrics", address.getHostString(), port());
    }

    /** The bound port. */
    public int port() {
        return server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String method = exchange.getRequestMethod();
            if (!method.equals("GET") && !method.equals("HEAD")) {
                exchange.getResponseHeaders().set("Allow", "GET, HEAD");
                plain(exchange, 405, "only GET and HEAD");
            } else if (loopback && !namesLoopback(exchange.getRequestHeaders().getFirst("Host"))) {
                plain(exchange, 403, "ask for localhost");
            } else if (!exchange.getRequestURI().getPath().equals("/metrics")) {
                plain(exchange, 404, "the metrics are at /metrics");
            } else {
                metrics(exchange, method.equals("HEAD"));
            }
        }
    }

    private static boolean namesLoopback(@Nullable String host) {
        return host != null
                && LOOPBACK_NAMES.contains(host.toLowerCase(Locale.ROOT).replaceFirst(":\\d+$", ""));
    }

    private void metrics(HttpExchange exchange, boolean headOnly) throws IOException {
        String accept = exchange.getRequestHeaders().getFirst("Accept");
        ExpositionFormatWriter writer = formats.findWriter(accept);
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        try {
            write(writer, body);
        } catch (RuntimeException | Error e) {
            failed(e);
            plain(exchange, 500, "the metrics cannot be rendered; the daemon's log says why");
            return;
        }
        scrapes.incrementAndGet();
        exchange.getResponseHeaders().set("Content-Type", writer.getContentType());
        if (headOnly) {
            exchange.getResponseHeaders().set("Content-Length", Integer.toString(body.size()));
            exchange.sendResponseHeaders(200, -1);
        } else {
            exchange.sendResponseHeaders(200, body.size());
            body.writeTo(exchange.getResponseBody());
        }
    }

    private void write(ExpositionFormatWriter writer, ByteArrayOutputStream body) throws IOException {
        MetricsSnapshot snapshot = latest.get();
        String node = snapshot == null ? null : snapshot.extensions().run().node();
        ExportModel model = SnapshotExport.of(snapshot);
        AtomicInteger refused = new AtomicInteger();
        MetricSnapshots metrics = PrometheusMetrics.of(model.metrics(), node, (name, cause) -> {
            refused.incrementAndGet();
            if (refusalLogged.compareAndSet(false, true)) {
                LOG.warn(
                        "metric omitted from /metrics name={} cause={}. Further ones are only counted",
                        name,
                        cause.toString());
            }
        });
        conflicts.accumulateAndGet(model.conflicts(), Math::max);
        leftOut.accumulateAndGet(model.leftOut() + refused.get(), Math::max);
        writer.write(body, metrics, EscapingScheme.UNDERSCORE_ESCAPING);
    }

    private void failed(Throwable cause) {
        if (failures.getAndIncrement() == 0) {
            LOG.warn("request for /metrics failed. Further failures are only counted", cause);
        }
    }

    /** Number of requests answered with metrics. */
    public long scrapes() {
        return scrapes.get();
    }

    /** Number of requests that failed because of an internal error. */
    public long failures() {
        return failures.get();
    }

    /** Peak number of colliding label sets in one response. */
    public int conflicts() {
        return conflicts.get();
    }

    /** Peak number of values left out of one response. */
    public int leftOut() {
        return leftOut.get();
    }

    private static void plain(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = (text + "\n").getBytes(StandardCharsets.US_ASCII);
        exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=us-ascii");
        boolean head = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(status, head ? -1 : body.length);
        if (!head) {
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
