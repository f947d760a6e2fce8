package io.metricsaggregator.samples;

import io.metricsaggregator.event.EventType;

/**
 * Whether samples issued now are tracked, by the rule of the fold that computes reports: from {@code session.start_performance_tracking} to
 * {@code session.stop_performance_tracking}, or all of a run that tracks all. Time cuts of a replay do not apply. Not thread-safe.
 */
final class TrackedWindow {
    private final boolean tracksAll;
    private boolean open;
    private boolean ended;
    private long number;

    TrackedWindow(boolean tracksAll) {
        this.tracksAll = tracksAll;
    }

    /**
     * Applies an event before its sample.
     *
     * @return false if the event has no part in the report, because the session has ended
     */
    boolean apply(EventType type, boolean hasSample) {
        if (ended) {
            return false;
        }
        if (tracksAll) {
            // A step of a sample without an id is not applied, and so does not begin the session.
            if (number == 0 && (hasSample || !type.isStepOfSample())) {
                number = 1;
                open = true;
            }
        } else if (type == EventType.SESSION_START_PERFORMANCE_TRACKING && !open) {
            open = true;
            number++;
        } else if (type == EventType.SESSION_STOP_PERFORMANCE_TRACKING) {
            open = false;
        }
        ended = type == EventType.SESSION_ENDED;
        return true;
    }

    /** Whether a sample issued now is tracked. */
    boolean isOpen() {
        return open;
    }

    /** Number of the newest window, from 1; 0 before the first. */
    long number() {
        return number;
    }
}
