package io.metricsaggregator.export;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporter;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.Data;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.ExponentialHistogramBuckets;
import io.opentelemetry.sdk.metrics.data.ExponentialHistogramData;
import io.opentelemetry.sdk.metrics.data.ExponentialHistogramPointData;
import io.opentelemetry.sdk.metrics.data.GaugeData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.opentelemetry.sdk.metrics.data.SumData;
import io.opentelemetry.sdk.resources.Resource;
import java.io.Closeable;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pushes the latest snapshot over OTLP/HTTP at its own pace, on the thread {@code otlp}: cumulative sums, gauges and exponential
 * histograms. A push that fails is counted and logged once; the next one carries all of it, since nothing is a difference.
 */
public final class OtlpPusher implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(OtlpPusher.class);
    /** 32 buckets an octave. */
    private static final int SCALE = 5;

    private static final long PATIENCE_SECONDS = 5;
    private static final long LAST_PATIENCE_SECONDS = 2;
    private static final InstrumentationScopeInfo SCOPE = InstrumentationScopeInfo.create("io.metricsaggregator");

    private final OtlpHttpMetricExporter exporter;
    private final Supplier<@Nullable MetricsSnapshot> latest;
    private final long intervalNanos;
    private final AtomicLong pushed = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private volatile int conflicts;
    private volatile int leftOut;
    private final Thread thread;
    private volatile boolean ended;

    /** A metric as the exporter wants it. */
    private record Point(
            Resource getResource,
            String getName,
            String getDescription,
            String getUnit,
            MetricDataType getType,
            Data<?> getData)
            implements MetricData {
        @Override
        public InstrumentationScopeInfo getInstrumentationScopeInfo() {
            return SCOPE;
        }
    }

    /**
     * Starts to push.
     *
     * @param url of a collector, such as {@code http://localhost:4318}; {@code /v1/metrics} is added if it has no path
     * @param latest the snapshot to push
     */
    public OtlpPusher(URI url, long intervalNanos, Supplier<@Nullable MetricsSnapshot> latest) {
        String path = url.getPath() == null
                        || url.getPath().isEmpty()
                        || url.getPath().equals("/")
                ? "/v1/metrics"
                : "";
        String endpoint = path.isEmpty() ? url.toString() : url.toString().replaceFirst("/$", "") + path;
        this.exporter = OtlpHttpMetricExporter.builder()
                .setEndpoint(endpoint)
                .setCompression("gzip")
                .setTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .build();
        this.latest = latest;
        this.intervalNanos = intervalNanos;
        this.thread = new Thread(this::run, "otlp");
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((dead, cause) -> LOG.warn("no more is pushed over OTLP", cause));
        thread.start();
        // Without a user and password, and without parameters: they can hold a secret.
        LOG.info(
                "pushes metrics to {}",
                endpoint.replaceFirst("//[^/]*@", "//***@").replaceFirst("\\?.*", ""));
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
            ExportModel model = SnapshotExport.of(snapshot);
            conflicts = Math.max(conflicts, model.conflicts());
            leftOut = Math.max(leftOut, model.leftOut());
            CompletableResultCode result =
                    exporter.export(metrics(snapshot, model.metrics())).join(patienceSeconds, TimeUnit.SECONDS);
            if (result.isSuccess()) {
                pushed.incrementAndGet();
                return;
            }
            cause = result.getFailureThrowable();
        } catch (RuntimeException | Error e) {
            // The next push may succeed, and the run must not feel this one.
            cause = e;
        }
        if (failed.getAndIncrement() == 0) {
            LOG.warn(
                    "a push over OTLP failed (counted from now on): {}",
                    cause == null ? "no answer within " + patienceSeconds + " s" : reason(cause));
        }
    }

    /** Why a push failed. The exporter's error for a refusal has no message: it logs the answer itself. */
    private static String reason(Throwable cause) {
        for (Throwable each = cause; each != null; each = each.getCause()) {
            if (each.getMessage() != null && !each.getMessage().isBlank()) {
                return each.toString();
            }
        }
        return "the collector did not take it; HttpExporter logs its answer";
    }

    /** Pushes the snapshot that ends the run, and no more after it; waits two seconds at most. */
    public void last(MetricsSnapshot snapshot) {
        ended = true;
        push(snapshot, LAST_PATIENCE_SECONDS);
    }

    /** Pushes that were taken. */
    public long pushed() {
        return pushed.get();
    }

    /** Pushes that failed. */
    public long failed() {
        return failed.get();
    }

    /** The most label sets that collided in one push so far. */
    public int conflicts() {
        return conflicts;
    }

    /** The most values that were left out of one push so far. */
    public int leftOut() {
        return leftOut;
    }

    private static List<MetricData> metrics(MetricsSnapshot snapshot, List<Exported> exported) {
        long start =
                snapshot.extensions() == null ? 0 : snapshot.extensions().run().startedWallNanos();
        long now =
                snapshot.extensions() == null ? 0 : snapshot.extensions().run().wallNanos();
        String run =
                snapshot.extensions() == null ? "" : snapshot.extensions().run().runId();
        Resource resource = Resource.create(Attributes.builder()
                .put("service.name", "metrics-aggregator")
                .put("service.instance.id", run)
                .build());
        Map<String, List<DoublePointData>> sums = new LinkedHashMap<>();
        Map<String, List<DoublePointData>> gauges = new LinkedHashMap<>();
        Map<String, String> helps = new LinkedHashMap<>();
        List<MetricData> metrics = new ArrayList<>();
        for (Exported each : exported) {
            helps.put(each.name(), each.help());
            if (each instanceof Exported.Counter counter) {
                sums.computeIfAbsent(each.name(), name -> new ArrayList<>())
                        .add(DoublePointData.create(
                                start, now, attributes(counter.labels()), counter.value(), List.of()));
            } else if (each instanceof Exported.Gauge gauge) {
                gauges.computeIfAbsent(each.name(), name -> new ArrayList<>())
                        .add(DoublePointData.create(start, now, attributes(gauge.labels()), gauge.value(), List.of()));
            } else if (each instanceof Exported.Distribution distribution) {
                metrics.add(histogram(resource, distribution, start, now));
            }
        }
        sums.forEach((name, points) -> metrics.add(new Point(
                resource,
                name,
                helps.getOrDefault(name, ""),
                unit(name),
                MetricDataType.DOUBLE_SUM,
                SumData.createDoubleSumData(true, AggregationTemporality.CUMULATIVE, points))));
        gauges.forEach((name, points) -> metrics.add(new Point(
                resource,
                name,
                helps.getOrDefault(name, ""),
                unit(name),
                MetricDataType.DOUBLE_GAUGE,
                GaugeData.createDoubleGaugeData(points))));
        return metrics;
    }

    private static String unit(String name) {
        return name.endsWith("_seconds") ? "s" : name.endsWith("_bytes") ? "By" : "1";
    }

    private static Attributes attributes(Map<String, String> labels) {
        var builder = Attributes.builder();
        labels.forEach((name, value) -> builder.put(AttributeKey.stringKey(name), value));
        return builder.build();
    }

    private static MetricData histogram(Resource resource, Exported.Distribution distribution, long start, long now) {
        NavigableMap<Integer, Long> counts = distribution.counts().exponential(SCALE);
        List<Long> dense = new ArrayList<>();
        int first = counts.isEmpty() ? 0 : counts.firstKey();
        for (int i = first; !counts.isEmpty() && i <= counts.lastKey(); i++) {
            dense.add(counts.getOrDefault(i, 0L));
        }
        boolean any = distribution.counts().count() > 0;
        ExponentialHistogramPointData point = ExponentialHistogramPointData.create(
                SCALE,
                distribution.sum(),
                distribution.counts().zeros(),
                any,
                distribution.min(),
                any,
                distribution.max(),
                // OpenTelemetry's index of a bucket is that of its lower edge.
                ExponentialHistogramBuckets.create(SCALE, first - 1, dense),
                ExponentialHistogramBuckets.create(SCALE, 0, List.of()),
                start,
                now,
                Attributes.empty(),
                List.of());
        return new Point(
                resource,
                distribution.name(),
                distribution.help(),
                distribution.unit(),
                MetricDataType.EXPONENTIAL_HISTOGRAM,
                ExponentialHistogramData.create(AggregationTemporality.CUMULATIVE, List.of(point)));
    }

    @Override
    public void close() {
        ended = true;
        LockSupport.unpark(thread);
        exporter.shutdown();
    }
}
