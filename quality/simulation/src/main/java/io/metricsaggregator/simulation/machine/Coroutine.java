package io.metricsaggregator.simulation.machine;

/** A computation that can be left at any call and continued, or dropped where it stands: no {@code finally} of a dropped one runs. */
public interface Coroutine {

    /** Runs it until it suspends itself or ends. */
    void resume();

    /** Makes coroutines; all of them run on the calling thread. */
    interface Factory {

        /** Makes a coroutine that has not begun. */
        Coroutine create(Runnable body);

        /** Leaves the coroutine that runs; returns when it is resumed. */
        void suspend();
    }
}
