package io.metricsaggregator.event;

import org.jspecify.annotations.Nullable;

/**
 * What a phase of a session is, with {@link EventType#SESSION_PHASE_START}. Readers do not rely on the order of the elements: the
 * type is the first string after the tag, the number of turns the last integer.
 *
 * @param phaseType such as {@link #PERFORMANCE}; {@code ""} if it is not said
 * @param drainAfter whether the producer lets samples in flight finish before the next phase
 * @param turns samples in one pass over the dataset; null if it is not said
 */
public record PhaseData(
        String phaseType, boolean drainAfter, @Nullable Long turns) implements EventData {

    /** The first element on the wire. */
    public static final String TAG = "PhaseData";

    /** The type of the phase that is measured. */
    public static final String PERFORMANCE = "performance";

    @Override
    public String tag() {
        return TAG;
    }
}
