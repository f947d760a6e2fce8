package io.metricsaggregator.fold;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.registry.LongCounter;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.snapshot.SessionInfo;
import org.jspecify.annotations.Nullable;

/**
 * Folds the session's own events. Every state is latched: a session starts, is interrupted and ends once, and the first announced size of
 * a pass counts. Belongs to the thread of the fold.
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
    private @Nullable Long firstIssuedNanos;

    SessionFold(Registry registry) {
        interrupts = registry.counter(CounterName.SESSION_INTERRUPTS);
    }

    /** Whether the session has begun: by {@code session.started}, or by the first record of a run that tracks all samples. */
    boolean hasBegun() {
        return begun;
    }

    /** Whether {@code session.ended} was received. */
    boolean isEnded() {
        return ended;
    }

    /** Whether {@code session.interrupted} was received. */
    boolean isInterrupted() {
        return interrupted;
    }

    /** Timestamp with which the session began; 0 before that. */
    long begunNanos() {
        return begunNanos;
    }

    /** Begins the session; returns false if it has begun. */
    boolean begin(long timestampNanos) {
        if (begun) {
            return false;
        }
        begun = true;
        begunNanos = timestampNanos;
        return true;
    }

    /** Applies {@code session.started}; returns false for a repeated one. */
    boolean start(long timestampNanos) {
        if (started) {
            return false;
        }
        started = true;
        startedNanos = timestampNanos;
        return true;
    }

    /** Whether {@code session.started} was received. */
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

    /** Applies {@code session.stop_loadgen}: no more samples will be issued. Returns false for a repeated one. */
    boolean stopLoadgen() {
        boolean first = !loadgenStopped;
        loadgenStopped = true;
        return first;
    }

    /** Records that performance tracking began. */
    void track() {
        tracking = true;
    }

    /** Applies {@code session.interrupted}: the producer aborted the session, which {@code session.ended} still ends. Returns false for a repeated one. */
    boolean interrupt() {
        interrupts.increment();
        boolean first = !interrupted;
        interrupted = true;
        return first;
    }

    /** Applies {@code session.phase_start}; the first performance phase that announces the size of a pass over the dataset sets it. */
    void startPhase(DecodedEvent event) {
        if (superPassSize == NOT_ANNOUNCED) {
            superPassSize = event.announcedSuperPassSize();
        }
    }

    /** Takes the time of an issue; the first one counts. */
    void issued(long timestampNanos) {
        if (firstIssuedNanos == null) {
            firstIssuedNanos = timestampNanos;
        }
    }

    /** Time of the first issue, tracked or not; null before it. */
    @Nullable
    Long firstIssuedNanos() {
        return firstIssuedNanos;
    }

    /** Applies {@code session.ended}. */
    void end() {
        ended = true;
    }

    /** Copies the state of the session. */
    SessionInfo info() {
        return new SessionInfo(
                started, tracking, interrupted, superPassSize == NOT_ANNOUNCED ? null : (Long) superPassSize);
    }
}
