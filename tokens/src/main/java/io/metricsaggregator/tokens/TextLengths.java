package io.metricsaggregator.tokens;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.fold.TextSink;
import java.nio.ByteBuffer;

/** Counts the texts of records one by one, for those who have time. One owner. */
public final class TextLengths {
    private final TextCount count;
    private final EventDecoder decoder = new EventDecoder();
    private final DecodedEvent event = new DecodedEvent();
    private long tokens;
    private long tokensAfterFirst;

    /** Counts with {@code counter}, and frames messages by {@code chat}. */
    public TextLengths(TokenCounter counter, ChatFormat chat) {
        this.count = new TextCount(
                counter, chat, TextMemory.ofThisProcess(), new TemplateTrouble(), TextCount.Progress.UNSEEN);
    }

    /** Counts the prompt of an encoded record; false if it has none, or it could not be counted. */
    public boolean countPrompt(byte[] record) {
        return count(record, DecodedEvent.DataKind.PROMPT_DATA, TextSink.NO_FIRST_CHUNK);
    }

    /**
     * Counts the output of an encoded record; false if it has none, or it could not be counted.
     *
     * @param streamed whether there was a first chunk
     */
    public boolean countOutput(byte[] record, boolean streamed) {
        return count(record, DecodedEvent.DataKind.TEXT_MODEL_OUTPUT, streamed ? 0 : TextSink.NO_FIRST_CHUNK);
    }

    private boolean count(byte[] record, DecodedEvent.DataKind kind, long sinceFirstNanos) {
        if (decoder.decode(ByteBuffer.wrap(record), 0, record.length, event) != null || event.dataKind() != kind) {
            return false;
        }
        TextBatch batch = new TextBatch(event.dataLength());
        batch.add(event, kind == DecodedEvent.DataKind.PROMPT_DATA, sinceFirstNanos, 0, 0);
        count.count(batch);
        batch.rewind();
        batch.next();
        tokens = batch.tokens();
        tokensAfterFirst = batch.tokensAfterFirst();
        return batch.outcome() == TextBatch.Outcome.COUNTED || batch.outcome() == TextBatch.Outcome.APPROXIMATE;
    }

    /** Tokens of what was counted last. */
    public long tokens() {
        return tokens;
    }

    /** Those of them that came after the first chunk. */
    public long tokensAfterFirst() {
        return tokensAfterFirst;
    }
}
