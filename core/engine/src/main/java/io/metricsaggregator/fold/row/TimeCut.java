package io.metricsaggregator.fold.row;

/**
 * The part of a run whose samples are tracked when the run is recomputed. Samples issued outside it count as if they were issued outside
 * the tracked windows.
 *
 * @param warmupNanos duration left out at the start of the first tracked window; not negative
 * @param fromNanos duration left out at the start of the session; not negative
 * @param toNanos end of the part, from the start of the session; {@link Long#MAX_VALUE} for no end
 */
public record TimeCut(long warmupNanos, long fromNanos, long toNanos) {
    /** The whole run. */
    public static final TimeCut NONE = new TimeCut(0, 0, Long.MAX_VALUE);

    public TimeCut {
        if (warmupNanos < 0 || fromNanos < 0 || toNanos <= fromNanos) {
            throw new IllegalArgumentException("part of the run is empty: " + fromNanos + " to " + toNanos
                    + " ns, without " + warmupNanos + " ns");
        }
    }

    /** Whether it leaves nothing out. */
    boolean isWholeRun() {
        // The equals of a record makes classes when it is called first, which takes milliseconds of each start.
        return warmupNanos == 0 && fromNanos == 0 && toNanos == Long.MAX_VALUE;
    }
}
