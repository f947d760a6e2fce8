package io.metricsaggregator.snapshot;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Where a run is. States follow one another downwards; the last two end it. */
public enum SessionState {
    /** No {@code session.started} yet. */
    INITIALIZE,
    /** The session runs. */
    LIVE,
    /** The session has ended; what is pending is being finished. */
    DRAINING,
    /** All is counted. */
    COMPLETE,
    /** Ended by a signal or a fault before the session ended. */
    INTERRUPTED;

    /** The name on the wire. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether no snapshot follows. */
    public boolean isTerminal() {
        return this == COMPLETE || this == INTERRUPTED;
    }

    /** The state of that name, or null. */
    public static @Nullable SessionState ofWireName(String name) {
        for (SessionState state : values()) {
            if (state.wireName().equals(name)) {
                return state;
            }
        }
        return null;
    }
}
