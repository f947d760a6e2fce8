package io.metricsaggregator.runs;

import io.metricsaggregator.report.HdrExport;
import io.metricsaggregator.snapshot.HistogramBucket;
import io.metricsaggregator.snapshot.SeriesDetail;
import io.metricsaggregator.snapshot.SeriesMetric;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Series of several runs as one. Count, sum, smallest and largest stay exact, and so do the counts of every bucket of the histogram;
 * percentiles are then those of the histogram, right within its precision, unless only one run has values. The standard deviation follows
 * from those of the parts: Σ(nᵢ − 1)sᵢ² + Σnᵢ(mᵢ − m)² over n − 1 (Chan et al.).
 */
final class SeriesMerge {
    private static final int BUCKETS = 30;

    private SeriesMerge() {}

    static SeriesMetric merge(String name, List<SeriesMetric> parts) {
        List<SeriesMetric> measured =
                parts.stream().filter(each -> each.count() > 0).toList();
        if (measured.isEmpty()) {
            return parts.get(0);
        }
        if (measured.size() == 1) {
            return measured.get(0);
        }
        Histogram sum = null;
        for (SeriesMetric each : measured) {
            Histogram histogram = HdrExport.histogram(each);
            if (histogram == null) {
                throw new IllegalArgumentException(
                        "series " + name + " of one run carries no histogram: it cannot be merged");
            }
            if (sum == null) {
                sum = histogram;
            } else {
                sum.add(histogram);
            }
        }
        long count = measured.stream().mapToLong(SeriesMetric::count).sum();
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
                percentiles(measured, sum),
                buckets(sum, min.doubleValue(), max.doubleValue()),
                null,
                detail(measured, sum, count, total));
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

    private static Map<String, Double> percentiles(List<SeriesMetric> measured, Histogram sum) {
        Map<String, Double> percentiles = new LinkedHashMap<>();
        for (String each : measured.get(0).percentiles().keySet()) {
            percentiles.put(each, (double) sum.getValueAtPercentile(Double.parseDouble(each)));
        }
        return percentiles;
    }

    /** Log-spaced from the smallest to the largest, as in a daemon's snapshot. */
    private static List<HistogramBucket> buckets(Histogram sum, double min, double max) {
        double low = Math.max(1, min);
        double high = Math.max(low * 1.000001, max);
        long[] counts = new long[BUCKETS];
        for (var step : sum.recordedValues()) {
            double value = Math.min(high, Math.max(low, (double) step.getValueIteratedTo()));
            int bucket = (int) (Math.log(value / low) / Math.log(high / low) * BUCKETS);
            counts[Math.max(0, Math.min(BUCKETS - 1, bucket))] += step.getCountAddedInThisIterationStep();
        }
        List<HistogramBucket> buckets = new ArrayList<>();
        for (int i = 0; i < BUCKETS; i++) {
            buckets.add(new HistogramBucket(
                    low * Math.pow(high / low, (double) i / BUCKETS),
                    low * Math.pow(high / low, (double) (i + 1) / BUCKETS),
                    counts[i]));
        }
        return buckets;
    }

    private static @Nullable SeriesDetail detail(List<SeriesMetric> measured, Histogram sum, long count, Number total) {
        long clamped = 0;
        long negative = 0;
        double mean = total.doubleValue() / count;
        double spread = 0;
        for (SeriesMetric each : measured) {
            SeriesDetail detail = each.detail();
            if (detail == null) {
                return null;
            }
            clamped += detail.clamped();
            negative += detail.negative();
            double deviation = detail.stdDev() == null ? 0 : detail.stdDev();
            double partMean = each.total().doubleValue() / each.count();
            spread += deviation * deviation * (each.count() - 1) + (partMean - mean) * (partMean - mean) * each.count();
        }
        ByteBuffer encoded = ByteBuffer.allocate(sum.getNeededByteBufferCapacity());
        sum.encodeIntoCompressedByteBuffer(encoded);
        byte[] bytes = new byte[encoded.position()];
        encoded.get(0, bytes);
        return new SeriesDetail(
                false, clamped, negative, count < 2 ? null : (Double) Math.sqrt(spread / (count - 1)), Map.of(), bytes);
    }
}
