package io.metricsaggregator.fold.row;

import io.metricsaggregator.fold.label.LabelCodes;

/**
 * What the events of a run before and up to an event of a sample decide about it: its position, its slice, the tracked window, the
 * labels. {@code RunOrderFold} writes it and {@code SampleFold} reads it. One object a run, reused for every event; belongs to the thread
 * of the fold.
 */
public final class SampleContext {
    /** The value of {@link #slice} for an event outside of all slices, and of {@link #window} while no window is open. */
    public static final int NONE = -1;

    /** Number of the record in the run, malformed ones included, from 1. */
    public long position;
    /** Slice of the event's time; {@link #NONE} outside. */
    public int slice = NONE;

    /** Number of the open window, from 0 in the order of opening; {@link #NONE} while none is open. */
    long window = NONE;
    /** Start of the open window in nanoseconds. */
    long windowStartNanos;
    /** Whether a sample issued by the event is tracked; set for issues only. */
    public boolean isTracking;
    /** Whether tracking ever began, and the time it began with. */
    boolean everTracked;

    long trackedFromNanos;

    /** Name of the worker that sent the event; set for completions only. */
    public String worker = "";
    /** Codes of the labels and of the worker, as {@link LabelCodes} assigns them; set for tracked issues only. */
    public long labels;
    /** Labels without a code of their own, because a bound was reached; set for tracked issues only. */
    public int labelsOver;

    /** Whether tracking had begun by a time, whether or not a window was open then. */
    public boolean hadBegunTracking(long timestampNanos) {
        return everTracked && timestampNanos >= trackedFromNanos;
    }
}
