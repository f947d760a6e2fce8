package io.metricsaggregator.fold;

import io.metricsaggregator.catalogue.CounterName;
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
    private boolean begun;
    private boolean started;
    private boolean tracking;
    private boolean interrupted;
    private boolean ended;
    private long begunNanos;
    private boolean loadgenStopped;
    private long startedNanos;
    private long superPassSize = NOT_ANNOUNCED;

    SessionFold(Registry registry) {
        interrupts = registry.counter(CounterName.SESSION_INTERRUPTS);
    }

    /** Whether its time runs: since its own event, or since an earlier record with which it was taken to begin. */
    boolean hasBegun() {
        return begun;
    }

    boolean isEnded() {
        return ended;
    }

    boolean isInterrupted() {
        return interrupted;
    }

    /** When its time began to run; 0 before that. */
    long begunNanos() {
        return begunNanos;
    }

    /** Its time runs from now on; false if it did already. */
    boolean begin(long timestampNanos) {
        if (begun) {
            return false;
        }
        begun = true;
        begunNanos = timestampNanos;
        return true;
    }

    /** {@code session.started}; false for a second one. */
    boolean start(long timestampNanos) {
        if (started) {
            return false;
        }
        started = true;
        startedNanos = timestampNanos;
        return true;
    }

    /** Whether {@code session.started} has been seen. */
    boolean isStarted() {
        return started;
    }

    /** Timestamp of {@code session.started}; 0 before it. */
    long startedNanos() {
        return startedNanos;
    }

    /** Whether performance tracking ever began. */
    boolean isTracking() {
        return tracking;
    }

    /** No more samples are issued; false if that had been said. */
    boolean stopLoadgen() {
        boolean first = !loadgenStopped;
        loadgenStopped = true;
        return first;
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
