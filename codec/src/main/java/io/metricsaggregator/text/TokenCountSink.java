package io.metricsaggregator.text;

/** Takes the token counts of queued texts, in any order. Called by the thread that owns the fold. */
public interface TokenCountSink {
    /**
     * Takes the number of tokens of a prompt.
     *
     * @param pending as it was queued
     */
    void promptCounted(PendingPrompt pending, long tokens);

    /** Takes note that a queued prompt holds nothing to count, or could not be counted. */
    void promptNotCounted(PendingPrompt pending);

    /**
     * Takes the number of tokens of an output.
     *
     * @param pending as it was queued
     * @param tokens of the whole output
     * @param tokensAfterFirst of what followed the first chunk; 0 if nothing did, or there was no first chunk
     */
    void outputCounted(PendingOutput pending, long tokens, long tokensAfterFirst);

    /**
     * Takes the tokens of reasoning and answer, each alone, of an output that was counted, if its {@link OutputDetail} asks for them.
     *
     * @param pending as it was queued
     * @param answer tokens of the output and its tool calls
     */
    void partsCounted(PendingOutput pending, long reasoning, long answer);

    /** Takes note that a queued output holds nothing to count. */
    void outputEmpty(PendingOutput pending);

    /** Takes note that a queued output could not be counted. */
    void outputNotCounted(PendingOutput pending);
}
