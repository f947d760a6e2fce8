package io.metricsaggregator.fleet;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.SeriesDetail;
import io.metricsaggregator.snapshot.SeriesMetric;
import java.util.Arrays;
import java.util.List;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * One series of a node's snapshot in the form in which series are added up. Immutable.
 *
 * @param percentiles keys of its percentiles, in their order
 * @param buckets number of its display buckets
 * @param encoded the histogram as it came; empty for a series without values
 * @param counts the counts of the histogram; null for a series without values
 */
@SuppressWarnings("ArrayRecordComponent") // compared by hand, with the bytes of the snapshot before
record SeriesPart(
        String name,
        long count,
        Number total,
        Number min,
        Number max,
        Number sumSq,
        List<String> percentiles,
        int buckets,
        long clamped,
        long negative,
        double stdDev,
        byte[] encoded,
        @Nullable HdrCounts counts) {
    private static final byte[] NONE = {};

    /**
     * Reads a series.
     *
     * @param before the same series in the snapshot before, whose counts are kept if nothing was recorded since; null without one
     * @throws RefusedNodeException if it has values and no usable histogram
     */
    static SeriesPart of(SeriesMetric series, @Nullable SeriesPart before, Inflater inflater)
            throws RefusedNodeException {
        SeriesDetail detail = series.detail();
        byte[] hdr = detail == null ? null : detail.hdr();
        byte[] encoded = NONE;
        HdrCounts counts = null;
        if (series.count() > 0) {
            if (hdr == null || hdr.length == 0) {
                throw new RefusedNodeException("series " + series.name() + " has no histogram, so it cannot be added");
            }
            if (before != null && Arrays.equals(hdr, before.encoded)) {
                counts = before.counts;
                encoded = before.encoded;
            } else {
                encoded = hdr;
                counts = counts(series, encoded, inflater);
            }
        }
        return new SeriesPart(
                series.name(),
                series.count(),
                series.total(),
                series.min(),
                series.max(),
                series.sumSq(),
                List.copyOf(series.percentiles().keySet()),
                series.histogram().size(),
                detail == null ? 0 : detail.clamped(),
                detail == null ? 0 : detail.negative(),
                detail == null || detail.stdDev() == null ? 0 : detail.stdDev(),
                encoded,
                counts);
    }

    private static HdrCounts counts(SeriesMetric series, byte[] bytes, Inflater inflater) throws RefusedNodeException {
        HdrCounts counts;
        try {
            counts = HdrCounts.read(bytes, inflater);
        } catch (MalformedMessageException e) {
            throw new RefusedNodeException("series " + series.name() + ": " + e.getMessage());
        }
        if (counts.total() != series.count()) {
            throw new RefusedNodeException("series " + series.name() + " has " + series.count()
                    + " values and its histogram " + counts.total());
        }
        return counts;
    }
}
