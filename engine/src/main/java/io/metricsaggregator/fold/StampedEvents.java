package io.metricsaggregator.fold;

import io.metricsaggregator.event.DecodedEvent;

/** Takes the events of samples from the head of a run, to fold them elsewhere. Called by the thread of the fold. */
@FunctionalInterface
public interface StampedEvents {
    /**
     * Takes an event of a sample, or an error without one.
     *
     * @param event reused after the call, as its bytes are
     * @param stamp reused after the call
     */
    void take(DecodedEvent event, SampleStamp stamp);
}
