package io.metricsaggregator.snapshot;

import org.jspecify.annotations.Nullable;

/**
 * Figures of a run from optional keys of the load generator's records. A figure is null in a run whose producer does not send its key.
 *
 * @param usage tokens that servers reported
 */
public record OptionalFigures(@Nullable ReportedUsage usage) {
    /** The figures of a run without optional keys. */
    public static final OptionalFigures NONE = new OptionalFigures(null);
}
