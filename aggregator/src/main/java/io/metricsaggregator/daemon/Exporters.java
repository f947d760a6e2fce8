package io.metricsaggregator.daemon;

import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.export.OtlpPusher;
import io.metricsaggregator.export.PrometheusServer;
import io.metricsaggregator.run.DaemonCounters;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.web.WebServer;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The configured exporters: Prometheus, OTLP and the live page; without any, every method does nothing. Belongs to the main loop. */
public final class Exporters implements Closeable {
    private final @Nullable PrometheusServer prometheus;
    private final @Nullable OtlpPusher otlp;
    private final @Nullable WebServer web;
    private final AtomicReference<@Nullable MetricsSnapshot> terminal;

    private Exporters(
            @Nullable PrometheusServer prometheus,
            @Nullable OtlpPusher otlp,
            @Nullable WebServer web,
            AtomicReference<@Nullable MetricsSnapshot> terminal) {
        this.prometheus = prometheus;
        this.otlp = otlp;
        this.web = web;
        this.terminal = terminal;
    }

    /**
     * Opens the configured exporters and starts their threads.
     *
     * @param latest supplies the last rendered snapshot, null before the first; called on the exporters' threads
     * @throws IOException if the Prometheus endpoint or the live page cannot be bound
     */
    public static Exporters open(DaemonConfig.Exports exports, Supplier<@Nullable MetricsSnapshot> latest)
            throws IOException {
        if (exports.prometheus() != null || exports.otlp() != null) {
            JavaUtilLogging.redirect();
        }
        AtomicReference<@Nullable MetricsSnapshot> terminal = new AtomicReference<>();
        Supplier<@Nullable MetricsSnapshot> scraped = () -> {
            MetricsSnapshot last = terminal.get();
            return last == null ? latest.get() : last;
        };
        InetSocketAddress address = exports.prometheus();
        PrometheusServer prometheus = address == null ? null : open(address, scraped);
        InetSocketAddress page = exports.web();
        WebServer web = page == null ? null : openPage(page, scraped);
        URI url = exports.otlp();
        OtlpPusher otlp = url == null ? null : new OtlpPusher(url, exports.otlpIntervalNanos(), latest);
        return new Exporters(prometheus, otlp, web, terminal);
    }

    private static PrometheusServer open(InetSocketAddress address, Supplier<@Nullable MetricsSnapshot> latest)
            throws IOException {
        try {
            return new PrometheusServer(address, latest);
        } catch (IOException e) {
            throw new IOException(
                    "--prometheus " + address.getHostString() + ":" + address.getPort() + ": " + e.getMessage(), e);
        }
    }

    private static WebServer openPage(InetSocketAddress address, Supplier<@Nullable MetricsSnapshot> latest)
            throws IOException {
        try {
            return new WebServer(address, latest);
        } catch (IOException e) {
            throw new IOException(
                    "--web " + address.getHostString() + ":" + address.getPort() + ": " + e.getMessage(), e);
        }
    }

    /** Sets the counters of scrapes, pushes, dropped events and failures. */
    void count(DaemonCounters counters) {
        int conflicts = 0;
        int leftOut = 0;
        if (prometheus != null) {
            counters.prometheusScrapes.set(prometheus.scrapes());
            counters.prometheusFailures.set(prometheus.failures());
            conflicts = prometheus.conflicts();
            leftOut = prometheus.leftOut();
        }
        if (otlp != null) {
            counters.otlpPushes.set(otlp.pushed());
            counters.otlpFailures.set(otlp.failed());
            conflicts = Math.max(conflicts, otlp.conflicts());
            leftOut = Math.max(leftOut, otlp.leftOut());
        }
        if (web != null) {
            counters.countPage(web.dropped(), web.failures());
        }
        counters.exportConflicts.set(conflicts);
        counters.exportLeftOut.set(leftOut);
    }

    /** Serves the terminal snapshot to further scrapes, and pushes it. */
    public void last(MetricsSnapshot snapshot) {
        terminal.set(snapshot);
        if (otlp != null) {
            otlp.last(snapshot);
        }
    }

    @Override
    public void close() {
        if (prometheus != null) {
            prometheus.close();
        }
        if (otlp != null) {
            otlp.close();
        }
        if (web != null) {
            web.close();
        }
    }
}
