package io.metricsaggregator.text;

/**
 * What the fold needs again when the tokens of a prompt have been counted; its sample may have completed by then.
 *
 * @param ticket number of the prompt, from 1; 0 if nothing awaits the count
 * @param row row of the sample among those in flight when the prompt was queued; meaningless without a ticket
 * @param labels the sample's labels as the fold packs them; 0 for none
 * @param conversation the sample's conversation and turn as the fold packs them; 0 for none
 */
public record PendingPrompt(long ticket, int row, long labels, long conversation) {
    /** A prompt whose count is recorded and not needed otherwise. */
    public static final PendingPrompt NONE = new PendingPrompt(0, 0, 0, 0);
}
