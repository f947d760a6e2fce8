package io.metricsaggregator.event;

import org.jspecify.annotations.Nullable;

/**
 * The {@code data} of {@link EventType#SESSION_PHASE_START}: describes a phase of the session. Readers do not rely on the order of the elements: the
 * type is the first string after the tag, the number of turns the last integer.
 *
 * @param phaseType such as {@link #PERFORMANCE}; {@code ""} if the record has none
 * @param drainAfter whether the producer lets samples in flight finish before the next phase
 * @param turns samples in one pass over the dataset; null if the record has none
 */
public record PhaseData(
        String phaseType, boolean drainAfter, @Nullable Long turns) implements EventData {

    /** The tag: the first element of the array on the wire. */
    public static final String TAG = "PhaseData";

    /** The type of the measured phase. */
    public static final String PERFORMANCE = "performance";

    @Override
    public <X extends Exception> void accept(Visitor<X> visitor) throws X {
        visitor.phase(this);
    }

    @Override
    public String tag() {
        return TAG;
    }
}
