package io.metricsaggregator.tokens;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.fold.LoadgenFold;
import io.metricsaggregator.fold.TextSink;
import io.metricsaggregator.registry.LongCounter;
import io.metricsaggregator.registry.Registry;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the fold leaves texts, and where their counts come back to. Belongs to the thread of the fold. Texts wait as the bytes that
 * were received, in batches that are used again; beyond the bound on their memory a text is dropped, and stays pending for ever, so
 * that the end shows that something was not counted.
 */
public final class TextDesk implements TextSink {
    private static final Logger LOG = LoggerFactory.getLogger(TextDesk.class);

    private final LongCounter enqueued;
    private final LongCounter counted;
    private final LongCounter approximate;
    private final LongCounter failed;
    private final LongCounter dropped;
    private final TokenWorkers workers;
    private final long maxBytes;
    private final ArrayDeque<TextBatch> free = new ArrayDeque<>();
    private @Nullable TextBatch filling;
    private long heldBytes;

    /**
     * A desk that hands its batches to {@code workers}.
     *
     * @param maxBytes memory for texts that wait
     */
    public TextDesk(Registry registry, TokenWorkers workers, long maxBytes) {
        this.enqueued = registry.counter("texts_enqueued");
        this.counted = registry.counter("texts_counted");
        this.approximate = registry.counter("texts_approximate");
        this.failed = registry.counter("texts_failed");
        this.dropped = registry.counter("texts_dropped");
        this.workers = workers;
        this.maxBytes = maxBytes;
    }

    @Override
    public void prompt(DecodedEvent event) {
        add(event, true, NO_FIRST_CHUNK);
    }

    @Override
    public void output(DecodedEvent event, long sinceFirstNanos) {
        add(event, false, sinceFirstNanos);
    }

    private void add(DecodedEvent event, boolean prompt, long sinceFirstNanos) {
        enqueued.increment();
        TextBatch batch = placeFor(event.dataLength());
        if (batch == null) {
            drop();
            return;
        }
        heldBytes += growth(batch, event.dataLength());
        batch.add(event, prompt, sinceFirstNanos);
        if (batch.isFull()) {
            handOver(batch);
        }
    }

    /** The batch that is being filled, or the next one; null if none may grow as much as it takes. */
    private @Nullable TextBatch placeFor(int length) {
        TextBatch batch = filling == null ? next() : filling;
        if (batch == null || heldBytes + growth(batch, length) <= maxBytes) {
            return batch;
        }
        if (batch.items == 0) {
            return null;
        }
        handOver(batch);
        batch = next();
        return batch == null || heldBytes + growth(batch, length) <= maxBytes ? batch : null;
    }

    private @Nullable TextBatch next() {
        if (!free.isEmpty()) {
            filling = free.pop();
        } else if (heldBytes + TextBatch.FIRST_BYTES <= maxBytes) {
            filling = new TextBatch();
            heldBytes += TextBatch.FIRST_BYTES;
        }
        return filling;
    }

    private static int growth(TextBatch batch, int length) {
        return batch.bytesWith(length) - batch.bytes.length;
    }

    private void drop() {
        if (dropped.value() == 0) {
            LOG.warn(
                    "texts wait for the tokenizer in {} bytes: no more are kept, and those that come are not counted. See"
                            + " --max-text-memory and --tokenizer-workers",
                    heldBytes);
        }
        dropped.increment();
    }

    private void handOver(TextBatch batch) {
        filling = null;
        workers.submit(batch);
    }

    /** Hands over what waits if somebody has time for it, and records what has been counted. */
    public void exchange(LoadgenFold fold) {
        TextBatch batch = filling;
        if (batch != null && batch.items > 0 && workers.areIdle()) {
            handOver(batch);
        }
        for (TextBatch done = workers.takeDone(); done != null; done = workers.takeDone()) {
            record(done, fold);
            heldBytes -= done.bytes.length;
            done.clear();
            heldBytes += done.bytes.length;
            free.push(done);
        }
    }

    private void record(TextBatch batch, LoadgenFold fold) {
        for (int i = 0; i < batch.items; i++) {
            switch (batch.outcomes[i]) {
                case COUNTED -> recordItem(batch, i, fold);
                case APPROXIMATE -> {
                    approximate.increment();
                    recordItem(batch, i, fold);
                }
                case EMPTY -> counted.increment();
                case FAILED -> failed.increment();
            }
        }
    }

    private void recordItem(TextBatch batch, int item, LoadgenFold fold) {
        counted.increment();
        if (batch.prompt[item]) {
            fold.promptCounted(batch.tokens[item]);
        } else {
            fold.outputCounted(batch.tokens[item], batch.sinceFirstNanos[item], batch.tokensAfterFirst[item]);
        }
    }

    /** Texts that are neither counted nor given up as failed: those that wait, and those that were dropped. */
    public long pending() {
        return enqueued.value() - counted.value() - failed.value();
    }

    /** Whether texts wait that will still be counted if there is time. */
    public boolean isWaiting() {
        return pending() > dropped.value();
    }

    /** From now on nothing else has to be done: every core counts. */
    public void drain() {
        workers.useEveryCore();
        TextBatch batch = filling;
        if (batch != null && batch.items > 0) {
            handOver(batch);
        }
    }
}
