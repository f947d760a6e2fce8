package io.metricsaggregator.text;

import io.metricsaggregator.event.DecodedEvent;

/**
 * Queues the texts of tracked samples to be counted. Called by the thread that owns the fold; an implementation copies what it needs
 * before it returns, because the event's buffer is reused.
 */
public interface TextSink {
    /**
     * Queues the prompt of an event that carries a text and no token ids.
     *
     * @param pending comes back with the count
     * @return false if the prompt will not be counted; nothing comes back then
     */
    boolean prompt(DecodedEvent event, PendingPrompt pending);

    /**
     * Queues the output of an event.
     *
     * @param pending comes back with the count
     * @return false if the output will not be counted; nothing comes back then
     */
    boolean output(DecodedEvent event, PendingOutput pending);
}
