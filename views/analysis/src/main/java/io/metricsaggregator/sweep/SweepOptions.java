package io.metricsaggregator.sweep;

import org.jspecify.annotations.Nullable;

/**
 * What a sweep draws and asks.
 *
 * @param x horizontal axis of the front
 * @param y vertical axis of the front, and the throughput by which saturation is found
 * @param includeUnsound whether invalid and incomplete points may be on the front
 * @param requirement limits for the largest concurrency that meets them; null for none
 */
public record SweepOptions(
        PointFigure x,
        PointFigure y,
        boolean includeUnsound,
        @Nullable Requirement requirement) {
    /** {@code system_tps} over {@code tps_per_user} of sound points, without a requirement. */
    public static final SweepOptions DEFAULT =
            new SweepOptions(PointFigure.TPS_PER_USER, PointFigure.SYSTEM_TPS, false, null);
}
