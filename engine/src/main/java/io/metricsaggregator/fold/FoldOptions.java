package io.metricsaggregator.fold;

import org.jspecify.annotations.Nullable;

/**
 * Settings of the fold of the load generator's events.
 *
 * @param streaming whether the run has series of streamed answers
 * @param maxInFlight largest number of samples in flight; beyond it the oldest is evicted
 * @param maxLongIdBytes memory for sample ids that two longs cannot hold; beyond it the oldest sample is evicted
 * @param hashSeed secret seed of the hash of sample ids
 * @param objectives service level objectives that samples are judged by; null for none
 * @param cut the part of the run whose samples are tracked
 * @param trackAll whether every sample is tracked from the first record on, regardless of the session's events
 * @param tokenSource where the token series come from
 * @param superPassSize tracked samples of a super-pass, usually the size of the dataset; 0 for as the session announces it
 * @param maxConversations largest number of conversations kept; beyond it the longest idle is evicted
 * @param countUntracked whether the outputs of samples that are not tracked are counted too, for {@code osl_all}
 */
public record FoldOptions(
        Streaming streaming,
        int maxInFlight,
        long maxLongIdBytes,
        long hashSeed,
        @Nullable Slo objectives,
        TimeCut cut,
        boolean trackAll,
        TokenSource tokenSource,
        long superPassSize,
        int maxConversations,
        boolean countUntracked) {
    /** The default of {@link #maxConversations}. */
    public static final int CONVERSATIONS_DEFAULT = 1_000_000;

    /** Options with the default number of conversations. */
    public FoldOptions(
            Streaming streaming,
            int maxInFlight,
            long maxLongIdBytes,
            long hashSeed,
            @Nullable Slo objectives,
            TimeCut cut,
            boolean trackAll,
            TokenSource tokenSource,
            long superPassSize) {
        this(
                streaming,
                maxInFlight,
                maxLongIdBytes,
                hashSeed,
                objectives,
                cut,
                trackAll,
                tokenSource,
                superPassSize,
                CONVERSATIONS_DEFAULT,
                false);
    }

    /** Options whose super-passes have the size that the session announces, with the default number of conversations. */
    public FoldOptions(
            Streaming streaming,
            int maxInFlight,
            long maxLongIdBytes,
            long hashSeed,
            @Nullable Slo objectives,
            TimeCut cut,
            boolean trackAll,
            TokenSource tokenSource) {
        this(
                streaming,
                maxInFlight,
                maxLongIdBytes,
                hashSeed,
                objectives,
                cut,
                trackAll,
                tokenSource,
                0,
                CONVERSATIONS_DEFAULT,
                false);
    }

    /** Options whose token series come from the tokenizer. */
    public FoldOptions(
            Streaming streaming,
            int maxInFlight,
            long maxLongIdBytes,
            long hashSeed,
            @Nullable Slo objectives,
            TimeCut cut,
            boolean trackAll) {
        this(streaming, maxInFlight, maxLongIdBytes, hashSeed, objectives, cut, trackAll, TokenSource.TOKENIZER);
    }

    /** Options without objectives that track the whole run by its session's events. */
    public FoldOptions(boolean streaming, int maxInFlight, long maxLongIdBytes, long hashSeed) {
        this(streaming, maxInFlight, maxLongIdBytes, hashSeed, null, TimeCut.NONE);
    }

    /** Options that track samples by the session's events; streaming is on or off. */
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
