package io.metricsaggregator.registry;

import io.metricsaggregator.snapshot.SeriesDetail;
import io.metricsaggregator.snapshot.SeriesMetric;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.zip.Deflater;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What a series of integers holds beyond another one, whose values have all been recorded in it too. Nothing is recorded for it: the
 * values that are left are found in the values of both, so that a run in which nothing is to be told apart costs nothing.
 */
final class SeriesRemainder {
    private final String name;
    private final String whole;
    private final String part;
    private final List<LongSupplier> expected = new ArrayList<>();

    SeriesRemainder(String name, String whole, String part, LongSupplier expected) {
        this.name = name;
        this.whole = whole;
        this.part = part;
        this.expected.add(expected);
    }

    String name() {
        return name;
    }

    /** Expects the values of another registry's remainder of this name too. */
    void add(SeriesRemainder other) {
        expected.addAll(other.expected);
    }

    /**
     * The values that are left, with exact percentiles. Its display histogram has the edges of the whole series.
     *
     * @param all the series of the registry
     * @return null if nothing is taken away, nothing is left, not all values were kept, time ran out, or as many values as expected
     *     are not left
     */
    @Nullable
    SeriesMetric render(List<Series> all, Workers workers, BooleanSupplier outOfTime) {
        if (!(named(all, whole) instanceof LongSeries from)
                || !(named(all, part) instanceof LongSeries away)
                || !from.raw.isComplete()
                || !away.raw.isComplete()) {
            return null;
        }
        long count = from.count - away.count;
        if (away.count == 0
                || count <= 0
                || count != expected.stream().mapToLong(LongSupplier::getAsLong).sum()) {
            return null;
        }
        long[] next = from.grid.nextRanks(count);
        long[] further = Arrays.copyOf(next, next.length + 2);
        further[next.length] = 0;
        further[next.length + 1] = count - 1;
        ExactPass pass = new ExactPass(from, away, further, workers);
        return pass.run(outOfTime) ? metric(from, away, count, pass) : null;
    }

    private static @Nullable Series named(List<Series> all, String name) {
        return all.stream().filter(each -> each.name().equals(name)).findFirst().orElse(null);
    }

    private SeriesMetric metric(LongSeries from, LongSeries away, long count, ExactPass pass) {
        BigInteger total = from.sums.total().subtract(away.sums.total());
        BigInteger squares = from.sums.squares().subtract(away.sums.squares());
        Map<String, Double> interpolated = from.grid.interpolated(count, pass.found(), pass.further());
        int extremes = from.grid.size();
        SeriesDetail detail = new SeriesDetail(
                true,
                from.clamped - away.clamped,
                from.negative - away.negative,
                ExactSums.standardDeviation(total, squares, count),
                Map.of(),
                interpolated,
                encode(from, away));
        return new SeriesMetric(
                name,
                count,
                SeriesMetric.whole(total),
                pass.furtherRaw(extremes),
                pass.furtherRaw(extremes + 1),
                squares.doubleValue(),
                pass.percentiles(),
                pass.buckets(),
                null,
                detail);
    }

    private static byte[] encode(LongSeries from, LongSeries away) {
        Histogram left = from.histogram.copy();
        left.subtract(away.histogram);
        ByteBuffer into = ByteBuffer.allocate(left.getNeededByteBufferCapacity());
        left.encodeIntoCompressedByteBuffer(into, Deflater.BEST_SPEED);
        return Arrays.copyOf(into.array(), into.position());
    }
}
