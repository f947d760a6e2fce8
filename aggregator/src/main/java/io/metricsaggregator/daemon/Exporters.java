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
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The configured exporters: Prometheus, OTLP and the live page; without any, every method does nothing. Belongs to the main loop. */
public final class Exporters implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(Exporters.class);
    private static final long CHECK_MILLIS = 50;

    private final @Nullable PrometheusServer prometheus;
    private final @Nullable OtlpPusher otlp;
    private final @Nullable WebServer web;
    private final long lingerNanos;
    private final AtomicReference<@Nullable MetricsSnapshot> terminal;

    private Exporters(
            @Nullable PrometheusServer prometheus,
            @Nullable OtlpPusher otlp,
            @Nullable WebServer web,
            long lingerNanos,
            AtomicReference<@Nullable MetricsSnapshot> terminal) {
        this.prometheus = prometheus;
        this.otlp = otlp;
        this.web = web;
        this.lingerNanos = lingerNanos;
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
        PrometheusServer prometheus = address == null ? null : open(address, exports.genAi(), scraped);
        InetSocketAddress page = exports.web();
        WebServer web = page == null ? null : openPage(page, scraped);
        URI url = exports.otlp();
        OtlpPusher otlp =
                url == null ? null : new OtlpPusher(url, exports.otlpIntervalNanos(), exports.genAi(), latest);
        return new Exporters(prometheus, otlp, web, exports.lingerPageNanos(), terminal);
    }

    private static PrometheusServer open(
            InetSocketAddress address, boolean genAi, Supplier<@Nullable MetricsSnapshot> latest) throws IOException {
        try {
            return new PrometheusServer(address, genAi, latest);
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

    /** Whether there is an exporter. */
    boolean any() {
        return prometheus != null || otlp != null || web != null;
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

    /** Whether a browser shows the live page, and may go on doing so after the end of the run. */
    boolean isWatched() {
        return lingerNanos > 0 && web != null && web.viewers() > 0;
    }

    /**
     * Serves the live page while browsers show it, at most as long as configured, until SIGTERM, SIGHUP or SIGINT. To be called when all
     * that a run promises is done.
     */
    public void linger(StopRequest stop) {
        long start = System.nanoTime();
        if (!isWatched() || stop.isRequested()) {
            return;
        }
        Semaphore woken = new Semaphore(0);
        stop.wakes(woken::release);
        // Nothing is left that a SIGINT to the process group of a terminal could interrupt.
        UnixSignals.handle("INT", stop::signal);
        LOG.info(
                "live page is served while a browser shows it at_most_s={}. SIGINT or SIGTERM ends that",
                TimeUnit.NANOSECONDS.toSeconds(lingerNanos));
        try {
            while (!stop.isRequested() && isWatched() && System.nanoTime() - start < lingerNanos) {
                woken.tryAcquire(CHECK_MILLIS, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
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
