package io.metricsaggregator.fold;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.text.LimitsMet;
import io.metricsaggregator.text.PendingOutput;
import io.metricsaggregator.text.TextSink;
import io.metricsaggregator.text.TokenCountSink;
import org.jspecify.annotations.Nullable;

/**
 * Records the lengths of prompts and outputs of tracked samples, in tokens. Texts go to a {@link TextSink}, which has them counted
 * elsewhere; when a count comes back, this records it together with the time per token, and judges the objectives that awaited it.
 * Belongs to the thread of the fold. Without a sink no text is counted and nothing is allocated.
 */
final class TextFold implements TokenCountSink {
    private final LoadgenSeries series;
    private final @Nullable SloFold slo;
    private @Nullable TextSink sink;

    /**
     * A fold that counts no texts until {@link #countTexts} sets a sink.
     *
     * @param slo judges objectives; null if there are none
     */
    TextFold(LoadgenSeries series, @Nullable SloFold slo) {
        this.series = series;
        this.slo = slo;
    }

    /** Sends texts to {@code textSink} from now on. */
    void countTexts(TextSink textSink) {
        sink = textSink;
    }

    /** Records the prompt length of a tracked sample that was issued: from its token ids, or from its text once it is counted. */
    void prompt(DecodedEvent event) {
        if (event.tokenIdCount() >= 0) {
            promptCounted(event.tokenIdCount());
        } else if (event.dataKind() == DecodedEvent.DataKind.PROMPT_DATA && sink != null) {
            sink.prompt(event);
        }
    }

    /**
     * Queues the output of a tracked sample that completed with a text.
     *
     * @param sinceFirstNanos nanoseconds from the first chunk to the completion, or {@link PendingOutput#NO_FIRST_CHUNK}
     * @param limitsMet what {@link SloFold#completed} returned
     */
    void output(DecodedEvent event, long sinceFirstNanos, long completedNanos, LimitsMet limitsMet) {
        boolean queued =
                sink != null && sink.output(event, new PendingOutput(sinceFirstNanos, completedNanos, limitsMet));
        if (!queued) {
            notCounted(limitsMet);
        }
    }

    @Override
    public void promptCounted(long tokens) {
        series.inputLength.record(tokens);
    }

    @Override
    public void outputCounted(PendingOutput pending, long tokens, long tokensAfterFirst) {
        judge(pending, tokensAfterFirst);
        series.outputLength.record(tokens);
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
    }

    @Override
    public void outputNotCounted(PendingOutput pending) {
        notCounted(pending.limitsMet());
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
