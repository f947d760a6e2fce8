package io.metricsaggregator.run;

import io.metricsaggregator.snapshot.SessionState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** State of the run's session. It only moves forward, and each change is logged with its reason. Belongs to the main loop. */
final class RunState {
    private static final Logger LOG = LoggerFactory.getLogger(RunState.class);

    private SessionState state = SessionState.INITIALIZE;

    /** The current state. */
    SessionState get() {
        return state;
    }

    /**
     * Enters a later state.
     *
     * @param reason for the log
     * @throws IllegalStateException if {@code next} is not later, or the state is terminal
     */
    void advance(SessionState next, String reason) {
        if (next.compareTo(state) <= 0 || state.isTerminal()) {
            throw new IllegalStateException("cannot go from " + state + " to " + next + " (" + reason + ")");
        }
        LOG.info("state changed from={} to={}: {}", state.wireName(), next.wireName(), reason);
        state = next;
    }
}
