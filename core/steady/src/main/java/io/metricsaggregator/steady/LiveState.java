package io.metricsaggregator.steady;

import java.util.Locale;

/** Whether a run has reached steady state, judged while it runs. */
public enum LiveState {
    /** Fewer than four closed blocks after the warm-up, or the number in flight is still rising. */
    WARMING_UP,
    /** The level changed by more than 5 % between two plateaus. */
    SHIFTED,
    /** The driver rises: the server becomes slower. */
    DRIFTING_UP,
    /** The driver falls: the server becomes faster. */
    DRIFTING_DOWN,
    /** The latest blocks hold one level. */
    STEADY,
    /** None of the others: the values scatter. */
    UNSTEADY;

    /** The name in a snapshot, such as {@code warming_up}. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }
}
