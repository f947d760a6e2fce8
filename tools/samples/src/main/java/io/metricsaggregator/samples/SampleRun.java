package io.metricsaggregator.samples;

import io.metricsaggregator.journal.RunOrigin;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the rows of a run need besides its records. Immutable.
 *
 * @param origin id, node and clock of the run
 * @param tracksAll whether every sample is tracked from the first record on, whatever the session's events say
 * @param objectives the limits that a good sample keeps; null if the run has none
 */
public record SampleRun(
        RunOrigin origin, boolean tracksAll, @Nullable SampleObjectives objectives) {
    /** A run of which nothing is known: samples are tracked as its session's events say. */
    public static final SampleRun UNKNOWN = new SampleRun(RunOrigin.UNKNOWN, false, null);

    /** Reads the facts from the description of a run in its journal. */
    public static SampleRun of(Map<String, String> description) {
        return new SampleRun(
                RunOrigin.of(description), "all".equals(description.get("track")), SampleObjectives.of(description));
    }
}
