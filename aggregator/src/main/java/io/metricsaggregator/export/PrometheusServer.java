package io.metricsaggregator.export;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the latest snapshot at {@code /metrics} in Prometheus' text, OpenMetrics and protobuf formats, whichever a scraper asks
 * for; protobuf alone carries native histograms. Takes GET and HEAD, few connections, and little time for each; on loopback it answers only
 * requests that name it so, which pages in a browser cannot (DNS rebinding).
 */
public final class PrometheusServer implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(PrometheusServer.class);
    private static final int BACKLOG = 16;
    private static final int THREADS = 2;
    private static final int WAITING_MAX = 32;
    private static final Set<String> LOOPBACK_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");

    private final HttpServer server;
    private final boolean loopback;
    private final Supplier<@Nullable MetricsSnapshot> latest;
    private final ExpositionFormats formats = ExpositionFormats.init();

    static {
        // What the JDK's server takes of anyone, in seconds and bytes; it reads these once.
        System.setProperty("sun.net.httpserver.maxReqTime", "5");
        System.setProperty("sun.net.httpserver.maxRspTime", "10");
        System.setProperty("sun.net.httpserver.idleInterval", "10");
        System.setProperty("sun.net.httpserver.maxIdleConnections", "16");
        System.setProperty("jdk.httpserver.maxConnections", "32");
        System.setProperty("sun.net.httpserver.maxReqHeaders", "64");
        System.setProperty("sun.net.httpserver.maxReqHeaderSize", "8192");
    }

    /**
     * Starts to serve.
     *
     * @param latest the snapshot to show; asked by several threads
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
                    // What a request does to its thread is its own affair.
                    thread.setUncaughtExceptionHandler((dead, cause) -> LOG.warn("a scrape failed", cause));
                    return thread;
                });
        executor.allowCoreThreadTimeOut(true);
        server.setExecutor(executor);
        server.createContext("/", this::answer);
        server.start();
        LOG.info("metrics for Prometheus at http://{}:{}/metrics", address.getHostString(), port());
    }

    /** The port that is served. */
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
        return host != null && LOOPBACK_NAMES.contains(host.replaceFirst(":\\d+$", ""));
    }

    private void metrics(HttpExchange exchange, boolean headOnly) throws IOException {
        String accept = exchange.getRequestHeaders().getFirst("Accept");
        ExpositionFormatWriter writer = formats.findWriter(accept);
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        writer.write(body, PrometheusMetrics.of(ExportModel.of(latest.get())), EscapingScheme.UNDERSCORE_ESCAPING);
        exchange.getResponseHeaders().set("Content-Type", writer.getContentType());
        if (headOnly) {
            exchange.getResponseHeaders().set("Content-Length", Integer.toString(body.size()));
            exchange.sendResponseHeaders(200, -1);
        } else {
            exchange.sendResponseHeaders(200, body.size());
            body.writeTo(exchange.getResponseBody());
        }
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
