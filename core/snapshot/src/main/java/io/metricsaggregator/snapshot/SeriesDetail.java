package io.metricsaggregator.snapshot;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import io.metricsaggregator.snapshot.fields.FixedMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a series that MLCommons endpoints does not have.
 *
 * @param exact whether all percentiles are those of the raw values; if false, of the HDR histogram
 * @param clamped values outside the histogram's range, which the histogram holds at its edge; sums and raw values are unaffected
 * @param negative values below zero: the event that ends the interval has the smaller timestamp
 * @param stdDev standard deviation (n − 1), from exact sums; null below two values
 * @param certification the bound of each percentile of the grid at or above 50; empty for series that are not certified
 * @param interpolated the percentiles that people see, by the keys of the grid: interpolated linearly between the two nearest values (numpy's default),
 *     or estimated by the same rule from the histogram unless exact; empty in snapshots that have none
 * @param hdr the histogram in HdrHistogram's compressed encoding (V2), which any port of HdrHistogram merges; null if it was left out
 */
@SuppressWarnings("ArrayRecordComponent") // carried along, never compared
public record SeriesDetail(
        boolean exact,
        long clamped,
        long negative,
        @Nullable Double stdDev,
        Map<String, Certificate> certification,
        Map<String, Double> interpolated,
        byte @Nullable [] hdr) {

    /** Creates a detail without interpolated percentiles. */
    public SeriesDetail(
            boolean exact,
            long clamped,
            long negative,
            @Nullable Double stdDev,
            Map<String, Certificate> certification,
            byte @Nullable [] hdr) {
        this(exact, clamped, negative, stdDev, certification, Map.of(), hdr);
    }

    static final SeriesDetail BLANK = new SeriesDetail(false, 0, 0, null, Map.of(), null);

    static SeriesDetail pass(Fields f, SeriesDetail v) throws MalformedMessageException {
        return new SeriesDetail(
                f.flag("exact", v.exact()),
                f.count("clamped", v.clamped()),
                f.count("negative", v.negative()),
                f.maybeReal("std_dev", v.stdDev()),
                f.absentMap("certification", v.certification(), Certificate::pass, Certificate.BLANK),
                f.absentReals("interpolated", v.interpolated()),
                f.maybeBytes("hdr", v.hdr()));
    }

    /** The same where the total is rounded, because msgpack has no integer that is as large. */
    static SeriesDetail passRounded(Fields f, SeriesDetail v) throws MalformedMessageException {
        SeriesDetail detail = pass(f, v);
        f.derived("total_rounded", true);
        return detail;
    }

    public SeriesDetail {
        interpolated = FixedMap.copyOf(interpolated);
        certification = FixedMap.copyOf(certification);
    }
}
