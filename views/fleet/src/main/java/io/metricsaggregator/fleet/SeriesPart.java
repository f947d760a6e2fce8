package io.metricsaggregator.fleet;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.live.SeriesFigures;
import java.nio.ByteBuffer;
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
    static SeriesPart of(SeriesFigures series, @Nullable SeriesPart before, Inflater inflater)
            throws RefusedNodeException {
        ByteBuffer hdr = series.hdr();
        byte[] encoded = NONE;
        HdrCounts counts = null;
        if (series.count() > 0) {
            if (hdr == null || !hdr.hasRemaining()) {
                throw new RefusedNodeException("series " + series.name() + " has no histogram, so it cannot be added");
            }
            if (before != null && hdr.equals(ByteBuffer.wrap(before.encoded))) {
                counts = before.counts;
                encoded = before.encoded;
            } else {
                encoded = new byte[hdr.remaining()];
                hdr.get(hdr.position(), encoded);
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
                series.percentiles(),
                series.buckets(),
                series.clamped(),
                series.negative(),
                series.stdDev() == null ? 0 : series.stdDev(),
                encoded,
                counts);
    }

    private static HdrCounts counts(SeriesFigures series, byte[] bytes, Inflater inflater) throws RefusedNodeException {
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
