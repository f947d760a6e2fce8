package io.metricsaggregator.snapshot;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The state of a session. A session moves down this list and never back; the last two states are terminal. */
public enum SessionState {
    /** The daemon waits for {@code session.started}. */
    INITIALIZE,
    /** The session has started and not ended. */
    LIVE,
    /** The session has ended, and the daemon counts the pending texts. */
    DRAINING,
    /** The session has ended, and the daemon has finished counting. */
    COMPLETE,
    /** A signal, an internal error or {@code session.interrupted} ended the run. */
    INTERRUPTED;

    static final List<SessionState> ALL = List.of(values());

    /** The name on the wire. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether the state is terminal: the snapshot is the last of its run. */
    public boolean isTerminal() {
        return this == COMPLETE || this == INTERRUPTED;
    }

    /** The state of that wire name; null if there is none. */
    public static @Nullable SessionState ofWireName(String name) {
        for (SessionState state : values()) {
            if (state.wireName().equals(name)) {
                return state;
            }
        }
        return null;
    }
}
