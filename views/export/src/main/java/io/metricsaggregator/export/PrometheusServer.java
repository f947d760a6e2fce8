package io.metricsaggregator.export;

import io.metricsaggregator.http.HttpConfig;
import io.metricsaggregator.http.HttpExchange;
import io.metricsaggregator.http.HttpLimits;
import io.metricsaggregator.http.HttpListener;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
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
    private static final HttpConfig CONFIG =
            new HttpConfig("prometheus", HttpLimits.SMALL.withConnections(CONNECTIONS_MAX), HttpConfig.GET_AND_HEAD);

    private final HttpListener listener;
    private final boolean genAi;
    private final Supplier<@Nullable MetricsSnapshot> latest;
    private final ExpositionFormats formats = ExpositionFormats.init();
    private final AtomicLong scrapes = new AtomicLong();
    private final AtomicInteger conflicts = new AtomicInteger();
    private final AtomicInteger leftOut = new AtomicInteger();
    private final AtomicBoolean refusalLogged = new AtomicBoolean();

    /**
     * Binds and starts serving.
     *
     * @param genAi whether the series of requests are served under the names of the GenAI semantic conventions as well
     * @param latest supplies the snapshot to serve, null before the first; called on the thread {@code prometheus}
     * @throws IOException if the address cannot be bound
     */
    public PrometheusServer(InetSocketAddress address, boolean genAi, Supplier<@Nullable MetricsSnapshot> latest)
            throws IOException {
        this.genAi = genAi;
        this.latest = latest;
        this.listener = HttpListener.bind(address, CONFIG, this::answer);
        listener.start();
        LOG.info("Prometheus endpoint started url=http://{}:{}/metrics", address.getHostString(), port());
    }

    /** The bound port. */
    public int port() {
        return listener.port();
    }

    private void answer(HttpExchange exchange) throws IOException {
        if (!exchange.path().equals("/metrics")) {
            exchange.text(404, "the metrics are at /metrics");
            return;
        }
        ExpositionFormatWriter writer = formats.findWriter(exchange.header("Accept"));
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        write(writer, body);
        scrapes.incrementAndGet();
        exchange.send(200, writer.getContentType(), body.toByteArray());
    }

    private void write(ExpositionFormatWriter writer, ByteArrayOutputStream body) throws IOException {
        MetricsSnapshot snapshot = latest.get();
        String node = snapshot == null ? null : snapshot.extensions().run().node();
        ExportModel model = SnapshotExport.of(snapshot, genAi);
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

    /** Number of requests answered with metrics. */
    public long scrapes() {
        return scrapes.get();
    }

    /** Number of requests that failed because of an internal error. */
    public long failures() {
        return listener.failures();
    }

    /** Peak number of colliding label sets in one response. */
    public int conflicts() {
        return conflicts.get();
    }

    /** Peak number of values left out of one response. */
    public int leftOut() {
        return leftOut.get();
    }

    @Override
    public void close() {
        listener.close();
    }
}
