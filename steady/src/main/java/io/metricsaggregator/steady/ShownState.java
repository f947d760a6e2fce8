package io.metricsaggregator.steady;

/**
 * The state that is shown: a verdict replaces it after two closings in a row with the same state, so that a single odd block changes nothing. Used by
 * one thread.
 */
public final class ShownState {
    private static final LiveVerdict NONE =
            new LiveVerdict(LiveState.WARMING_UP, 1, 1, 0, Double.NaN, Double.NaN, Double.NaN, null);

    private LiveVerdict shown = NONE;
    private LiveState previous = LiveState.WARMING_UP;

    /** Takes the verdict after a block has closed, and returns the one to show. */
    public LiveVerdict closed(LiveVerdict verdict) {
        if (verdict.state() == previous || verdict.state() == shown.state()) {
            shown = verdict;
        }
        previous = verdict.state();
        return shown;
    }

    /** The verdict to show; warming up with no block before the first closing. */
    public LiveVerdict shown() {
        return shown;
    }
}
