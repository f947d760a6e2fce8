package io.metricsaggregator.tokens;

/** Counts the tokens of texts. May be called by several threads at a time. */
public interface TokenCounter {

    /**
     * The number of tokens of a text, without special tokens around it and without a limit. Takes native memory in proportion to
     * the text, so that long texts are to be cut first: see {@code TextPieces}.
     *
     * @throws RuntimeException if it cannot be counted
     */
    long count(String text);

    /**
     * Whether a text has the same tokens as its two parts one after the other.
     *
     * @param whole the text
     * @param left its start
     * @param right the rest, perhaps without the space at its start
     */
    default boolean joins(String whole, String left, String right) {
        return count(whole) == count(left) + count(right);
    }
}
