package io.metricsaggregator.export;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.Data;
import io.opentelemetry.sdk.metrics.data.DoubleExemplarData;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.ExponentialHistogramBuckets;
import io.opentelemetry.sdk.metrics.data.ExponentialHistogramData;
import io.opentelemetry.sdk.metrics.data.ExponentialHistogramPointData;
import io.opentelemetry.sdk.metrics.data.GaugeData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.opentelemetry.sdk.metrics.data.SumData;
import io.opentelemetry.sdk.resources.Resource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;

/** Converts exported metrics to OTLP data: cumulative sums, gauges and exponential histograms. */
final class OtlpMetrics implements Exported.Visitor {
    /** Scale of the exponential histograms: 32 buckets an octave. */
    private static final int SCALE = 5;

    private static final InstrumentationScopeInfo SCOPE = InstrumentationScopeInfo.create("io.metricsaggregator");

    private final Resource resource;
    private final long startNanos;
    private final long nowNanos;
    private final Map<String, List<DoublePointData>> sums = new LinkedHashMap<>();
    private final Map<String, List<DoublePointData>> gauges = new LinkedHashMap<>();
    private final Map<String, List<Exported.Distribution>> histograms = new LinkedHashMap<>();
    private final Map<String, String> helps = new LinkedHashMap<>();
    private final List<MetricData> metrics = new ArrayList<>();

    /** A metric in the form the exporter accepts. */
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

    private OtlpMetrics(Resource resource, long startNanos, long nowNanos) {
        this.resource = resource;
        this.startNanos = startNanos;
        this.nowNanos = nowNanos;
    }

    /**
     * Converts metrics. Their start time is that of the run, their time that of the snapshot, both wall-clock nanoseconds since 1970;
     * 0 if the snapshot has no extensions.
     */
    static List<MetricData> of(MetricsSnapshot snapshot, List<Exported> exported) {
        SnapshotExtensions extensions = snapshot.extensions();
        AttributesBuilder attributes = Attributes.builder()
                .put("service.name", "metrics-aggregator")
                .put("service.instance.id", extensions.run().runId());
        if (extensions.run().node() != null) {
            attributes.put("host.name", extensions.run().node());
        }
        Resource resource = Resource.create(attributes.build());
        OtlpMetrics metrics = new OtlpMetrics(
                resource, extensions.run().startedWallNanos(), extensions.run().wallNanos());
        exported.forEach(each -> each.accept(metrics));
        return metrics.finish();
    }

    @Override
    public void counter(Exported.Counter counter) {
        point(sums, counter, counter.labels(), counter.value());
    }

    @Override
    public void gauge(Exported.Gauge gauge) {
        point(gauges, gauge, gauge.labels(), gauge.value());
    }

    @Override
    public void distribution(Exported.Distribution distribution) {
        histograms
                .computeIfAbsent(distribution.name(), name -> new ArrayList<>())
                .add(distribution);
    }

    private void point(
            Map<String, List<DoublePointData>> points, Exported metric, Map<String, String> labels, double value) {
        helps.put(metric.name(), metric.help());
        points.computeIfAbsent(metric.name(), name -> new ArrayList<>())
                .add(DoublePointData.create(startNanos, nowNanos, attributes(labels), value, List.of()));
    }

    private List<MetricData> finish() {
        histograms.forEach((name, parts) -> metrics.add(new Point(
                resource,
                name,
                parts.get(0).help(),
                parts.get(0).unit(),
                MetricDataType.EXPONENTIAL_HISTOGRAM,
                ExponentialHistogramData.create(
                        AggregationTemporality.CUMULATIVE,
                        parts.stream().map(this::histogram).toList()))));
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

    /**
     * The unit of a metric in UCUM, by the word for it in its name; empty for counts and for what has no unit. Receivers that translate to Prometheus
     * add the word of a unit that the name lacks, and {@code ratio} for the unit 1: with these units the names stay those of {@code /metrics}.
     */
    static String unit(String name) {
        List<String> words = List.of(name.split("_", -1));
        return name.endsWith("_ratio")
                ? "1"
                : words.contains("per")
                        ? ""
                        : words.contains("seconds")
                                ? "s"
                                : words.contains("bytes")
                                        ? "By"
                                        : words.contains("joules") ? "J" : words.contains("watts") ? "W" : "";
    }

    private static Attributes attributes(Map<String, String> labels) {
        var builder = Attributes.builder();
        labels.forEach((name, value) -> {
            if (name.equals(GenAiExport.SERVER_PORT)) {
                builder.put(AttributeKey.longKey(name), Long.parseLong(value));
            } else {
                builder.put(AttributeKey.stringKey(name), value);
            }
        });
        return builder.build();
    }

    private ExponentialHistogramPointData histogram(Exported.Distribution distribution) {
        NavigableMap<Integer, Long> counts = distribution.counts().exponential(SCALE);
        List<Long> dense = new ArrayList<>();
        int first = counts.isEmpty() ? 0 : counts.firstKey();
        for (int i = first; !counts.isEmpty() && i <= counts.lastKey(); i++) {
            dense.add(counts.getOrDefault(i, 0L));
        }
        boolean any = distribution.counts().count() > 0;
        return ExponentialHistogramPointData.create(
                SCALE,
                distribution.sum(),
                distribution.counts().zeros(),
                any,
                distribution.min(),
                any,
                distribution.max(),
                // OpenTelemetry numbers a bucket by its lower bound, ValueCounts by its upper one.
                ExponentialHistogramBuckets.create(SCALE, first - 1, dense),
                ExponentialHistogramBuckets.create(SCALE, 0, List.of()),
                startNanos,
                nowNanos,
                attributes(distribution.labels()),
                distribution.exemplars().stream().map(OtlpMetrics::exemplar).toList());
    }

    private static DoubleExemplarData exemplar(Exported.Exemplar of) {
        SpanContext span =
                SpanContext.create(of.traceId(), of.spanId(), TraceFlags.getSampled(), TraceState.getDefault());
        return DoubleExemplarData.create(Attributes.empty(), of.wallNanos(), span, of.value());
    }
}
