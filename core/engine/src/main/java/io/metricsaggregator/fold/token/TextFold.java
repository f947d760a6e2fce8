package io.metricsaggregator.fold.token;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.DecodedUsage;
import io.metricsaggregator.event.UsageKey;
import io.metricsaggregator.fold.conversation.ConversationFold;
import io.metricsaggregator.fold.conversation.InteractivityFold;
import io.metricsaggregator.fold.label.LabelFold;
import io.metricsaggregator.fold.series.FoldOptions;
import io.metricsaggregator.fold.series.LoadgenSeries;
import io.metricsaggregator.fold.series.PerTokenSeries;
import io.metricsaggregator.fold.series.StreamingSeries;
import io.metricsaggregator.fold.series.TokenSource;
import io.metricsaggregator.fold.steady.SloFold;
import io.metricsaggregator.fold.steady.SteadyBatches;
import io.metricsaggregator.fold.steady.SuperPassFold;
import io.metricsaggregator.text.LimitsMet;
import io.metricsaggregator.text.OutputDetail;
import io.metricsaggregator.text.PendingOutput;
import io.metricsaggregator.text.PendingPrompt;
import io.metricsaggregator.text.TextSink;
import io.metricsaggregator.text.TokenCountSink;
import org.jspecify.annotations.Nullable;

/**
 * Records the lengths of prompts and outputs of tracked samples, in tokens. Texts go to a {@link TextSink}, which has them counted
 * elsewhere; when a count comes back, this records it together with the time per token, and judges the objectives that awaited it.
 * Belongs to the thread of the fold. Without a sink no text is counted and nothing is allocated.
 */
public final class TextFold implements TokenCountSink {
    private static final PendingOutput UNTRACKED =
            new PendingOutput(PendingOutput.NO_FIRST_CHUNK, 0, 0, LimitsMet.JUDGED, OutputDetail.UNTRACKED);

    private final LoadgenSeries series;
    private final @Nullable SloFold slo;
    private final boolean countUntracked;
    private final TokenSource source;
    private final PromptJoin prompts;
    private final UsageMismatch outputs;
    private final SteadyBatches batches;
    private final UsageMismatch reasonings;
    private final PerTokenSeries perToken;
    private final LabelFold labels;
    private final SuperPassFold superPasses;
    private final ConversationFold conversations;
    private final InteractivityFold interactivity;

    private @Nullable TextSink sink;

    /**
     * A fold that counts no texts until {@link #countTexts} sets a sink.
     *
     * @param slo judges objectives; null if there are none
     * @param options where lengths come from, and of which samples
     * @param optional takes what runs with optional keys have besides
     * @param batches take the token counts by time of issue
     */
    public TextFold(
            LoadgenSeries series,
            @Nullable SloFold slo,
            FoldOptions options,
            OptionalFolds optional,
            SteadyBatches batches) {
        this.series = series;
        this.slo = slo;
        this.source = options.tokenSource();
        this.countUntracked = options.countUntracked();
        this.batches = batches;
        this.prompts = optional.usage.prompts();
        this.outputs = optional.usage.outputs();
        this.reasonings = optional.usage.reasonings();
        this.perToken = optional.perToken;
        this.labels = optional.labels;
        this.superPasses = optional.superPasses;
        this.conversations = optional.conversations;
        this.interactivity = optional.interactivity;
    }

    /** Sends texts to {@code textSink} from now on. */
    public void countTexts(TextSink textSink) {
        sink = textSink;
    }

    /** Records the prompt length of a tracked sample that was issued: from its token ids, or from its text once it is counted. */
    public void prompt(DecodedEvent event, int row) {
        if (source == TokenSource.USAGE) {
            return;
        }
        if (event.tokenIdCount() >= 0) {
            series.inputLength.record(event.tokenIdCount());
            prompts.known(row, event.tokenIdCount());
            labels.input(labels.of(row), event.tokenIdCount());
            conversations.inputOf(row, event.tokenIdCount());
        } else if (event.dataKind() != DecodedEvent.DataKind.PROMPT_DATA
                || sink == null
                || !sink.prompt(event, prompts.await(row, labels.of(row), conversations.of(row)))) {
            prompts.unknown(row);
        }
    }

    /** Whether {@link #output} takes the output of a tracked sample that completed. */
    public boolean takes(DecodedEvent event, boolean hasFailed) {
        return source == TokenSource.USAGE
                ? !hasFailed && event.hasUsage() && event.usage().has(UsageKey.COMPLETION_TOKENS)
                : event.dataKind() == DecodedEvent.DataKind.TEXT_MODEL_OUTPUT;
    }

    /**
     * Queues the output of a tracked sample that {@link #takes} took, or records the length that its server reports. Allocates for a text.
     *
     * @param pending with the limits that {@link SloFold#completed} returned
     * @param firstTokens tokens of the first chunk
     */
    public void output(DecodedEvent event, PendingOutput pending, int firstTokens) {
        if (source == TokenSource.USAGE) {
            long tokens = event.usage().count(UsageKey.COMPLETION_TOKENS);
            record(pending, tokens, Math.max(0, tokens - firstTokens));
        } else if (sink == null || !sink.output(event, pending)) {
            outputNotCounted(pending);
        }
    }

    /** Queues the output of a sample that is not tracked, or records the length that its server reports, for {@code osl_all} alone. */
    public void untracked(DecodedEvent event, boolean hasFailed) {
        if (!countUntracked || !takes(event, hasFailed)) {
            return;
        }
        if (source == TokenSource.USAGE) {
            perToken.all(event.usage().count(UsageKey.COMPLETION_TOKENS));
        } else if (sink != null) {
            sink.output(event, UNTRACKED);
        }
    }

    private static boolean isUntracked(PendingOutput pending) {
        return pending.detail().outcome() == OutputDetail.Outcome.UNTRACKED;
    }

    /** Whether outputs get a length; {@link #leftOut} takes them otherwise, without the allocations of {@link #output}. */
    public boolean isCounting() {
        return source == TokenSource.USAGE || sink != null;
    }

    /** Notes that an output which {@link #takes} took, of a sample with the labels {@code word}, has no length. */
    public void leftOut(long issuedNanos, LimitsMet limitsMet, long word) {
        notCounted(limitsMet, word);
        batches.counted(issuedNanos, 0, Double.NaN);
    }

    /** Records the prompt length that a server reports for a sample that succeeded, in a run that takes its tokens from there. */
    public void reported(DecodedUsage usage, int row) {
        if (source == TokenSource.USAGE && usage.has(UsageKey.PROMPT_TOKENS)) {
            series.inputLength.record(usage.count(UsageKey.PROMPT_TOKENS));
            labels.input(labels.of(row), usage.count(UsageKey.PROMPT_TOKENS));
            conversations.inputOf(row, usage.count(UsageKey.PROMPT_TOKENS));
        }
    }

    @Override
    public void promptCounted(PendingPrompt pending, long tokens) {
        series.inputLength.record(tokens);
        prompts.counted(pending, tokens);
        labels.input(pending.labels(), tokens);
        conversations.input(pending.conversation(), tokens);
    }

    @Override
    public void promptNotCounted(PendingPrompt pending) {
        prompts.notCounted(pending);
    }

    @Override
    public void outputCounted(PendingOutput pending, long tokens, long tokensAfterFirst) {
        long reported = pending.detail().usageTokens();
        if (reported != OutputDetail.ABSENT) {
            outputs.compare(reported, tokens);
        }
        record(pending, tokens, tokensAfterFirst);
    }

    @Override
    public void partsCounted(PendingOutput pending, long reasoning, long answer) {
        perToken.parts(reasoning, answer);
        long reported = pending.detail().usageReasoning();
        if (reported != OutputDetail.ABSENT) {
            reasonings.compare(reported, reasoning);
        }
    }

    private void record(PendingOutput pending, long tokens, long tokensAfterFirst) {
        if (countUntracked) {
            perToken.all(tokens);
        }
        if (isUntracked(pending)) {
            return;
        }
        judge(pending, tokens, tokensAfterFirst);
        series.outputLength.record(tokens);
        perToken.record(pending.detail(), tokens);
        boolean succeeded = pending.detail().outcome() == OutputDetail.Outcome.SUCCEEDED;
        if (succeeded) {
            labels.output(pending.detail().labels(), tokens);
        }
        superPasses.counted(pending.detail(), tokens, tokensAfterFirst);
        addTurn(pending, tokens);
        boolean timed = pending.hasFirstChunk() && tokensAfterFirst > 0;
        if (timed && succeeded) {
            labels.timePerToken(
                    pending.detail().labels(), (double) pending.sinceFirstNanos() / (double) tokensAfterFirst);
        }
        batches.counted(
                pending.issuedNanos(),
                tokens,
                timed && pending.detail().outcome() == OutputDetail.Outcome.SUCCEEDED
                        ? (double) pending.sinceFirstNanos() / (double) tokensAfterFirst
                        : Double.NaN);
        if (!pending.hasFirstChunk()) {
            return;
        }
        if (tokensAfterFirst > 0) {
            StreamingSeries streaming = series.streaming();
            if (streaming != null) {
                streaming.timePerToken.record((double) pending.sinceFirstNanos() / (double) tokensAfterFirst);
            }
        }
        if (tokens > 1) {
            StreamingSeries streaming = series.streaming();
            if (streaming != null) {
                streaming.timePerTokenOfAll.record((double) pending.sinceFirstNanos() / (double) (tokens - 1));
            }
        }
    }

    /** Adds tokens and latency of a sample that succeeded, on both sides of the ratio or on neither. */
    private void addTurn(PendingOutput pending, long tokens) {
        if (pending.detail().outcome() != OutputDetail.Outcome.SUCCEEDED) {
            return;
        }
        long conversation = pending.detail().conversation();
        if (InteractivityFold.hasLatency(pending)) {
            interactivity.counted(pending, tokens);
            conversations.counted(conversation, pending.completedNanos() - pending.issuedNanos(), tokens);
        } else {
            conversations.uncounted(conversation);
        }
    }

    @Override
    public void outputEmpty(PendingOutput pending) {
        if (isUntracked(pending)) {
            return;
        }
        judge(pending, 0, 0);
        conversations.uncounted(pending.detail().conversation());
        skipComparison(pending);
        batches.counted(pending.issuedNanos(), 0, Double.NaN);
    }

    @Override
    public void outputNotCounted(PendingOutput pending) {
        if (isUntracked(pending)) {
            return;
        }
        notCounted(pending.limitsMet(), pending.detail().labels());
        conversations.uncounted(pending.detail().conversation());
        batches.counted(pending.issuedNanos(), 0, Double.NaN);
        skipComparison(pending);
    }

    private void skipComparison(PendingOutput pending) {
        if (pending.detail().usageTokens() != OutputDetail.ABSENT) {
            outputs.skip();
        }
    }

    private void judge(PendingOutput pending, long tokens, long tokensAfterFirst) {
        if (slo != null) {
            slo.counted(pending, tokens, tokensAfterFirst);
        }
    }

    private void notCounted(LimitsMet limitsMet, long word) {
        superPasses.notCounted();
        if (slo != null && limitsMet.isAwaiting()) {
            slo.uncounted(word);
        }
    }
}
