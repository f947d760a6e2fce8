package io.metricsaggregator.fold;

import org.jspecify.annotations.Nullable;

/**
 * How events are folded.
 *
 * @param streaming whether there are first tokens and chunks
 * @param maxInFlight samples in flight at a time; the oldest goes when there are more
 * @param maxLongIdBytes memory for ids longer than usual; likewise
 * @param hashSeed secret of the table's hash
 * @param objectives by which samples are judged; null for none
 * @param cut the part of the run whose samples are tracked
 * @param trackAll whether every sample is tracked from the first record on, whatever the session's events say
 */
public record FoldOptions(
        Streaming streaming,
        int maxInFlight,
        long maxLongIdBytes,
        long hashSeed,
        @Nullable Slo objectives,
        TimeCut cut,
        boolean trackAll) {

    /** Without objectives, and all of the run. */
    public FoldOptions(boolean streaming, int maxInFlight, long maxLongIdBytes, long hashSeed) {
        this(streaming, maxInFlight, maxLongIdBytes, hashSeed, null, TimeCut.NONE);
    }

    /** What the session's events say is tracked. */
    public FoldOptions(
            boolean streaming,
            int maxInFlight,
            long maxLongIdBytes,
            long hashSeed,
            @Nullable Slo objectives,
            TimeCut cut) {
        this(streaming ? Streaming.ON : Streaming.OFF, maxInFlight, maxLongIdBytes, hashSeed, objectives, cut, false);
    }
}
