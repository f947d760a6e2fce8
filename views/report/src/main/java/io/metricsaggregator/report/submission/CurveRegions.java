package io.metricsaggregator.report.submission;

import io.metricsaggregator.sweep.Regions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The regions of a curve by their names in submissions.
 *
 * @param regions their bounds
 * @param ultraLowTo last concurrency that counts as ultra-low: 32, or a declared {@code c_min_override}
 */
record CurveRegions(Regions regions, long ultraLowTo) {
    /** The regions that need a point and an accuracy result each. */
    static final List<String> MANDATORY =
            List.of("ultra_low_concurrency", "low_concurrency", "med_concurrency", "high_concurrency");

    /** The regions up to a largest supported concurrency; null without points at fixed concurrency, and if that is not above 32. */
    static @Nullable CurveRegions of(@Nullable Long largest, @Nullable Long override, Collection<Long> concurrencies) {
        long lowest = concurrencies.stream().min(Long::compare).orElse(0L);
        if (largest == null || largest <= Regions.ULTRA_LOW_TO || lowest < 1) {
            return null;
        }
        long from = override == null ? Math.min(lowest, Regions.ULTRA_LOW_TO) : override;
        return from < 1 || from > Regions.ULTRA_LOW_TO
                ? null
                : new CurveRegions(Regions.of(from, largest), override == null ? Regions.ULTRA_LOW_TO : from);
    }

    /** The region of a concurrency; null beyond the margin. */
    @Nullable
    String name(long concurrency) {
        if (concurrency > regions.marginTo()) {
            return null;
        }
        if (concurrency > regions.to()) {
            return "margin";
        }
        if (concurrency <= regions.from()) {
            return "low_latency";
        }
        return concurrency <= regions.lowTo()
                ? "low_concurrency"
                : concurrency <= regions.mediumTo() ? "med_concurrency" : "high_concurrency";
    }

    /** The mandatory regions that a point at a concurrency can stand for. */
    List<String> mandatory(long concurrency) {
        List<String> names = new ArrayList<>();
        if (concurrency <= ultraLowTo) {
            names.add(MANDATORY.get(0));
        }
        String name = name(concurrency);
        if (name != null && MANDATORY.contains(name)) {
            names.add(name);
        }
        return names;
    }

    /** Shortest steady duration of a point, in seconds. */
    static double secondsMin(long concurrency, boolean agentic) {
        return concurrency <= Regions.ULTRA_LOW_TO ? 600 : agentic ? 2400 : 1200;
    }
}
