package io.metricsaggregator.fold.series;

import io.metricsaggregator.fold.row.TimeCut;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
 * @param maxJobs largest number of jobs of agents kept; beyond it the longest idle is evicted
 * @param countUntracked whether the outputs of samples that are not tracked are counted too, for {@code osl_all}
 * @param endpointIdleNanos time without an answer from which an endpoint counts as stalled; {@link #AUTO_IDLE} follows from the run, 0 looks for none
 * @param failuresLeave whether a failed sample leaves the levels of samples in flight with its first error, not with its completion
 * @param expectedLabels values of label keys that have a row from the start, though no sample may have them
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
        int maxJobs,
        boolean countUntracked,
        long endpointIdleNanos,
        boolean failuresLeave,
        Map<String, List<String>> expectedLabels) {
    /** Value of {@code endpointIdleNanos} that follows from the run. */
    public static final long AUTO_IDLE = StallLimit.AUTO;
    /** The default of {@link #maxConversations}. */
    public static final int CONVERSATIONS_DEFAULT = 1_000_000;
    /** The default of {@link #maxJobs}. */
    public static final int JOBS_DEFAULT = 20_000;

    public FoldOptions {
        expectedLabels = Collections.unmodifiableMap(new LinkedHashMap<>(expectedLabels));
    }

    /** Options whose limit of stalls follows from the run, without expected labels. */
    public FoldOptions(
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
                maxConversations,
                JOBS_DEFAULT,
                countUntracked,
                AUTO_IDLE,
                false,
                Map.of());
    }

    /** The same options with another limit of stalls and other expected labels. */
    public FoldOptions withTargets(long idleNanos, Map<String, List<String>> labels) {
        return with(maxConversations, maxJobs, countUntracked, idleNanos, failuresLeave, labels);
    }

    /**
     * The same options with other numbers of conversations and jobs.
     *
     * @param conversations as {@link #maxConversations}
     * @param jobs as {@link #maxJobs}
     * @param untracked as {@link #countUntracked}
     */
    public FoldOptions withConversations(int conversations, int jobs, boolean untracked) {
        return with(conversations, jobs, untracked, endpointIdleNanos, failuresLeave, expectedLabels);
    }

    /** The same options for an imported run: tools do not state when a request that failed ended, so a failed sample is in flight no longer. */
    public FoldOptions ofImport() {
        return with(maxConversations, maxJobs, countUntracked, endpointIdleNanos, true, expectedLabels);
    }

    private FoldOptions with(
            int conversations,
            int jobs,
            boolean untracked,
            long idle,
            boolean leave,
            Map<String, List<String>> labels) {
        return new FoldOptions(
                streaming,
                maxInFlight,
                maxLongIdBytes,
                hashSeed,
                objectives,
                cut,
                trackAll,
                tokenSource,
                superPassSize,
                conversations,
                jobs,
                untracked,
                idle,
                leave,
                labels);
    }

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
