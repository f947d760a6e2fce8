package io.metricsaggregator.registry;

import io.metricsaggregator.snapshot.SeriesDetail;
import io.metricsaggregator.snapshot.SeriesMetric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * A series of integers that is not recorded: the values of one series ("whole") that remain when those of another ("part"), which are
 * all in the first too, are taken away. It is computed from the values of both at the end, so that a run in which nothing is taken away
 * costs nothing. Belongs to the thread that owns the registry.
 */
final class SeriesRemainder {
    private final String name;
    private final String whole;
    private final String part;
    private final List<LongSupplier> expected = new ArrayList<>();

    /**
     * A remainder.
     *
     * @param whole name of the series with all values
     * @param part name of the series whose values are taken away
     * @param expected number of values that must remain; asked for when it is rendered
     */
    SeriesRemainder(String name, String whole, String part, LongSupplier expected) {
        this.name = name;
        this.whole = whole;
        this.part = part;
        this.expected.add(expected);
    }

    String name() {
        return name;
    }

    String whole() {
        return whole;
    }

    String part() {
        return part;
    }

    /** Number of values that must remain; negative if it is unknown. */
    long expected() {
        long sum = 0;
        for (LongSupplier each : expected) {
            long one = each.getAsLong();
            if (one < 0) {
                return -1;
            }
            sum += one;
        }
        return sum;
    }

    /** Adds the number of values that another registry expects of its remainder of this name. */
    void add(SeriesRemainder other) {
        expected.addAll(other.expected);
    }

    /**
     * Renders the remainder with exact percentiles. Its display histogram has the edges of the whole series.
     *
     * @return null if nothing is taken away, nothing remains, not all values were kept, time ran out, or the number of values that
     *     remain is not the expected one
     */
    @Nullable
    SeriesMetric render(LongSeries from, LongSeries away, Workers workers, BooleanSupplier outOfTime) {
        long count = from.count() - away.count();
        if (away.count() == 0 || count <= 0 || count != expected()) {
            return null;
        }
        long[] next = from.layout().grid().nextRanks(count);
        long[] further = Arrays.copyOf(next, next.length + 2);
        further[next.length] = 0;
        further[next.length + 1] = count - 1;
        ExactValues exact = ExactPass.of(from, away, further, workers, outOfTime);
        return exact == null ? null : metric(from, away, exact);
    }

    private SeriesMetric metric(LongSeries from, LongSeries away, ExactValues exact) {
        PercentileGrid grid = from.layout().grid();
        int extremes = grid.size();
        LongStatistics left = from.statisticsWithout(away, exact.furtherRaw(extremes), exact.furtherRaw(extremes + 1));
        Map<String, Double> interpolated = grid.interpolated(left.count(), exact.percentiles(), exact.further());
        SeriesDetail detail = new SeriesDetail(
                true,
                from.clamped() - away.clamped(),
                left.negative(),
                left.standardDeviation(),
                Map.of(),
                interpolated,
                encode(from, away));
        return new SeriesMetric(
                name,
                left.count(),
                left.total(),
                left.min(),
                left.max(),
                left.squares(),
                grid.map(exact.percentiles()),
                exact.buckets(),
                null,
                detail);
    }

    private static byte[] encode(LongSeries from, LongSeries away) {
        Histogram left = from.histogram().copy();
        left.subtract(away.histogram());
        return new HistogramEncoder().encode(left);
    }
}
