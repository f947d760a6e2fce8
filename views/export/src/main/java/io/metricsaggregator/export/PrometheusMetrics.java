package io.metricsaggregator.export;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.Exemplar;
import io.prometheus.metrics.model.snapshots.Exemplars;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.NativeHistogramBuckets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/** Converts exported metrics to the types of Prometheus' client library. */
final class PrometheusMetrics {
    /** Schema of native histograms: 16 buckets an octave, so a bucket bound is within 4.4 % of a value. */
    private static final int SCHEMA = 4;

    private static final long NANOS_PER_MILLI = 1_000_000;

    private static final double[] SECONDS = {
        .0005, .001, .0025, .005, .01, .025, .05, .075, .1, .25, .5, .75, 1, 2.5, 5, 10, 30, 60, 120, 300
    };
    private static final double[] TOKENS = {
        1, 4, 16, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 1048576
    };

    /** Upper bounds that the GenAI conventions name, so that histograms of all clients add up. */
    private static final double[] GEN_AI_SECONDS =
            DoubleStream.iterate(.01, bound -> bound * 2).limit(14).toArray();

    private static final double[] GEN_AI_TOKENS =
            DoubleStream.iterate(1, bound -> bound * 4).limit(14).toArray();

    private PrometheusMetrics() {}

    /**
     * Converts the metrics, leaving out families that the library rejects.
     *
     * @param node name of the node that receives the run, for {@code target_info}; null for none
     * @param refused receives the name of a rejected family and the reason
     */
    static MetricSnapshots of(
            List<Exported> exported, @Nullable String node, BiConsumer<String, RuntimeException> refused) {
        Map<String, List<Exported>> families = new LinkedHashMap<>();
        for (Exported each : exported) {
            families.computeIfAbsent(name(each), name -> new ArrayList<>()).add(each);
        }
        MetricSnapshots.Builder all = MetricSnapshots.builder();
        if (node != null) {
            all.metricSnapshot(target(node));
        }
        families.forEach((name, family) -> {
            try {
                MetricSnapshot snapshot = family(family);
                if (all.containsMetricName(name)) {
                    throw new IllegalArgumentException("another metric has this name");
                }
                all.metricSnapshot(snapshot);
            } catch (RuntimeException e) {
                refused.accept(name, e);
            }
        });
        return all.build();
    }

    /** The name as receivers of OTLP translate it: underscores for dots, and the word for seconds at the end. */
    private static String name(Exported metric) {
        String name = metric.name().replace('.', '_');
        boolean seconds =
                metric instanceof Exported.Distribution of && of.unit().equals("s");
        return seconds && !name.endsWith("_seconds") ? name + "_seconds" : name;
    }

    /** {@code target_info} with the resource attribute {@code host.name}, as OpenTelemetry writes it for Prometheus. */
    private static MetricSnapshot target(String node) {
        return InfoSnapshot.builder()
                .name("target")
                .help("resource attributes of the daemon")
                .dataPoint(InfoSnapshot.InfoDataPointSnapshot.builder()
                        .labels(Labels.of("host_name", node))
                        .build())
                .build();
    }

    private static MetricSnapshot family(List<Exported> family) {
        FamilyPoints points = new FamilyPoints();
        family.forEach(each -> each.accept(points));
        return points.snapshot(family.get(0));
    }

    /** The data points of the metrics of one name; {@link DistinctMetrics} lets only one kind through. */
    private static final class FamilyPoints implements Exported.Visitor {
        private final List<CounterSnapshot.CounterDataPointSnapshot> counters = new ArrayList<>();
        private final List<GaugeSnapshot.GaugeDataPointSnapshot> gauges = new ArrayList<>();
        private final List<HistogramSnapshot.HistogramDataPointSnapshot> histograms = new ArrayList<>();

        @Override
        public void counter(Exported.Counter counter) {
            counters.add(CounterSnapshot.CounterDataPointSnapshot.builder()
                    .labels(labels(counter.labels()))
                    .value(counter.value())
                    .build());
        }

        @Override
        public void gauge(Exported.Gauge gauge) {
            gauges.add(GaugeSnapshot.GaugeDataPointSnapshot.builder()
                    .labels(labels(gauge.labels()))
                    .value(gauge.value())
                    .build());
        }

        @Override
        public void distribution(Exported.Distribution distribution) {
            histograms.add(histogram(distribution));
        }

        MetricSnapshot snapshot(Exported of) {
            MetricMetadata metadata = new MetricMetadata(name(of), of.help());
            if (!histograms.isEmpty()) {
                return new HistogramSnapshot(metadata, histograms);
            }
            return counters.isEmpty() ? new GaugeSnapshot(metadata, gauges) : new CounterSnapshot(metadata, counters);
        }
    }

    private static Labels labels(Map<String, String> labels) {
        List<String> names = new ArrayList<>();
        List<String> values = new ArrayList<>();
        labels.entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(each -> {
            names.add(each.getKey().replace('.', '_'));
            values.add(each.getValue());
        });
        return Labels.of(names.toArray(new String[0]), values.toArray(new String[0]));
    }

    private static HistogramSnapshot.HistogramDataPointSnapshot histogram(Exported.Distribution distribution) {
        boolean seconds = distribution.unit().equals("s");
        double[] bounds = distribution.name().startsWith(GenAiExport.PREFIX)
                ? seconds ? GEN_AI_SECONDS : GEN_AI_TOKENS
                : seconds ? SECONDS : TOKENS;
        long[] counts = distribution.counts().by(bounds);
        ClassicHistogramBuckets.Builder classic = ClassicHistogramBuckets.builder();
        for (int i = 0; i < counts.length; i++) {
            classic.bucket(i < bounds.length ? bounds[i] : Double.POSITIVE_INFINITY, counts[i]);
        }
        NativeHistogramBuckets.Builder exponential = NativeHistogramBuckets.builder();
        distribution.counts().exponential(SCHEMA).forEach(exponential::bucket);
        return HistogramSnapshot.HistogramDataPointSnapshot.builder()
                .labels(labels(distribution.labels()))
                .classicHistogramBuckets(classic.build())
                .nativeSchema(SCHEMA)
                .nativeZeroCount(distribution.counts().zeros())
                .nativeBucketsForPositiveValues(exponential.build())
                .sum(distribution.sum())
                .exemplars(Exemplars.of(distribution.exemplars().stream()
                        .map(PrometheusMetrics::exemplar)
                        .toList()))
                .build();
    }

    private static Exemplar exemplar(Exported.Exemplar of) {
        return Exemplar.builder()
                .value(of.value())
                .traceId(of.traceId())
                .spanId(of.spanId())
                .timestampMillis(of.wallNanos() / NANOS_PER_MILLI)
                .build();
    }
}
