package io.metricsaggregator.snapshot.histogram;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.SeriesDetail;
import io.metricsaggregator.snapshot.SeriesMetric;
import java.util.Arrays;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * One series of a snapshot in the form in which {@link SeriesAdder} adds series. Immutable.
 *
 * @param counts the counts of its histogram; null for a series without values
 */
public record SeriesPart(SeriesMetric series, @Nullable HdrCounts counts) {
    /**
     * Reads a series.
     *
     * @param before the same series in the snapshot before, whose counts are kept if nothing was recorded since; null without one
     * @param inflater reset and reused
     * @throws MalformedMessageException if it has values and no usable histogram
     */
    public static SeriesPart of(SeriesMetric series, @Nullable SeriesPart before, Inflater inflater)
            throws MalformedMessageException {
        if (series.count() == 0) {
            return new SeriesPart(series, null);
        }
        byte[] hdr = hdr(series);
        if (hdr == null || hdr.length == 0) {
            throw new MalformedMessageException("series " + series.name() + " has no histogram, so it cannot be added");
        }
        if (before != null && before.counts != null && Arrays.equals(hdr, hdr(before.series))) {
            return new SeriesPart(series, before.counts);
        }
        HdrCounts counts;
        try {
            counts = HdrCounts.read(hdr, inflater);
        } catch (MalformedMessageException e) {
            throw new MalformedMessageException("series " + series.name() + ": " + e.getMessage());
        }
        if (counts.total() != series.count()) {
            throw new MalformedMessageException("series " + series.name() + " has " + series.count()
                    + " values and its histogram " + counts.total());
        }
        return new SeriesPart(series, counts);
    }

    private static byte @Nullable [] hdr(SeriesMetric series) {
        SeriesDetail detail = series.detail();
        return detail == null ? null : detail.hdr();
    }

    /** Precision of its histogram, 1 to 5; {@link Integer#MAX_VALUE} without values. */
    int significantFigures() {
        return counts == null ? Integer.MAX_VALUE : counts.grid().significantFigures();
    }

    /** Number of values. */
    public long count() {
        return series.count();
    }
}
