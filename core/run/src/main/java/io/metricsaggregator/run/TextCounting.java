package io.metricsaggregator.run;

import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.fold.LoadgenFold;
import io.metricsaggregator.journal.RecoveryMarker;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.storage.BlockSupply;
import io.metricsaggregator.tokens.TokenCountQueue;
import io.metricsaggregator.tokens.TokenWorkers;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the tokens of a run's texts: hands texts to tokenizer threads, records what they counted, and waits for them while a
 * journal is read back and at the end. Without a tokenizer every method does nothing and no text is pending. Belongs to the
 * thread of the main flow.
 */
public final class TextCounting {
    private static final Logger LOG = LoggerFactory.getLogger(TextCounting.class);

    /** Number of failed starts in a row, during recovery, after which the texts of the journal are not counted. */
    private static final int FAILED_STARTS_MAX = 2;
    /** A tokenizer that has counted nothing for this long hangs; the wait for it ends. */
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    private static final long POLL_NANOS = 1_000_000L;

    private final LoadgenFold fold;
    private final @Nullable TokenCountQueue queue;
    private final @Nullable TextCounters counters;
    private final @Nullable BlockSupply blocks;
    /** Called on tokenizer threads. */
    private final AtomicReference<Runnable> whenCounted;
    /** Value of {@link TokenCountQueue#settled} once all texts of the journal are settled. */
    private long settledWithRecovered;

    private TextCounting(
            LoadgenFold fold,
            @Nullable TokenCountQueue queue,
            @Nullable TextCounters counters,
            @Nullable BlockSupply blocks,
            AtomicReference<Runnable> whenCounted) {
        this.fold = fold;
        this.queue = queue;
        this.counters = counters;
        this.blocks = blocks;
        this.whenCounted = whenCounted;
    }

    /**
     * Starts the tokenizer threads and lets {@code fold} hand its texts to them.
     *
     * @param tokens the tokenizer, its threads and the memory of texts that wait; null if no text is counted
     * @param registry registers the counters of texts
     */
    static TextCounting start(RunResources.@Nullable Tokens tokens, Registry registry, LoadgenFold fold) {
        if (tokens == null) {
            return new TextCounting(fold, null, null, null, new AtomicReference<>(() -> {}));
        }
        AtomicReference<Runnable> whenCounted = new AtomicReference<>(() -> {});
        TokenWorkers workers = new TokenWorkers(
                tokens.counter(),
                tokens.chat(),
                tokens.workers(),
                () -> Objects.requireNonNull(whenCounted.get()).run());
        BlockSupply blocks = new BlockSupply("text-memory", TokenCountQueue.BLOCK_BYTES);
        TokenCountQueue queue = new TokenCountQueue(workers, blocks::take, tokens.textMaxBytes());
        fold.countTexts(queue);
        return new TextCounting(fold, queue, new TextCounters(registry, queue), blocks, whenCounted);
    }

    /** Ends the threads that count and those that make memory; no text must be counted afterwards. A process that folds many runs has to call it. */
    void stop() {
        if (queue != null) {
            queue.stop();
        }
        if (blocks != null) {
            blocks.close();
        }
    }

    /** Calls {@code wake} on a tokenizer's thread whenever texts have been counted. */
    void wakes(Runnable wake) {
        whenCounted.set(wake);
    }

    /** Records the texts that have been counted, and submits those that wait. */
    void exchange() {
        if (queue != null) {
            queue.exchange(fold.tokenCounts());
        }
    }

    /** Updates the counters of texts; to be called before a snapshot is taken. */
    void refresh() {
        if (counters != null) {
            counters.refresh();
        }
    }

    /**
     * Starts a tokenizer thread for every core.
     *
     * @return whether texts wait to be counted
     */
    public boolean drain() {
        if (queue != null) {
            queue.drain();
        }
        return isWaiting();
    }

    /** Counts all remaining texts and waits for them. Returns early when no text has been counted for a minute. */
    void countAll() {
        if (queue != null && drain()) {
            await(queue, this::isWaiting);
        }
    }

    /** Whether texts wait to be counted or are being counted. */
    public boolean isWaiting() {
        return queue != null && queue.isWaiting();
    }

    /** Number of texts that are neither counted nor failed; dropped texts are among them. */
    long pending() {
        return queue == null ? 0 : queue.pending();
    }

    /**
     * Drops the texts of a journal whose recovery has failed repeatedly: if no single frame is the cause, the native tokenizer is the
     * most likely one.
     */
    void refuseWhatMayKill(RecoveryMarker marker) {
        if (queue != null && marker.failedStarts() >= FAILED_STARTS_MAX) {
            queue.refuse(true);
            LOG.error(
                    "texts of the journal not counted failed_starts={}: earlier starts died while they resumed this run, see texts_dropped",
                    marker.failedStarts());
        }
    }

    /** Waits, while a journal is read back, until there is room for more texts. */
    void makeRoom() {
        makeRoom(() -> false);
    }

    /**
     * Waits, while a journal is read back, until there is room for more texts, or nobody wants them any more: those without room are dropped then.
     *
     * @param stopping whether the process has to end
     */
    void makeRoom(BooleanSupplier stopping) {
        if (queue == null) {
            return;
        }
        queue.exchange(fold.tokenCounts());
        if (queue.isCrowded() && !queue.isCountedLive()) {
            queue.drain();
        }
        await(queue, () -> queue.isCrowded() && !stopping.getAsBoolean());
    }

    /** Notes that the journal has been read back: texts are accepted again, and those that wait now are the last of the journal. */
    void recovered() {
        if (queue != null) {
            queue.refuse(false);
            settledWithRecovered = queue.settled() + queue.waiting();
        }
    }

    /** Whether all texts of the journal that was read back have been counted or have failed. */
    boolean hasSettledRecovered() {
        return queue == null || queue.settled() >= settledWithRecovered;
    }

    /** Records token counts while {@code waiting} returns true; returns early when no text has been counted for a minute. */
    private void await(TokenCountQueue from, BooleanSupplier waiting) {
        long settled = from.settled();
        long since = System.nanoTime();
        while (waiting.getAsBoolean() && System.nanoTime() - since < PATIENCE_NANOS) {
            LockSupport.parkNanos(POLL_NANOS);
            from.exchange(fold.tokenCounts());
            if (from.settled() != settled) {
                settled = from.settled();
                since = System.nanoTime();
            }
        }
    }
}
