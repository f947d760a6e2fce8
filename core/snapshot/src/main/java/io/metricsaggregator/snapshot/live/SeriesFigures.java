package io.metricsaggregator.snapshot.live;

import io.metricsaggregator.snapshot.SeriesDetail;
import io.metricsaggregator.snapshot.SeriesMetric;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The figures of a series that add up over runs, its percentiles, and its histogram as it is on the wire. Numbers are of the kinds of {@link SeriesMetric}.
 *
 * @param name the wire name
 * @param count number of values, at least 0
 * @param total sum of the values
 * @param min the smallest value; 0 without values
 * @param max the largest value; 0 without values
 * @param sumSq sum of the squares of the values
 * @param percentiles keys of the percentiles, such as {@code "99.0"}, in their order
 * @param values the percentiles that people see, in the order of the keys; see {@link SeriesMetric#percentile(String)}
 * @param buckets number of display buckets
 * @param clamped values outside the histogram's range
 * @param negative values below zero
 * @param stdDev standard deviation; null below two values
 * @param hdr the histogram in HdrHistogram's compressed encoding (V2), between position and limit; null if the snapshot has none. Its bytes are those
 *     of the snapshot, which may be written over later
 */
@SuppressWarnings("ArrayRecordComponent") // read once, never compared
public record SeriesFigures(
        String name,
        long count,
        Number total,
        Number min,
        Number max,
        Number sumSq,
        List<String> percentiles,
        double[] values,
        int buckets,
        long clamped,
        long negative,
        @Nullable Double stdDev,
        @Nullable ByteBuffer hdr) {

    /** The figures of a decoded series. */
    static SeriesFigures of(SeriesMetric from) {
        SeriesDetail detail = from.detail();
        byte[] hdr = detail == null ? null : detail.hdr();
        return new SeriesFigures(
                from.name(),
                from.count(),
                from.total(),
                from.min(),
                from.max(),
                from.sumSq(),
                List.copyOf(from.percentiles().keySet()),
                from.percentiles().keySet().stream()
                        .mapToDouble(key -> Objects.requireNonNull(from.percentile(key)))
                        .toArray(),
                from.histogram().size(),
                detail == null ? 0 : detail.clamped(),
                detail == null ? 0 : detail.negative(),
                detail == null ? null : detail.stdDev(),
                hdr == null ? null : ByteBuffer.wrap(hdr));
    }

    /** The value of a percentile by its key; null if the series lacks it. */
    public @Nullable Double percentile(String key) {
        int index = percentiles.indexOf(key);
        return index < 0 ? null : (Double) values[index];
    }
}
