package io.metricsaggregator.steady;

/**
 * A range of consecutive blocks.
 *
 * @param from first block
 * @param to block after the last
 */
public record Span(int from, int to) {
    /** Number of blocks. */
    public int length() {
        return to - from;
    }
}
