package io.metricsaggregator.export;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.NativeHistogramBuckets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

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

    /**
     * The metrics. One that the library does not take is left out.
     *
     * @param refused gets its name and the reason
     */
    static MetricSnapshots of(List<Exported> exported, BiConsumer<String, RuntimeException> refused) {
        Map<String, List<Exported>> families = new LinkedHashMap<>();
        for (Exported each : exported) {
            families.computeIfAbsent(each.name(), name -> new ArrayList<>()).add(each);
        }
        MetricSnapshots.Builder all = MetricSnapshots.builder();
        families.forEach((name, family) -> {
            try {
                MetricSnapshot snapshot = family(family);
                if (all.containsMetricName(name)) {
                    throw new IllegalArgumentException("the name is taken");
                }
                all.metricSnapshot(snapshot);
            } catch (RuntimeException e) {
                refused.accept(name, e);
            }
        });
        return all.build();
    }

    private static MetricSnapshot family(List<Exported> family) {
        Exported first = family.get(0);
        if (first instanceof Exported.Distribution distribution) {
            return histogram(distribution);
        }
        if (first instanceof Exported.Counter) {
            CounterSnapshot.Builder counters =
                    CounterSnapshot.builder().name(first.name()).help(first.help());
            for (Exported each : family) {
                Exported.Counter counter = (Exported.Counter) each;
                counters.dataPoint(CounterSnapshot.CounterDataPointSnapshot.builder()
                        .labels(labels(counter.labels()))
                        .value(counter.value())
                        .build());
            }
            return counters.build();
        }
        GaugeSnapshot.Builder gauges =
                GaugeSnapshot.builder().name(first.name()).help(first.help());
        for (Exported each : family) {
            Exported.Gauge gauge = (Exported.Gauge) each;
            gauges.dataPoint(GaugeSnapshot.GaugeDataPointSnapshot.builder()
                    .labels(labels(gauge.labels()))
                    .value(gauge.value())
                    .build());
        }
        return gauges.build();
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
