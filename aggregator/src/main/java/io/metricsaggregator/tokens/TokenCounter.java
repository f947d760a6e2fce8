package io.metricsaggregator.tokens;

/** Counts the tokens of texts. May be called by several threads at a time. */
public interface TokenCounter {

    /**
     * The number of tokens of a text, without special tokens around it and without a limit.
     *
     * @throws RuntimeException if it cannot be counted
     */
    long count(String text);
}
