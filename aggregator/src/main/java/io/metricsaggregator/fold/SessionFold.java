package io.metricsaggregator.fold;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.registry.LongCounter;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.snapshot.SessionInfo;

/**
 * What the session's own events say of it. Everything is latched: a session starts, is interrupted and ends once, and the first
 * announcement of a size counts.
 */
final class SessionFold {
    private static final long NOT_ANNOUNCED = -1;

    private final LongCounter interrupts;
    private boolean started;
    private boolean tracking;
    private boolean interrupted;
    private boolean ended;
    private long startedNanos;
    private long superPassSize = NOT_ANNOUNCED;

    SessionFold(Registry registry) {
        interrupts = registry.counter("session_interrupts");
    }

    boolean isStarted() {
        return started;
    }

    boolean isEnded() {
        return ended;
    }

    boolean isInterrupted() {
        return interrupted;
    }

    /** When the session started, by its event; 0 before that. */
    long startedNanos() {
        return startedNanos;
    }

    /** The session starts; false if it had. */
    boolean start(long timestampNanos) {
        if (started) {
            return false;
        }
        started = true;
        startedNanos = timestampNanos;
        return true;
    }

    /** Performance tracking begins. */
    void track() {
        tracking = true;
    }

    /** The producer aborted the session, which still ends by its own event; false if it had said so. */
    boolean interrupt() {
        interrupts.increment();
        boolean first = !interrupted;
        interrupted = true;
        return first;
    }

    /** A phase begins; the first performance phase that announces the size of a pass over the dataset sets it. */
    void startPhase(DecodedEvent event) {
        if (superPassSize == NOT_ANNOUNCED) {
            superPassSize = event.announcedSuperPassSize();
        }
    }

    void end() {
        ended = true;
    }

    SessionInfo freeze() {
        return new SessionInfo(
                started, tracking, interrupted, superPassSize == NOT_ANNOUNCED ? null : (Long) superPassSize);
    }
}
