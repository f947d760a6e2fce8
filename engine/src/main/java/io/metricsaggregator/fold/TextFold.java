package io.metricsaggregator.fold;

import io.metricsaggregator.event.DecodedEvent;
import org.jspecify.annotations.Nullable;

/**
 * The lengths of prompts and outputs of tracked samples, in tokens. Texts are handed to a {@link TextSink}, which counts them
 * elsewhere; what it counted comes back here and is recorded, together with the time per token and the judgement of objectives
 * that waited for it. Belongs to the thread of the fold.
 */
final class TextFold {
    private final LoadgenSeries series;
    private final @Nullable SloFold slo;
    private TextSink sink = TextSink.NONE;

    /**
     * A fold that counts no texts until {@link #countTexts} gives it a sink.
     *
     * @param slo judges objectives; null if there are none
     */
    TextFold(LoadgenSeries series, @Nullable SloFold slo) {
        this.series = series;
        this.slo = slo;
    }

    /** Hands texts to {@code counter} from now on. */
    void countTexts(TextSink counter) {
        sink = counter;
    }

    /** A tracked sample was issued: records the length of its prompt if its tokens are known, else hands its text to the sink. */
    void prompt(DecodedEvent event) {
        if (event.tokenIdCount() >= 0) {
            promptCounted(event.tokenIdCount());
        } else if (event.dataKind() == DecodedEvent.DataKind.PROMPT_DATA) {
            sink.prompt(event);
        }
    }

    /**
     * A tracked sample completed with a text: hands it to the sink.
     *
     * @param sinceFirstNanos from the first chunk to the completion, or {@link TextSink#NO_FIRST_CHUNK}
     * @param met what {@link SloFold#completed} answered
     */
    void output(DecodedEvent event, long sinceFirstNanos, long completedNanos, int met) {
        if (!sink.output(event, sinceFirstNanos, completedNanos, met)) {
            outputNotCounted(met);
        }
    }

    /** Records the length of a prompt. */
    void promptCounted(long tokens) {
        series.inputLength.record(tokens);
    }

    /** Records an output; see {@link LoadgenFold#outputCounted}. */
    void outputCounted(long tokens, long sinceFirstNanos, long tokensAfterFirst, long completedNanos, int met) {
        outputJudged(sinceFirstNanos, tokensAfterFirst, completedNanos, met);
        series.outputLength.record(tokens);
        if (tokensAfterFirst > 0 && sinceFirstNanos != TextSink.NO_FIRST_CHUNK) {
            StreamingSeries streaming = series.streaming();
            if (streaming != null) {
                streaming.timePerToken.record((double) sinceFirstNanos / (double) tokensAfterFirst);
            }
        }
        if (tokens > 1 && sinceFirstNanos != TextSink.NO_FIRST_CHUNK) {
            StreamingSeries streaming = series.streaming();
            if (streaming != null) {
                streaming.timePerTokenOfAll.record((double) sinceFirstNanos / (double) (tokens - 1));
            }
        }
    }

    /** Judges the objectives that waited for the length of an output. */
    void outputJudged(long sinceFirstNanos, long tokensAfterFirst, long completedNanos, int met) {
        if (slo != null && met != SloFold.NO_JUDGEMENT) {
            slo.counted(met, completedNanos, sinceFirstNanos, tokensAfterFirst);
        }
    }

    /** An output will not be counted: objectives that waited for it are not judged. */
    void outputNotCounted(int met) {
        if (slo != null && met != SloFold.NO_JUDGEMENT) {
            slo.uncounted();
        }
    }
}
