package io.metricsaggregator.observe;

import io.metricsaggregator.event.Observation;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one kind of observation means. Belongs to the thread of the fold. A new kind is one of these, registered in {@link
 * Observations}, and its view.
 */
interface ObservationFold {
    /** What its types begin with, such as {@code transfer}; the first is its name. */
    List<String> categories();

    /**
     * Applies an observation of that category.
     *
     * @throws Observation.Rejected if it is none of its kind
     */
    void apply(Observation observation) throws Observation.Rejected;

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
