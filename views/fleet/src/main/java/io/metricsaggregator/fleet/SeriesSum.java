package io.metricsaggregator.fleet;

import io.metricsaggregator.snapshot.SeriesDetail;
import io.metricsaggregator.snapshot.SeriesMetric;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/**
 * The sum of one series over the nodes, computed anew for every snapshot. Count, sum, sum of squares, extremes and histogram are those of one daemon
 * that had seen all values; the standard deviation follows from those of the nodes: Σ(nᵢ − 1)sᵢ² + Σnᵢ(mᵢ − m)² over n − 1 (Chan et al.). One owner.
 */
final class SeriesSum {
    private final String name;
    private @Nullable HdrSum histogram;
    private final List<SeriesPart> parts = new ArrayList<>();

    SeriesSum(String name) {
        this.name = name;
    }

    /** Starts a new sum. The buckets of the histogram stay. */
    void clear() {
        parts.clear();
        if (histogram != null) {
            histogram.clear();
        }
    }

    /** Why a part cannot be added, in words; null if it can. The first part with values decides the precision. */
    @Nullable
    String objection(SeriesPart part) {
        HdrCounts counts = part.counts();
        if (counts == null || histogram == null || histogram.takes(counts.grid())) {
            return null;
        }
        HdrGrid own = histogram.grid();
        HdrGrid other = counts.grid();
        return own.significantFigures() == other.significantFigures()
                ? "histogram of " + name + " starts at " + other.lowest() + ", that of the fleet at " + own.lowest()
                : "histogram of " + name + " has " + other.significantFigures()
                        + " significant figures, that of the fleet " + own.significantFigures();
    }

    /** Sets the precision, unless an earlier part did. */
    void reserve(SeriesPart part) {
        if (histogram == null && part.counts() != null) {
            histogram = new HdrSum(part.counts().grid());
        }
    }

    /** Adds a part without objection. */
    void add(SeriesPart part) {
        parts.add(part);
        if (part.counts() != null) {
            reserve(part);
            if (histogram != null) {
                histogram.add(part.counts());
            }
        }
    }

    /** Whether any part was added since the sum started. */
    boolean hasParts() {
        return !parts.isEmpty();
    }

    /** The histogram of the sum; null until a part had values. */
    @Nullable
    HdrSum histogram() {
        return histogram;
    }

    /** The smallest value; 0 without values. */
    double min() {
        return measured().mapToDouble(each -> each.min().doubleValue()).min().orElse(0);
    }

    /** The largest value; 0 without values. */
    double max() {
        return measured().mapToDouble(each -> each.max().doubleValue()).max().orElse(0);
    }

    private Stream<SeriesPart> measured() {
        return parts.stream().filter(each -> each.count() > 0);
    }

    /** The sum as a series of a snapshot; at least one part was added. */
    SeriesMetric render(Deflater deflater) {
        List<SeriesPart> measured = measured().toList();
        HdrSum sum = histogram;
        if (measured.isEmpty() || sum == null) {
            return empty();
        }
        long count = 0;
        long clamped = 0;
        long negative = 0;
        int buckets = 1;
        Number total = measured.get(0).total();
        Number squares = measured.get(0).sumSq();
        Number min = measured.get(0).min();
        Number max = measured.get(0).max();
        boolean first = true;
        for (SeriesPart each : measured) {
            count = capped(count, each.count());
            clamped = capped(clamped, each.clamped());
            negative = capped(negative, each.negative());
            buckets = Math.max(buckets, each.buckets());
            if (!first) {
                total = plus(total, each.total());
                squares = plus(squares, each.sumSq());
            }
            min = each.min().doubleValue() < min.doubleValue() ? each.min() : min;
            max = each.max().doubleValue() > max.doubleValue() ? each.max() : max;
            first = false;
        }
        return new SeriesMetric(
                name,
                count,
                total,
                min,
                max,
                squares,
                sum.percentiles(measured.get(0).percentiles(), count),
                sum.buckets(buckets, min.doubleValue(), max.doubleValue()),
                null,
                new SeriesDetail(
                        false,
                        clamped,
                        negative,
                        deviation(measured, count, total),
                        Map.of(),
                        sum.shown(measured.get(0).percentiles(), count, min.doubleValue(), max.doubleValue()),
                        sum.encode(deflater)));
    }

    private SeriesMetric empty() {
        SeriesPart any = parts.get(0);
        Map<String, Double> zeros = new LinkedHashMap<>();
        any.percentiles().forEach(key -> zeros.put(key, 0.0));
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

    private static @Nullable Double deviation(List<SeriesPart> measured, long count, Number total) {
        if (count < 2) {
            return null;
        }
        if (measured.size() == 1) {
            return measured.get(0).stdDev();
        }
        double mean = total.doubleValue() / count;
        double spread = 0;
        for (SeriesPart each : measured) {
            double apart = each.total().doubleValue() / each.count() - mean;
            spread += each.stdDev() * each.stdDev() * (each.count() - 1) + apart * apart * each.count();
        }
        return Math.sqrt(spread / (count - 1));
    }

    private static long capped(long a, long b) {
        long sum = a + b;
        return sum < a ? Long.MAX_VALUE : sum;
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
