package io.metricsaggregator.snapshot;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The energy that GPUs and processors took during a run.
 *
 * @param run from the start of the session to its newest event, or what was measured in a run without a session; null before the first sample
 * @param tracked the tracked windows, each to the last completion among its samples; null before the first completion
 * @param steady from the first to the last issue of the steady window; null unless the run has ended steady
 * @param idleWatts power of the basis before the first issue; null with less than 10 s of samples there
 * @param notMeasured what could not be measured, and why; one clause each
 */
public record EnergyUse(
        @Nullable EnergyWindow run,
        @Nullable EnergyWindow tracked,
        @Nullable EnergyWindow steady,
        @Nullable Double idleWatts,
        List<String> notMeasured) {

    public EnergyUse {
        notMeasured = List.copyOf(notMeasured);
    }

    /** The window whose figures stand for the run: the tracked one, or the run where nothing was tracked; null before the first sample. */
    public @Nullable EnergyWindow main() {
        return tracked == null ? run : tracked;
    }
}
