package io.metricsaggregator.daemon;

import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.export.OtlpPusher;
import io.metricsaggregator.export.PrometheusServer;
import io.metricsaggregator.run.DaemonCounters;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The exporters of a run, as far as any were asked for. */
final class Exporters implements Closeable {
    private final @Nullable PrometheusServer prometheus;
    private final @Nullable OtlpPusher otlp;
    private volatile @Nullable MetricsSnapshot terminal;

    /**
     * Opens them.
     *
     * @param latest the last rendered snapshot
     */
    Exporters(DaemonConfig.Exports exports, Supplier<@Nullable MetricsSnapshot> latest) throws IOException {
        if (exports.prometheus() != null || exports.otlp() != null) {
            JavaUtilLogging.redirect();
        }
        InetSocketAddress address = exports.prometheus();
        prometheus = address == null ? null : open(address, () -> terminal == null ? latest.get() : terminal);
        URI url = exports.otlp();
        otlp = url == null ? null : new OtlpPusher(url, exports.otlpIntervalNanos(), latest);
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

    /** What they did so far. */
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
        counters.exportConflicts.set(conflicts);
        counters.exportLeftOut.set(leftOut);
    }

    /** The run has ended with this. */
    void last(MetricsSnapshot snapshot) {
        terminal = snapshot;
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
    }
}
