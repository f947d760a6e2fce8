package io.metricsaggregator.tokens;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.text.LimitsMet;
import io.metricsaggregator.text.PendingOutput;
import io.metricsaggregator.text.PendingPrompt;
import java.nio.ByteBuffer;

/** Counts the texts of encoded records one by one, on the calling thread. Not thread-safe. */
public final class TextLengths {
    private final TextCount count;
    private final EventDecoder decoder = new EventDecoder();
    private final DecodedEvent event = new DecodedEvent();
    private long tokens;
    private long tokensAfterFirst;
    private boolean empty;

    /** Creates a counter that uses {@code counter} and renders messages with the template of {@code chat}. */
    public TextLengths(TokenCounter counter, ChatFormat chat) {
        this.count = new TextCount(
                counter, chat, TextMemory.ofThisProcess(), new TemplateTrouble(), TextCount.Progress.IGNORED);
    }

    /** Counts the prompt of an encoded record; returns false if it has none or it cannot be counted. */
    public boolean countPrompt(byte[] record) {
        return count(record, DecodedEvent.DataKind.PROMPT_DATA, PendingOutput.NO_FIRST_CHUNK);
    }

    /**
     * Counts the output of an encoded record; returns false if it has none or it cannot be counted.
     *
     * @param streamed whether the output came in chunks, so that tokens after the first chunk are counted
     */
    public boolean countOutput(byte[] record, boolean streamed) {
        return count(record, DecodedEvent.DataKind.TEXT_MODEL_OUTPUT, streamed ? 0 : PendingOutput.NO_FIRST_CHUNK);
    }

    private boolean count(byte[] record, DecodedEvent.DataKind kind, long sinceFirstNanos) {
        empty = false;
        if (decoder.decode(ByteBuffer.wrap(record), 0, record.length, event) != null || event.dataKind() != kind) {
            return false;
        }
        TextBatch batch = new TextBatch(event.dataLength());
        if (kind == DecodedEvent.DataKind.PROMPT_DATA) {
            batch.addPrompt(event, PendingPrompt.NONE);
        } else {
            batch.addOutput(event, new PendingOutput(sinceFirstNanos, 0, 0, LimitsMet.JUDGED));
        }
        count.count(batch);
        batch.rewind();
        batch.next();
        tokens = batch.tokens();
        tokensAfterFirst = batch.tokensAfterFirst();
        empty = batch.outcome() == TextBatch.Outcome.EMPTY;
        return batch.outcome() == TextBatch.Outcome.COUNTED || batch.outcome() == TextBatch.Outcome.APPROXIMATE;
    }

    /** Whether the last text could not be counted because there is none: its record has the data, and they are empty. */
    public boolean isEmpty() {
        return empty;
    }

    /** Returns the number of tokens of the last counted text. */
    public long tokens() {
        return tokens;
    }

    /** Returns the number of tokens after the first chunk of the last counted text. */
    public long tokensAfterFirst() {
        return tokensAfterFirst;
    }
}
