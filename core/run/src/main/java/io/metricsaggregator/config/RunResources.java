package io.metricsaggregator.config;

import io.metricsaggregator.fold.series.FoldOptions;
import io.metricsaggregator.tokens.ChatFormat;
import io.metricsaggregator.tokens.TokenCounter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What this machine lends to a run: memory, a directory to spill to, and a loaded tokenizer. It decides how much of a run fits, and
 * not what its numbers mean, so a journal does not record it.
 *
 * @param tokens the loaded tokenizer; null if texts are not counted
 * @param maxInFlight samples in flight at a time, at least 1; {@link Integer#MAX_VALUE} for no limit
 * @param maxConversations conversations kept at a time, at least 1; beyond them the longest idle is evicted
 * @param maxJobs jobs of agents kept at a time, at least 1; beyond them the longest idle is evicted
 * @param valuesMaxBytes memory for values, outside the heap
 * @param spillDirectory directory for values beyond that; null for nowhere: percentiles are then those of histograms
 */
public record RunResources(
        @Nullable Tokens tokens,
        int maxInFlight,
        int maxConversations,
        int maxJobs,
        long valuesMaxBytes,
        @Nullable Path spillDirectory) {
    /**
     * A loaded tokenizer and what it may take.
     *
     * @param counter counts the tokens of a text; called by several threads
     * @param chat the model's chat template
     * @param workers threads that count during the run; 0 leaves all texts for its end
     * @param textMaxBytes memory for texts that wait, above 0
     */
    public record Tokens(TokenCounter counter, ChatFormat chat, int workers, long textMaxBytes) {
        public Tokens {
            RunConfig.require(workers >= 0, "--tokenizer-workers " + workers + " is below 0");
            RunConfig.require(textMaxBytes > 0, "--max-text-memory is not above 0");
        }
    }

    /** Resources with the default limits of conversations and jobs. */
    public RunResources(@Nullable Tokens tokens, int maxInFlight, long valuesMaxBytes, @Nullable Path spillDirectory) {
        this(
                tokens,
                maxInFlight,
                FoldOptions.CONVERSATIONS_DEFAULT,
                FoldOptions.JOBS_DEFAULT,
                valuesMaxBytes,
                spillDirectory);
    }

    public RunResources {
        RunConfig.require(maxInFlight >= 1, "--max-in-flight " + maxInFlight + " is below 1");
        RunConfig.require(maxConversations >= 1, "--max-conversations " + maxConversations + " is below 1");
        RunConfig.require(maxJobs >= 1, "--max-jobs " + maxJobs + " is below 1");
        RunConfig.require(valuesMaxBytes >= 0, "--max-values-memory is negative");
    }

    /**
     * Resources of a replay: no limit of samples in flight, the default ones of conversations and jobs, and no file for values.
     *
     * @param tokens as {@link #tokens}
     * @param valuesMaxBytes as {@link #valuesMaxBytes}
     */
    public static RunResources ofReplay(@Nullable Tokens tokens, long valuesMaxBytes) {
        return new RunResources(
                tokens,
                Integer.MAX_VALUE,
                FoldOptions.CONVERSATIONS_DEFAULT,
                FoldOptions.JOBS_DEFAULT,
                valuesMaxBytes,
                null);
    }

    /** The same resources with a file for values beyond the memory, in a directory. */
    public RunResources spilling(Path directory) {
        return new RunResources(tokens, maxInFlight, maxConversations, maxJobs, valuesMaxBytes, directory);
    }
}
