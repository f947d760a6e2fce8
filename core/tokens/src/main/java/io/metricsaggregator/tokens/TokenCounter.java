package io.metricsaggregator.tokens;

/** Counts the tokens of texts. Thread-safe. */
public interface TokenCounter {

    /**
     * Counts the tokens of a text without special tokens and without a limit. The native memory is proportional to the text, so long
     * texts are split first: see {@code TextPieces}.
     *
     * @throws RuntimeException if it cannot be counted
     */
    long count(String text);

    /**
     * Returns whether a text has the same tokens as its two parts one after the other.
     *
     * @param whole the text
     * @param left its start
     * @param right the rest, perhaps without the space at its start
     */
    default boolean joins(String whole, String left, String right) {
        return count(whole) == count(left) + count(right);
    }
}
