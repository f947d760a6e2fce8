package io.metricsaggregator.fold;

/**
 * The part of a run's time whose samples are tracked, when it is computed again: samples issued outside it count as if they had
 * been issued outside the tracked windows.
 *
 * @param warmupNanos what is left out after the start of the first tracked window
 * @param fromNanos what is left out after the start of the session
 * @param toNanos where the part ends, since the start of the session; {@link Long#MAX_VALUE} for never
 */
public record TimeCut(long warmupNanos, long fromNanos, long toNanos) {
    /** All of it. */
    public static final TimeCut NONE = new TimeCut(0, 0, Long.MAX_VALUE);

    public TimeCut {
        if (warmupNanos < 0 || fromNanos < 0 || toNanos <= fromNanos) {
            throw new IllegalArgumentException("a part of the run that ends before it begins: " + fromNanos + " to "
                    + toNanos + " ns, without " + warmupNanos + " ns");
        }
    }
}
