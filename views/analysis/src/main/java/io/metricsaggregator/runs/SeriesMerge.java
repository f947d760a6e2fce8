package io.metricsaggregator.runs;

import io.metricsaggregator.analysis.SeriesHistogram;
import io.metricsaggregator.snapshot.HistogramBucket;
import io.metricsaggregator.snapshot.SeriesDetail;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.percentile.HistogramPercentiles;
import io.metricsaggregator.snapshot.percentile.MlcommonsRank;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.jspecify.annotations.Nullable;

/**
 * Merges a series of several runs. Count, sum, minimum, maximum and the bucket counts of the histogram are exact;
 * percentiles come from the histogram within its precision, unless only one run has values. The standard deviation follows
 * from those of the runs: Σ(nᵢ − 1)sᵢ² + Σnᵢ(mᵢ − m)² over n − 1 (Chan et al.).
 */
final class SeriesMerge {
    private SeriesMerge() {}

    static SeriesMetric merge(String name, List<SeriesMetric> parts, SaturatingSums sums) {
        List<SeriesMetric> measured =
                parts.stream().filter(each -> each.count() > 0).toList();
        if (measured.isEmpty()) {
            return parts.get(0);
        }
        if (measured.size() == 1) {
            return measured.get(0).named(name);
        }
        Histogram sum = null;
        for (SeriesMetric each : measured) {
            Histogram histogram = SeriesHistogram.of(each);
            if (histogram == null) {
                throw new IllegalArgumentException(
                        "series " + name + " of one run carries no histogram: it cannot be merged");
            }
            if (sum == null) {
                sum = histogram;
            } else {
                // The largest value may exceed the range of the first histogram.
                sum.setAutoResize(histogram.getHighestTrackableValue() > sum.getHighestTrackableValue());
                sum.add(histogram);
            }
        }
        long count = sums.total("values of " + name, measured, SeriesMetric::count);
        Number min = measured.get(0).min();
        Number max = measured.get(0).max();
        Number total = 0L;
        double squares = 0;
        for (SeriesMetric each : measured) {
            min = each.min().doubleValue() < min.doubleValue() ? each.min() : min;
            max = each.max().doubleValue() > max.doubleValue() ? each.max() : max;
            total = plus(total, each.total());
            squares += each.sumSq().doubleValue();
        }
        if (sum == null) {
            throw new IllegalStateException("no histogram");
        }
        return new SeriesMetric(
                name,
                count,
                total,
                min,
                max,
                squares,
                percentiles(measured, sum, count),
                buckets(measured, sum, min.doubleValue(), max.doubleValue()),
                null,
                detail(measured, sum, count, total, shown(measured, sum, count, min, max), sums));
    }

    private static Number plus(Number a, Number b) {
        if (a instanceof Double || b instanceof Double) {
            return a.doubleValue() + b.doubleValue();
        }
        return SeriesMetric.whole(big(a).add(big(b)));
    }

    private static BigInteger big(Number number) {
        return number instanceof BigInteger big ? big : BigInteger.valueOf(number.longValue());
    }

    /** Percentiles of the histogram, by the rule of live snapshots: a merge equals the snapshot of one daemon for all runs. */
    private static Map<String, Double> percentiles(List<SeriesMetric> measured, Histogram sum, long count) {
        List<String> ascending = measured.get(0).percentiles().keySet().stream()
                .sorted(Comparator.comparingDouble(Double::parseDouble))
                .toList();
        Map<String, Double> found = new HashMap<>();
        double value = 0;
        long seen = 0;
        int next = 0;
        for (HistogramIterationValue step : sum.recordedValues()) {
            value = (double) sum.highestEquivalentValue(step.getValueIteratedTo());
            seen += Math.max(0, step.getCountAddedInThisIterationStep());
            while (next < ascending.size()
                    && seen >= MlcommonsRank.ofHistogram(Double.parseDouble(ascending.get(next)), count)) {
                found.put(ascending.get(next++), value);
            }
        }
        Map<String, Double> percentiles = new LinkedHashMap<>();
        for (String each : measured.get(0).percentiles().keySet()) {
            percentiles.put(each, found.getOrDefault(each, value));
        }
        return percentiles;
    }

    /** The percentiles that people see, estimated from the sum of the histograms. */
    private static Map<String, Double> shown(
            List<SeriesMetric> measured, Histogram sum, long count, Number min, Number max) {
        Set<String> keys = measured.get(0).percentiles().keySet();
        HistogramPercentiles estimate = HistogramPercentiles.ofKeys(keys, count);
        for (HistogramIterationValue step : sum.recordedValues()) {
            estimate.add(
                    (double) sum.medianEquivalentValue(step.getValueIteratedTo()),
                    Math.max(0, step.getCountAddedInThisIterationStep()));
        }
        return estimate.of(keys, min.doubleValue(), max.doubleValue());
    }

    /** Log-spaced from max(smallest, 1) to max(largest, 10 × the low edge), as many as the parts have: as in a daemon's snapshot. */
    private static List<HistogramBucket> buckets(List<SeriesMetric> measured, Histogram sum, double min, double max) {
        int number = measured.stream()
                .mapToInt(each -> each.histogram().size())
                .max()
                .orElse(0);
        double low = Math.max(min, 1);
        double logLow = Math.log(low);
        double step = (Math.log(Math.max(max, 10 * low)) - logLow) / Math.max(1, number);
        double[] edges = new double[number + 1];
        for (int i = 0; i <= number; i++) {
            edges[i] = Math.exp(logLow + i * step);
        }
        long[] counts = new long[Math.max(1, number)];
        for (HistogramIterationValue each : sum.recordedValues()) {
            int found = Arrays.binarySearch(edges, (double) sum.highestEquivalentValue(each.getValueIteratedTo()));
            int bucket = found >= 0 ? found : -found - 2;
            counts[Math.max(0, Math.min(bucket, counts.length - 1))] += each.getCountAddedInThisIterationStep();
        }
        List<HistogramBucket> buckets = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            buckets.add(new HistogramBucket(edges[i], edges[i + 1], counts[i]));
        }
        return buckets;
    }

    private static @Nullable SeriesDetail detail(
            List<SeriesMetric> measured,
            Histogram sum,
            long count,
            Number total,
            Map<String, Double> shown,
            SaturatingSums sums) {
        long clamped = 0;
        long negative = 0;
        double mean = total.doubleValue() / count;
        double spread = 0;
        for (SeriesMetric each : measured) {
            SeriesDetail detail = each.detail();
            if (detail == null) {
                return null;
            }
            clamped = sums.add("clamped values", clamped, detail.clamped());
            negative = sums.add("negative values", negative, detail.negative());
            double deviation = detail.stdDev() == null ? 0 : detail.stdDev();
            double partMean = each.total().doubleValue() / each.count();
            spread += deviation * deviation * (each.count() - 1) + (partMean - mean) * (partMean - mean) * each.count();
        }
        ByteBuffer encoded = ByteBuffer.allocate(sum.getNeededByteBufferCapacity());
        sum.encodeIntoCompressedByteBuffer(encoded);
        byte[] bytes = new byte[encoded.position()];
        encoded.get(0, bytes);
        return new SeriesDetail(
                false,
                clamped,
                negative,
                count < 2 ? null : (Double) Math.sqrt(spread / (count - 1)),
                Map.of(),
                shown,
                bytes);
    }
}
