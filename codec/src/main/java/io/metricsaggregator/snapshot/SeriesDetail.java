package io.metricsaggregator.snapshot;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What this project says of a series beyond the compatible fields.
 *
 * @param exact whether the percentiles are of the values themselves; otherwise they are of the HDR histogram
 * @param clamped values outside the histogram's range, recorded at its edge there (and nowhere else)
 * @param negative values below zero: an event that came before the one it is measured from
 * @param stdDev standard deviation (n − 1), from exact sums; null below two values
 * @param certification for each percentile of the grid at or above 50 what is sure of it; empty for series of no duration
 * @param interpolated the usual percentiles with linear interpolation between the values on both sides, as numpy has them by default;
 *     empty unless exact
 * @param hdr the histogram in HdrHistogram's compressed encoding (V2), mergeable by any of its ports; null if it was left out
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

    /** Without interpolated percentiles. */
    public SeriesDetail(
            boolean exact,
            long clamped,
            long negative,
            @Nullable Double stdDev,
            Map<String, Certificate> certification,
            byte @Nullable [] hdr) {
        this(exact, clamped, negative, stdDev, certification, Map.of(), hdr);
    }

    public SeriesDetail {
        interpolated = Collections.unmodifiableMap(new LinkedHashMap<>(interpolated));
        certification = Collections.unmodifiableMap(new LinkedHashMap<>(certification));
    }
}
