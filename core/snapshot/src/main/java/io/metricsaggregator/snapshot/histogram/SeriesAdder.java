package io.metricsaggregator.snapshot.histogram;

import io.metricsaggregator.snapshot.SeriesDetail;
import io.metricsaggregator.snapshot.SeriesMetric;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/**
 * Adds up one series of several daemons; its buckets are reused from sum to sum. Count, sum, sum of squares, extremes and histogram are those of one
 * daemon that had seen all values, percentiles those of its histogram; the standard deviation follows from those of the parts:
 * Σ(nᵢ − 1)sᵢ² + Σnᵢ(mᵢ − m)² over n − 1 (Chan et al.). One owner.
 */
public final class SeriesAdder {
    private final String name;
    private @Nullable HdrSum histogram;
    private final List<SeriesMetric> parts = new ArrayList<>();

    /** A sum without parts. */
    public SeriesAdder(String name) {
        this.name = name;
    }

    /** Adds integers that are part of a sum. */
    public interface Plus {
        /**
         * The sum of two numbers, neither of them negative.
         *
         * @param what what they count
         */
        long of(String what, long a, long b);
    }

    /** Starts a new sum. The buckets of the histogram stay. */
    public void clear() {
        parts.clear();
        if (histogram != null) {
            histogram.clear();
        }
    }

    /** Why the buckets of a part differ from those of the sum, in words; null if they do not. */
    public @Nullable String objection(SeriesPart part) {
        HdrCounts counts = part.counts();
        if (counts == null || histogram == null || histogram.grid().sameBuckets(counts.grid())) {
            return null;
        }
        HdrGrid own = histogram.grid();
        HdrGrid other = counts.grid();
        return own.significantFigures() == other.significantFigures()
                ? "histogram of " + name + " starts at " + other.lowest() + ", that of the sum at " + own.lowest()
                : "histogram of " + name + " has " + other.significantFigures()
                        + " significant figures, that of the sum " + own.significantFigures();
    }

    /** Sets the precision, unless an earlier part did. */
    public void reserve(SeriesPart part) {
        if (histogram == null && part.counts() != null) {
            histogram = new HdrSum(part.counts().grid());
        }
    }

    /** Adds a part. The first one with values decides the precision. */
    public void add(SeriesPart part) {
        parts.add(part.series());
        reserve(part);
        if (histogram != null && part.counts() != null) {
            histogram.add(part.counts());
        }
    }

    /** Adds parts, at least one. If the sum is new, the lowest of their precisions decides. */
    public void addAll(List<SeriesPart> more) {
        reserve(Collections.min(more, Comparator.comparingInt(SeriesPart::significantFigures)));
        more.forEach(this::add);
    }

    /** Whether any part was added since the sum started. */
    public boolean hasParts() {
        return !parts.isEmpty();
    }

    /** The histogram of the sum; null until a part had values. */
    public @Nullable HdrSum histogram() {
        return histogram;
    }

    /** The smallest value; 0 without values. */
    public double min() {
        return measured().mapToDouble(each -> each.min().doubleValue()).min().orElse(0);
    }

    /** The largest value; 0 without values. */
    public double max() {
        return measured().mapToDouble(each -> each.max().doubleValue()).max().orElse(0);
    }

    private Stream<SeriesMetric> measured() {
        return parts.stream().filter(each -> each.count() > 0);
    }

    /**
     * The sum as a series of a snapshot; at least one part was added.
     *
     * @param plus the sums of counts
     * @param deflater reset and reused
     */
    public SeriesMetric sum(Plus plus, Deflater deflater) {
        List<SeriesMetric> measured = measured().toList();
        HdrSum sum = histogram;
        if (measured.isEmpty() || sum == null) {
            return empty(parts.get(0));
        }
        long count = 0;
        long clamped = 0;
        long negative = 0;
        int buckets = 1;
        Number total = 0L;
        Number squares = 0L;
        Number min = measured.get(0).min();
        Number max = measured.get(0).max();
        for (SeriesMetric each : measured) {
            count = plus.of("values of " + name, count, each.count());
            SeriesDetail detail = each.detail();
            if (detail != null) {
                clamped = plus.of("clamped values", clamped, detail.clamped());
                negative = plus.of("negative values", negative, detail.negative());
            }
            buckets = Math.max(buckets, each.histogram().size());
            total = plus(total, each.total());
            squares = plus(squares, each.sumSq());
            min = each.min().doubleValue() < min.doubleValue() ? each.min() : min;
            max = each.max().doubleValue() > max.doubleValue() ? each.max() : max;
        }
        var keys = measured.get(0).percentiles().keySet();
        return new SeriesMetric(
                name,
                count,
                total,
                min,
                max,
                squares,
                sum.percentiles(keys, count),
                sum.buckets(buckets, min.doubleValue(), max.doubleValue()),
                null,
                new SeriesDetail(
                        false,
                        clamped,
                        negative,
                        deviation(measured, count, total),
                        Map.of(),
                        sum.shown(keys, count, min.doubleValue(), max.doubleValue()),
                        sum.encode(deflater)));
    }

    private SeriesMetric empty(SeriesMetric any) {
        Map<String, Double> zeros = new LinkedHashMap<>();
        any.percentiles().keySet().forEach(key -> zeros.put(key, 0.0));
        return new SeriesMetric(
                name,
                0,
                any.total(),
                any.min(),
                any.max(),
                any.sumSq(),
                zeros,
                List.of(),
                null,
                new SeriesDetail(true, 0, 0, null, Map.of(), null));
    }

    private static @Nullable Double deviation(List<SeriesMetric> measured, long count, Number total) {
        if (count < 2) {
            return null;
        }
        if (measured.size() == 1) {
            return deviation(measured.get(0));
        }
        double mean = total.doubleValue() / count;
        double spread = 0;
        for (SeriesMetric each : measured) {
            double apart = each.total().doubleValue() / each.count() - mean;
            double own = deviation(each);
            spread += own * own * (each.count() - 1) + apart * apart * each.count();
        }
        return Math.sqrt(spread / (count - 1));
    }

    private static double deviation(SeriesMetric part) {
        Double known = part.detail() == null ? null : part.detail().stdDev();
        return known == null ? 0 : known;
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
}
