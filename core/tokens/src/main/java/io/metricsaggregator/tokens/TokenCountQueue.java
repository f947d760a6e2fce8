package io.metricsaggregator.tokens;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.text.PendingOutput;
import io.metricsaggregator.text.PendingPrompt;
import io.metricsaggregator.text.TextSink;
import io.metricsaggregator.text.TokenCountSink;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Queues the texts of the fold for the tokenizer threads, and passes their counts back. Owned by the thread of the fold. Texts wait as
 * the bytes received, in reused batches; a text that exceeds the memory limit is dropped and stays pending, so that the final snapshot
 * shows that not every text was counted.
 */
public final class TokenCountQueue implements TextSink {
    /** Size in bytes of the memory blocks in which texts wait. */
    public static final int BLOCK_BYTES = TextBatch.BLOCK_BYTES;

    private static final Logger LOG = LoggerFactory.getLogger(TokenCountQueue.class);

    private final TokenWorkers workers;
    private final Supplier<ByteBuffer> blocks;
    private final long maxBytes;
    private final ArrayDeque<TextBatch> free = new ArrayDeque<>();
    private @Nullable TextBatch filling;
    private long heldBytes;
    private boolean refusing;

    private long enqueued;
    private long counted;
    private long approximate;
    private long failed;
    private long dropped;

    /**
     * Creates a queue that submits its batches to {@code workers}.
     *
     * @param blocks supplies blocks of {@link #BLOCK_BYTES} bytes, big-endian, which the queue keeps and reuses
     * @param maxBytes memory limit of waiting texts
     */
    public TokenCountQueue(TokenWorkers workers, Supplier<ByteBuffer> blocks, long maxBytes) {
        this.workers = workers;
        this.blocks = blocks;
        this.maxBytes = maxBytes;
    }

    @Override
    public boolean prompt(DecodedEvent event, PendingPrompt pending) {
        TextBatch batch = batchFor(event);
        if (batch != null) {
            batch.addPrompt(event, pending);
        }
        return batch != null;
    }

    @Override
    public boolean output(DecodedEvent event, PendingOutput pending) {
        TextBatch batch = batchFor(event);
        if (batch != null) {
            batch.addOutput(event, pending);
        }
        return batch != null;
    }

    /** Counts a text as enqueued and returns a batch with room for it; null if the text is dropped. */
    private @Nullable TextBatch batchFor(DecodedEvent event) {
        enqueued++;
        if (refusing) {
            dropped++;
            return null;
        }
        TextBatch batch = filling;
        if (batch == null || !batch.hasRoomFor(event.dataLength())) {
            batch = next(event.dataLength());
            if (batch == null) {
                drop();
            }
        }
        return batch;
    }

    /** Submits the batch being filled and starts one with room for a text; returns null if the memory limit is reached. */
    private @Nullable TextBatch next(int length) {
        if (filling != null) {
            submit(filling);
        }
        if (!TextBatch.fitsABlock(length)) {
            hold(heldBytes + TextBatch.HEAD_BYTES + length <= maxBytes ? new TextBatch(length) : null);
        } else if (!free.isEmpty()) {
            filling = free.pop();
        } else {
            hold(heldBytes + BLOCK_BYTES <= maxBytes ? new TextBatch(blocks.get()) : null);
        }
        return filling;
    }

    private void hold(@Nullable TextBatch batch) {
        filling = batch;
        if (batch != null) {
            heldBytes += batch.capacity();
        }
    }

    private void drop() {
        if (dropped == 0) {
            LOG.warn(
                    "texts dropped: the memory for texts waiting for the tokenizer is full bytes={}. Further ones are counted as"
                            + " texts_dropped. See --max-text-memory and --tokenizer-workers",
                    heldBytes);
        }
        dropped++;
    }

    private void submit(TextBatch batch) {
        filling = null;
        workers.submit(batch);
    }

    /** Submits the batch being filled if a worker is idle, and passes the counts of finished batches to {@code counts}. */
    public void exchange(TokenCountSink counts) {
        TextBatch batch = filling;
        if (batch != null && !batch.isEmpty() && workers.areIdle()) {
            submit(batch);
        }
        heldBytes += workers.abandonStuck(System.nanoTime());
        for (TextBatch done = workers.takeDone(); done != null; done = workers.takeDone()) {
            handBack(done, counts);
            if (done.isReusable()) {
                done.clear();
                free.push(done);
            } else {
                heldBytes -= done.capacity();
            }
        }
    }

    private void handBack(TextBatch batch, TokenCountSink counts) {
        batch.rewind();
        while (batch.next()) {
            switch (batch.outcome()) {
                case COUNTED -> handBackCount(batch, counts);
                case APPROXIMATE -> {
                    approximate++;
                    handBackCount(batch, counts);
                }
                case EMPTY -> {
                    counted++;
                    if (batch.isPrompt()) {
                        counts.promptNotCounted(batch.pendingPrompt());
                    } else {
                        counts.outputEmpty(batch.pending());
                    }
                }
                case FAILED -> {
                    failed++;
                    if (batch.isPrompt()) {
                        counts.promptNotCounted(batch.pendingPrompt());
                    } else {
                        counts.outputNotCounted(batch.pending());
                    }
                }
            }
        }
    }

    private void handBackCount(TextBatch batch, TokenCountSink counts) {
        counted++;
        if (batch.isPrompt()) {
            counts.promptCounted(batch.pendingPrompt(), batch.tokens());
        } else {
            counts.outputCounted(batch.pending(), batch.tokens(), batch.tokensAfterFirst());
            if (batch.countsParts()) {
                counts.partsCounted(batch.pending(), batch.reasoningTokens(), batch.answerTokens());
            }
        }
    }

    /** Ends the tokenizer threads; texts that wait stay pending. No text must be submitted afterwards. */
    public void stop() {
        workers.stop();
    }

    /** Returns the number of texts that the fold has submitted, dropped ones included. */
    public long enqueued() {
        return enqueued;
    }

    /** Returns the number of counted texts, empty ones included. */
    public long counted() {
        return counted;
    }

    /** Returns the number of texts counted without the chat template of the model, or cut within a word; {@link #counted} includes them. */
    public long approximate() {
        return approximate;
    }

    /** Returns the number of texts that could not be counted. */
    public long failed() {
        return failed;
    }

    /** Returns the number of texts dropped because the memory for texts was full or {@link #refuse} was on. */
    public long dropped() {
        return dropped;
    }

    /** Returns the number of texts neither counted nor failed: waiting and dropped ones. */
    public long pending() {
        return enqueued - counted - failed;
    }

    /** Sets whether all further texts are dropped. */
    public void refuse(boolean all) {
        refusing = all;
    }

    /** Returns the number of texts waiting to be counted. */
    public long waiting() {
        return pending() - dropped;
    }

    /** Returns whether any text is waiting to be counted. */
    public boolean isWaiting() {
        return waiting() > 0;
    }

    /** Returns whether texts wait, half of their memory is in use and no batch is free, so that further ones may soon be dropped. */
    public boolean isCrowded() {
        return isWaiting() && free.isEmpty() && heldBytes >= maxBytes / 2;
    }

    /** Returns whether texts are counted during the run rather than at its end. */
    public boolean isCountedLive() {
        return workers.count() > 0;
    }

    /** Returns the number of texts counted or failed. */
    public long settled() {
        return counted + failed;
    }

    /** Starts a worker for each core and submits the waiting texts. Call it when nothing else needs the cores. */
    public void drain() {
        workers.useEveryCore();
        TextBatch batch = filling;
        if (batch != null && !batch.isEmpty()) {
            submit(batch);
        }
    }
}
