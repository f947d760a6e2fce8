package io.metricsaggregator.registry;

import io.metricsaggregator.snapshot.SeriesMetric;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A {@link SeriesRemainder} as of one moment. Where it is not recorded it is computed from the copies of the two series when it is rendered, bucket
 * by bucket, so that neither recording nor a run in which nothing is taken away costs anything. Belongs to the {@link RegistryCopy} that has both copies.
 */
final class RemainderCopy {
    private final String name;
    private final SeriesSnapshot whole;
    private final SeriesSnapshot part;
    private final SeriesSnapshot left;
    private final boolean isRecorded;
    private long expected = -1;

    /**
     * An empty copy.
     *
     * @param whole the copy of the series with all values
     * @param part the copy of the series whose values are taken away
     * @param recorded the copy of the values that remain, where they are recorded too; null otherwise
     */
    RemainderCopy(
            String name,
            SeriesSnapshot whole,
            SeriesSnapshot part,
            @Nullable SeriesSnapshot recorded,
            HistogramEncoder encoder) {
        this.name = name;
        this.whole = whole;
        this.part = part;
        this.isRecorded = recorded != null;
        this.left = recorded != null ? recorded : whole.named(name, encoder);
    }

    String name() {
        return name;
    }

    /** Sets the number of values that must remain; for the thread that records. */
    void expect(long values) {
        expected = values;
    }

    /**
     * Renders the remainder with percentiles of its histogram.
     *
     * @return null if nothing is taken away or remains, or the number of values that remain is not the expected one
     */
    @Nullable
    SeriesMetric render() {
        if (part.count() == 0 || expected <= 0) {
            return null;
        }
        boolean known = isRecorded || (remaining() == expected && left.setDifference(whole, part));
        return known ? left.render(false) : null;
    }

    private long remaining() {
        return whole.count() - part.count();
    }

    /**
     * Renders the remainder with exact percentiles, on the thread that owns both series. Its display histogram has the edges of the whole series.
     *
     * @param from the series with all values
     * @param away the series whose values are taken away
     * @return null as {@link #render} does; with percentiles of its histogram if not all values were kept, values of others remain too, or time ran out
     */
    @Nullable
    SeriesMetric renderExact(LongSeries from, LongSeries away, Workers workers, BooleanSupplier outOfTime) {
        SeriesMetric estimated = render();
        if (estimated == null || remaining() != expected) {
            return estimated;
        }
        long[] ranks = left.furtherRanks();
        long[] further = Arrays.copyOf(ranks, ranks.length + 2);
        further[ranks.length] = 0;
        further[ranks.length + 1] = estimated.count() - 1;
        ExactValues exact = ExactPass.of(from, away, further, workers, outOfTime);
        if (exact == null) {
            return estimated;
        }
        left.setExtremes(exact.furtherRaw(ranks.length), exact.furtherRaw(ranks.length + 1));
        return left.render(exact, false);
    }
}
