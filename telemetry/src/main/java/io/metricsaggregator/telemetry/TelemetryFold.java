package io.metricsaggregator.telemetry;

import io.metricsaggregator.event.TelemetryRecord;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one kind of observation means. Belongs to the thread of the fold. A new kind is one of these, registered in {@link
 * TelemetryFolds}, and its view.
 */
interface TelemetryFold {
    /** What its types begin with, such as {@code transfer}; the first is its name. */
    List<String> categories();

    /**
     * Applies an observation of that category.
     *
     * @throws TelemetryRecord.Rejected if it is none of its kind
     */
    void apply(TelemetryRecord observation) throws TelemetryRecord.Rejected;

    /** Whether there is anything to show. */
    boolean isEmpty();

    /**
     * What is known, as a tree of maps, lists, texts and numbers; null for what was not measured.
     *
     * @param terminal whether the run ends with it
     */
    Map<String, @Nullable Object> freeze(boolean terminal);

    /** A second has passed, or more: for what goes by the receiver's time. */
    default void tick(long nowNanos) {}
}
