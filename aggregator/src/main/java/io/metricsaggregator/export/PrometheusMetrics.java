package io.metricsaggregator.export;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.NativeHistogramBuckets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Exported metrics in the types of Prometheus' library. */
final class PrometheusMetrics {
    /** 16 buckets an octave: within 4.4 % of a value. */
    private static final int SCHEMA = 4;

    private static final double[] SECONDS = {
        .0005, .001, .0025, .005, .01, .025, .05, .075, .1, .25, .5, .75, 1, 2.5, 5, 10, 30, 60, 120, 300
    };
    private static final double[] TOKENS = {
        1, 4, 16, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 1048576
    };

    private PrometheusMetrics() {}

    static MetricSnapshots of(List<Exported> exported) {
        Map<String, CounterSnapshot.Builder> counters = new LinkedHashMap<>();
        Map<String, GaugeSnapshot.Builder> gauges = new LinkedHashMap<>();
        MetricSnapshots.Builder all = MetricSnapshots.builder();
        for (Exported each : exported) {
            if (each instanceof Exported.Counter counter) {
                counters.computeIfAbsent(
                                counter.name(),
                                name -> CounterSnapshot.builder().name(name).help(counter.help()))
                        .dataPoint(CounterSnapshot.CounterDataPointSnapshot.builder()
                                .labels(labels(counter.labels()))
                                .value(counter.value())
                                .build());
            } else if (each instanceof Exported.Gauge gauge) {
                gauges.computeIfAbsent(
                                gauge.name(),
                                name -> GaugeSnapshot.builder().name(name).help(gauge.help()))
                        .dataPoint(GaugeSnapshot.GaugeDataPointSnapshot.builder()
                                .labels(labels(gauge.labels()))
                                .value(gauge.value())
                                .build());
            } else if (each instanceof Exported.Distribution distribution) {
                all.metricSnapshot(histogram(distribution));
            }
        }
        counters.values().forEach(each -> all.metricSnapshot(each.build()));
        gauges.values().forEach(each -> all.metricSnapshot(each.build()));
        return all.build();
    }

    private static Labels labels(Map<String, String> labels) {
        List<String> names = new ArrayList<>();
        List<String> values = new ArrayList<>();
        labels.entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(each -> {
            names.add(each.getKey());
            values.add(each.getValue());
        });
        return Labels.of(names.toArray(new String[0]), values.toArray(new String[0]));
    }

    private static HistogramSnapshot histogram(Exported.Distribution distribution) {
        double[] bounds = distribution.unit().equals("s") ? SECONDS : TOKENS;
        long[] counts = distribution.counts().by(bounds);
        ClassicHistogramBuckets.Builder classic = ClassicHistogramBuckets.builder();
        for (int i = 0; i < counts.length; i++) {
            classic.bucket(i < bounds.length ? bounds[i] : Double.POSITIVE_INFINITY, counts[i]);
        }
        NativeHistogramBuckets.Builder exponential = NativeHistogramBuckets.builder();
        distribution.counts().exponential(SCHEMA).forEach(exponential::bucket);
        return HistogramSnapshot.builder()
                .name(distribution.name())
                .help(distribution.help())
                .dataPoint(HistogramSnapshot.HistogramDataPointSnapshot.builder()
                        .classicHistogramBuckets(classic.build())
                        .nativeSchema(SCHEMA)
                        .nativeZeroCount(distribution.counts().zeros())
                        .nativeBucketsForPositiveValues(exponential.build())
                        .sum(distribution.sum())
                        .build())
                .build();
    }
}
