package io.metricsaggregator.fold;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.DecodedUsage;
import io.metricsaggregator.event.UsageKey;
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
final class TextFold implements TokenCountSink {
    /** Tokens of a first chunk, where the records do not have them. */
    private static final long FIRST_CHUNK_TOKENS = 1;

    private final LoadgenSeries series;
    private final @Nullable SloFold slo;
    private final TokenSource source;
    private final PromptJoin prompts;
    private final UsageMismatch outputs;
    private final SteadyBatches batches;
    private @Nullable TextSink sink;

    /**
     * A fold that counts no texts until {@link #countTexts} sets a sink.
     *
     * @param slo judges objectives; null if there are none
     * @param usage compares counts with those that servers report
     * @param batches take the token counts by time of issue
     */
    TextFold(LoadgenSeries series, @Nullable SloFold slo, TokenSource source, UsageFold usage, SteadyBatches batches) {
        this.series = series;
        this.slo = slo;
        this.source = source;
        this.prompts = usage.prompts();
        this.outputs = usage.outputs();
        this.batches = batches;
    }

    /** Sends texts to {@code textSink} from now on. */
    void countTexts(TextSink textSink) {
        sink = textSink;
    }

    /** Records the prompt length of a tracked sample that was issued: from its token ids, or from its text once it is counted. */
    void prompt(DecodedEvent event, int row) {
        if (source == TokenSource.USAGE) {
            return;
        }
        if (event.tokenIdCount() >= 0) {
            series.inputLength.record(event.tokenIdCount());
            prompts.known(row, event.tokenIdCount());
        } else if (event.dataKind() != DecodedEvent.DataKind.PROMPT_DATA
                || sink == null
                || !sink.prompt(event, prompts.await(row))) {
            prompts.unknown(row);
        }
    }

    /** Whether {@link #output} takes the output of a tracked sample that completed. */
    boolean takes(DecodedEvent event, boolean hasFailed) {
        return source == TokenSource.USAGE
                ? !hasFailed && event.hasUsage() && event.usage().has(UsageKey.COMPLETION_TOKENS)
                : event.dataKind() == DecodedEvent.DataKind.TEXT_MODEL_OUTPUT;
    }

    /**
     * Queues the output of a tracked sample that {@link #takes} took, or records the length that its server reports.
     *
     * @param hasFailed whether the sample had an error; its usage is not compared
     * @param sinceFirstNanos nanoseconds from the first chunk to the completion, or {@link PendingOutput#NO_FIRST_CHUNK}
     * @param limitsMet what {@link SloFold#completed} returned
     */
    void output(
            DecodedEvent event,
            boolean hasFailed,
            long sinceFirstNanos,
            long issuedNanos,
            long completedNanos,
            LimitsMet limitsMet) {
        boolean reported = !hasFailed && event.hasUsage() && event.usage().has(UsageKey.COMPLETION_TOKENS);
        if (source == TokenSource.USAGE) {
            long tokens = event.usage().count(UsageKey.COMPLETION_TOKENS);
            outputCounted(
                    new PendingOutput(sinceFirstNanos, issuedNanos, completedNanos, limitsMet),
                    tokens,
                    Math.max(0, tokens - FIRST_CHUNK_TOKENS));
            return;
        }
        if (sink == null) {
            notCounted(limitsMet);
            batches.counted(issuedNanos, 0, Double.NaN);
            return;
        }
        OutputDetail detail =
                reported ? new OutputDetail(event.usage().count(UsageKey.COMPLETION_TOKENS)) : OutputDetail.NONE;
        PendingOutput pending = new PendingOutput(sinceFirstNanos, issuedNanos, completedNanos, limitsMet, detail);
        if (!sink.output(event, pending)) {
            outputNotCounted(pending);
        }
    }

    /** Records the prompt length that a server reports for a sample that succeeded, in a run that takes its tokens from there. */
    void reported(DecodedUsage usage) {
        if (source == TokenSource.USAGE && usage.has(UsageKey.PROMPT_TOKENS)) {
            series.inputLength.record(usage.count(UsageKey.PROMPT_TOKENS));
        }
    }

    @Override
    public void promptCounted(PendingPrompt pending, long tokens) {
        series.inputLength.record(tokens);
        prompts.counted(pending, tokens);
    }

    @Override
    public void promptNotCounted(PendingPrompt pending) {
        prompts.notCounted(pending);
    }

    @Override
    public void outputCounted(PendingOutput pending, long tokens, long tokensAfterFirst) {
        judge(pending, tokensAfterFirst);
        series.outputLength.record(tokens);
        long reported = pending.detail().usageTokens();
        if (reported != OutputDetail.ABSENT) {
            outputs.compare(reported, tokens);
        }
        boolean timed = pending.hasFirstChunk() && tokensAfterFirst > 0;
        batches.counted(
                pending.issuedNanos(),
                tokens,
                timed ? (double) pending.sinceFirstNanos() / (double) tokensAfterFirst : Double.NaN);
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

    @Override
    public void outputEmpty(PendingOutput pending) {
        judge(pending, 0);
        skipComparison(pending);
        batches.counted(pending.issuedNanos(), 0, Double.NaN);
    }

    @Override
    public void outputNotCounted(PendingOutput pending) {
        notCounted(pending.limitsMet());
        batches.counted(pending.issuedNanos(), 0, Double.NaN);
        skipComparison(pending);
    }

    private void skipComparison(PendingOutput pending) {
        if (pending.detail().usageTokens() != OutputDetail.ABSENT) {
            outputs.skip();
        }
    }

    private void judge(PendingOutput pending, long tokensAfterFirst) {
        if (slo != null && pending.limitsMet().isAwaiting()) {
            slo.counted(pending, tokensAfterFirst);
        }
    }

    private void notCounted(LimitsMet limitsMet) {
        if (slo != null && limitsMet.isAwaiting()) {
            slo.uncounted();
        }
    }
}
