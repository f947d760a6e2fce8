package io.metricsaggregator.run;

import io.metricsaggregator.snapshot.SessionState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where the run is. Moves forward only, in one place, and says why. Belongs to the thread of the main flow. */
final class RunState {
    private static final Logger LOG = LoggerFactory.getLogger(RunState.class);

    private SessionState state = SessionState.INITIALIZE;

    SessionState get() {
        return state;
    }

    /** Goes on to a later state. */
    void advance(SessionState next, String reason) {
        if (next.compareTo(state) <= 0 || state.isTerminal()) {
            throw new IllegalStateException("cannot go from " + state + " to " + next + " (" + reason + ")");
        }
        LOG.info("{} -> {}: {}", state.wireName(), next.wireName(), reason);
        state = next;
    }
}
