package io.metricsaggregator.tokens;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.fold.LoadgenFold;
import io.metricsaggregator.fold.TextSink;
import io.metricsaggregator.registry.LongCounter;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.storage.BlockSupply;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the fold leaves texts, and where their counts come back to. Belongs to the thread of the fold. Texts wait as the bytes that
 * were received, in batches that are used again; beyond the bound on their memory a text is dropped, and stays pending for ever, so
 * that the end shows that something was not counted.
 */
public final class TokenCountQueue implements TextSink {
    private static final Logger LOG = LoggerFactory.getLogger(TokenCountQueue.class);

    private final LongCounter enqueued;
    private final LongCounter counted;
    private final LongCounter approximate;
    private final LongCounter failed;
    private final LongCounter dropped;
    private final TokenWorkers workers;
    private final long maxBytes;
    private final ArrayDeque<TextBatch> free = new ArrayDeque<>();
    private final BlockSupply blocks = new BlockSupply("text-memory", TextBatch.BLOCK_BYTES);
    private @Nullable TextBatch filling;
    private long heldBytes;
    private boolean refusing;

    /**
     * A desk that hands its batches to {@code workers}.
     *
     * @param maxBytes memory for texts that wait
     */
    public TokenCountQueue(Registry registry, TokenWorkers workers, long maxBytes) {
        this.enqueued = registry.counter(CounterName.TEXTS_ENQUEUED);
        this.counted = registry.counter(CounterName.TEXTS_COUNTED);
        this.approximate = registry.counter(CounterName.TEXTS_APPROXIMATE);
        this.failed = registry.counter(CounterName.TEXTS_FAILED);
        this.dropped = registry.counter(CounterName.TEXTS_DROPPED);
        this.workers = workers;
        this.maxBytes = maxBytes;
    }

    @Override
    public void prompt(DecodedEvent event) {
        add(event, true, NO_FIRST_CHUNK, 0, 0);
    }

    @Override
    public boolean output(DecodedEvent event, long sinceFirstNanos, long completedNanos, int met) {
        return add(event, false, sinceFirstNanos, completedNanos, met);
    }

    private boolean add(DecodedEvent event, boolean prompt, long sinceFirstNanos, long completedNanos, int met) {
        enqueued.increment();
        if (refusing) {
            dropped.increment();
            return false;
        }
        TextBatch batch = filling;
        if (batch == null || !batch.hasRoomFor(event.dataLength())) {
            batch = next(event.dataLength());
            if (batch == null) {
                drop();
                return false;
            }
        }
        batch.add(event, prompt, sinceFirstNanos, completedNanos, met);
        return true;
    }

    /** Hands over what is being filled, and starts a batch with room for a text; null if there is no memory for one. */
    private @Nullable TextBatch next(int length) {
        if (filling != null) {
            handOver(filling);
        }
        if (!TextBatch.fitsABlock(length)) {
            hold(heldBytes + TextBatch.HEAD_BYTES + length <= maxBytes ? new TextBatch(length) : null);
        } else if (!free.isEmpty()) {
            filling = free.pop();
        } else {
            hold(heldBytes + TextBatch.BLOCK_BYTES <= maxBytes ? new TextBatch(blocks.take()) : null);
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
        if (batch != null && !batch.isEmpty() && workers.areIdle()) {
            handOver(batch);
        }
        heldBytes += workers.giveUpStuck(System.nanoTime());
        for (TextBatch done = workers.takeDone(); done != null; done = workers.takeDone()) {
            record(done, fold);
            if (done.isReusable()) {
                done.clear();
                free.push(done);
            } else {
                heldBytes -= done.capacity();
            }
        }
    }

    private void record(TextBatch batch, LoadgenFold fold) {
        batch.rewind();
        while (batch.next()) {
            switch (batch.outcome()) {
                case COUNTED -> recordItem(batch, fold);
                case APPROXIMATE -> {
                    approximate.increment();
                    recordItem(batch, fold);
                }
                case EMPTY -> {
                    counted.increment();
                    if (!batch.isPrompt()) {
                        fold.outputEmpty(batch.completedNanos(), batch.met());
                    }
                }
                case FAILED -> {
                    failed.increment();
                    if (!batch.isPrompt()) {
                        fold.outputNotCounted(batch.met());
                    }
                }
            }
        }
    }

    private void recordItem(TextBatch batch, LoadgenFold fold) {
        counted.increment();
        if (batch.isPrompt()) {
            fold.promptCounted(batch.tokens());
        } else {
            fold.outputCounted(
                    batch.tokens(),
                    batch.sinceFirstNanos(),
                    batch.tokensAfterFirst(),
                    batch.completedNanos(),
                    batch.met());
        }
    }

    /** Texts that are neither counted nor given up as failed: those that wait, and those that were dropped. */
    public long pending() {
        return enqueued.value() - counted.value() - failed.value();
    }

    /** Whether texts that come from now on are dropped, and counted as that. */
    public void refuse(boolean all) {
        refusing = all;
    }

    /** Texts that will still be counted if there is time. */
    public long waiting() {
        return pending() - dropped.value();
    }

    /** Whether texts wait that will still be counted if there is time. */
    public boolean isWaiting() {
        return pending() > dropped.value();
    }

    /** Whether so much waits that texts to come could find no room soon. */
    public boolean isCrowded() {
        return free.isEmpty() && heldBytes >= maxBytes / 2;
    }

    /** Whether somebody counts while the run goes on. */
    public boolean isCountedLive() {
        return workers.count() > 0;
    }

    /** Texts counted or given up so far. */
    public long settled() {
        return counted.value() + failed.value();
    }

    /** From now on nothing else has to be done: every core counts. */
    public void drain() {
        workers.useEveryCore();
        TextBatch batch = filling;
        if (batch != null && !batch.isEmpty()) {
            handOver(batch);
        }
    }
}
