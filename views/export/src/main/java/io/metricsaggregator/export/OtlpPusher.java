package io.metricsaggregator.export;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporter;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporterBuilder;
import io.opentelemetry.sdk.common.CompletableResultCode;
import java.io.Closeable;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pushes the latest snapshot over OTLP/HTTP at a fixed interval, on the thread {@code otlp}. Failed pushes are counted and the first
 * is logged; nothing is lost by one, because all values are cumulative.
 */
public final class OtlpPusher implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(OtlpPusher.class);
    private static final long PATIENCE_SECONDS = 5;
    private static final long LAST_PATIENCE_SECONDS = 2;

    private final OtlpHttpMetricExporter exporter;
    private final Supplier<@Nullable MetricsSnapshot> latest;
    private final long intervalNanos;
    private final boolean genAi;
    private final AtomicLong pushed = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private volatile int conflicts;
    private volatile int leftOut;
    private final Thread thread;
    private volatile boolean ended;

    /**
     * Starts pushing.
     *
     * @param url of a collector, such as {@code http://localhost:4318}; {@code /v1/metrics} is added if it has no path. User and password
     *     are sent as Basic authentication
     * @param intervalNanos time between pushes in nanoseconds
     * @param genAi whether the series of requests are pushed under the names of the GenAI semantic conventions as well
     * @param latest supplies the snapshot to push, null before the first; called on the thread {@code otlp}
     */
    public OtlpPusher(URI url, long intervalNanos, boolean genAi, Supplier<@Nullable MetricsSnapshot> latest) {
        String path = url.getPath() == null
                        || url.getPath().isEmpty()
                        || url.getPath().equals("/")
                ? "/v1/metrics"
                : "";
        String whole = path.isEmpty() ? url.toString() : url.toString().replaceFirst("/$", "") + path;
        String endpoint = whole.replaceFirst("//[^/?#]*@", "//");
        OtlpHttpMetricExporterBuilder builder = OtlpHttpMetricExporter.builder()
                .setEndpoint(endpoint)
                .setCompression("gzip")
                .setTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (url.getUserInfo() != null) {
            byte[] user = url.getUserInfo().getBytes(StandardCharsets.UTF_8);
            builder.addHeader("Authorization", "Basic " + Base64.getEncoder().encodeToString(user));
        }
        this.exporter = builder.build();
        this.latest = latest;
        this.intervalNanos = intervalNanos;
        this.genAi = genAi;
        this.thread = new Thread(this::run, "otlp");
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((dead, cause) -> LOG.warn("OTLP thread died: no more pushes", cause));
        thread.start();
        // Parameters are removed from the log line: they can hold a secret.
        LOG.info("OTLP pushes started endpoint={}", endpoint.replaceFirst("\\?.*", ""));
    }

    private void run() {
        while (!ended) {
            LockSupport.parkNanos(this, intervalNanos);
            MetricsSnapshot snapshot = latest.get();
            if (!ended && snapshot != null) {
                push(snapshot, PATIENCE_SECONDS);
            }
        }
    }

    private void push(MetricsSnapshot snapshot, long patienceSeconds) {
        Throwable cause;
        try {
            ExportModel model = SnapshotExport.of(snapshot, genAi);
            conflicts = Math.max(conflicts, model.conflicts());
            leftOut = Math.max(leftOut, model.leftOut());
            CompletableResultCode result =
                    exporter.export(OtlpMetrics.of(snapshot, model.metrics())).join(patienceSeconds, TimeUnit.SECONDS);
            if (result.isSuccess()) {
                pushed.incrementAndGet();
                return;
            }
            cause = result.getFailureThrowable();
        } catch (RuntimeException | Error e) {
            // The next push may succeed; a failed one must not affect the run.
            cause = e;
        }
        if (failed.getAndIncrement() == 0) {
            LOG.warn(
                    "OTLP push failed cause=\"{}\". Further failures are only counted",
                    cause == null ? "no answer within " + patienceSeconds + " s" : reason(cause));
        }
    }

    /** The reason of a failure. The exporter's error for a rejected push has no message; HttpExporter logs the response itself. */
    private static String reason(Throwable cause) {
        for (Throwable each = cause; each != null; each = each.getCause()) {
            if (each.getMessage() != null && !each.getMessage().isBlank()) {
                return each.toString();
            }
        }
        return "the collector rejected it; HttpExporter logged its response";
    }

    /** Pushes the final snapshot of the run within two seconds and stops the periodic pushes. Called on the thread that ends the run. */
    public void last(MetricsSnapshot snapshot) {
        ended = true;
        push(snapshot, LAST_PATIENCE_SECONDS);
    }

    /** Number of pushes that the collector accepted. */
    public long pushed() {
        return pushed.get();
    }

    /** Number of pushes that failed. */
    public long failed() {
        return failed.get();
    }

    /** Peak number of colliding label sets in one push. */
    public int conflicts() {
        return conflicts;
    }

    /** Peak number of values left out of one push. */
    public int leftOut() {
        return leftOut;
    }

    @Override
    public void close() {
        ended = true;
        LockSupport.unpark(thread);
        exporter.shutdown();
    }
}
