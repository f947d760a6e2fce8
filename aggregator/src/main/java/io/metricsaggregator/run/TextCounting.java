package io.metricsaggregator.run;

import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.fold.LoadgenFold;
import io.metricsaggregator.journal.RecoveryMarker;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.storage.BlockSupply;
import io.metricsaggregator.tokens.TokenCountQueue;
import io.metricsaggregator.tokens.TokenWorkers;
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

    /** Failed starts in a row, while a journal is read back, after which its texts are left uncounted. */
    private static final int FAILED_STARTS_MAX = 2;
    /** A tokenizer that counts nothing for this long hangs: texts are then dropped and counted as dropped. */
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    private static final long POLL_NANOS = 1_000_000L;

    private final LoadgenFold fold;
    private final @Nullable TokenCountQueue queue;
    private final @Nullable TextCounters counters;
    private volatile Runnable whenCounted = () -> {};
    /** Texts settled once all those of the journal are. */
    private long settledWithRecovered;

    /**
     * Token counting for the texts that {@code fold} hands out.
     *
     * @param tokens the tokenizer, its threads and the memory of texts that wait; null if no text is counted
     * @param registry takes the counters of texts
     */
    TextCounting(RunResources.@Nullable Tokens tokens, Registry registry, LoadgenFold fold) {
        this.fold = fold;
        if (tokens == null) {
            this.queue = null;
            this.counters = null;
        } else {
            TokenWorkers workers =
                    new TokenWorkers(tokens.counter(), tokens.chat(), tokens.workers(), () -> whenCounted.run());
            BlockSupply blocks = new BlockSupply("text-memory", TokenCountQueue.BLOCK_BYTES);
            TokenCountQueue made = new TokenCountQueue(workers, blocks::take, tokens.textMaxBytes());
            this.queue = made;
            this.counters = new TextCounters(registry, made);
            fold.countTexts(made);
        }
    }

    /** Calls {@code wake} on a tokenizer's thread whenever texts have been counted. */
    void wakes(Runnable wake) {
        whenCounted = wake;
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
     * Lets every core count texts.
     *
     * @return whether any are still to be counted
     */
    public boolean drain() {
        if (queue != null) {
            queue.drain();
        }
        return isWaiting();
    }

    /** Counts all texts that are left, and waits for them. Gives up when none has been counted for a minute. */
    void countAll() {
        if (queue != null && drain()) {
            await(queue, this::isWaiting);
        }
    }

    /** Whether texts are still to be counted. */
    public boolean isWaiting() {
        return queue != null && queue.isWaiting();
    }

    /** Texts that are neither counted nor failed, dropped ones among them. */
    long pending() {
        return queue == null ? 0 : queue.pending();
    }

    /**
     * Drops the texts of a journal whose recovery has failed repeatedly: if no single frame is to blame, native code that counts
     * texts is the likeliest cause.
     */
    void refuseWhatMayKill(RecoveryMarker marker) {
        if (queue != null && marker.failedStarts() >= FAILED_STARTS_MAX) {
            queue.refuse(true);
            LOG.error(
                    "{} starts died while they resumed this run: texts that were received before are not counted (texts_dropped)",
                    marker.failedStarts());
        }
    }

    /** Waits, while a journal is read back, until there is room for more texts. */
    void makeRoom() {
        if (queue == null) {
            return;
        }
        queue.exchange(fold.tokenCounts());
        if (queue.isCrowded() && !queue.isCountedLive()) {
            queue.drain();
        }
        await(queue, queue::isCrowded);
    }

    /** The journal has been read back: texts are taken again, and those that wait are the last of it. */
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

    /** Records texts as they are counted while {@code waiting}; gives up when none has been counted for a minute. */
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
