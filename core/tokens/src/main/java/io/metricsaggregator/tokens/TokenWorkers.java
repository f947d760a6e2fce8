package io.metricsaggregator.tokens;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The daemon threads {@code tokens-N}, which count batches. The owner, the thread of the fold, abandons a thread that hangs at a text:
 * that text fails, and another thread counts the rest.
 */
public final class TokenWorkers {
    private static final Logger LOG = LoggerFactory.getLogger(TokenWorkers.class);
    /** Time without a heartbeat after which a worker is abandoned. */
    private static final long PATIENCE_NANOS = 30_000_000_000L;
    /** Maximum number of abandoned threads; after that all texts count as failed. */
    private static final int ABANDONED_MAX = 8;

    private final TokenCounter counter;
    private final ChatFormat chat;
    private final Runnable whenDone;
    private final long patienceNanos;
    private final TextMemory memory = TextMemory.ofThisProcess();
    private final TemplateTrouble trouble = new TemplateTrouble();
    private final LinkedBlockingQueue<TextBatch> work = new LinkedBlockingQueue<>();
    private final ConcurrentLinkedQueue<TextBatch> done = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean loggedFailure = new AtomicBoolean();
    private volatile boolean draining;

    // The fields below belong to the owner.
    private final List<TokenWorker> workers = new ArrayList<>();
    private int submitted;
    private int started;
    private int abandoned;

    /**
     * Starts the threads.
     *
     * @param live number of threads that count during the run; may be 0
     * @param whenDone called on a worker's thread after each batch
     */
    public TokenWorkers(TokenCounter counter, ChatFormat chat, int live, Runnable whenDone) {
        this(counter, chat, live, whenDone, PATIENCE_NANOS);
    }

    TokenWorkers(TokenCounter counter, ChatFormat chat, int live, Runnable whenDone, long patienceNanos) {
        this.counter = counter;
        this.chat = chat;
        this.whenDone = whenDone;
        this.patienceNanos = patienceNanos;
        startUpTo(live);
    }

    private void startUpTo(int count) {
        while (workers.size() < count) {
            TokenWorker worker = new TokenWorker(work, this::finished);
            TextCount counting = new TextCount(counter, chat, memory, trouble, worker);
            workers.add(worker);
            worker.start(counting, "tokens-" + ++started);
        }
    }

    /** Receives a counted batch; called by workers. */
    private void finished(TextBatch batch, @Nullable Throwable failure) {
        if (failure != null && loggedFailure.compareAndSet(false, true)) {
            LOG.warn("text not counted. Further ones are only counted as texts_failed", failure);
        }
        done.add(batch);
        if (draining) {
            whenDone.run();
        }
    }

    /** Returns whether a thread is free for another batch. Owner only. */
    boolean areIdle() {
        return !workers.isEmpty() && submitted < workers.size();
    }

    /** Returns the number of threads. Owner only. */
    int count() {
        return workers.size();
    }

    /** Queues a batch for the next free thread. Owner only. */
    void submit(TextBatch batch) {
        submitted++;
        work.add(batch);
    }

    /** Removes a counted batch; null if there is none. Owner only. */
    @Nullable
    TextBatch takeDone() {
        TextBatch batch = done.poll();
        if (batch != null) {
            submitted--;
        }
        return batch;
    }

    /**
     * Abandons hanging threads and fails their texts. Cheap enough to call often. Owner only.
     *
     * @return bytes of memory that abandoned threads still hold
     */
    long abandonStuck(long nowNanos) {
        long lost = 0;
        for (int i = workers.size() - 1; i >= 0; i--) {
            TokenWorker worker = workers.get(i);
            int item = worker.item();
            TextBatch batch = worker.takeOver(nowNanos - patienceNanos);
            if (batch != null) {
                workers.remove(i);
                abandoned++;
                memory.release(worker.thread());
                LOG.error(
                        "tokenizer worker abandoned thread={} seconds={} bytes={}: the text counts as texts_failed. Stack trace:\n  {}",
                        worker.name(),
                        patienceNanos / 1_000_000_000.0,
                        batch.length(item),
                        worker.place());
                TextBatch rest = batch.without(item);
                lost += rest.capacity();
                work.add(rest);
                if (abandoned <= ABANDONED_MAX) {
                    startUpTo(workers.size() + 1);
                } else if (workers.isEmpty()) {
                    LOG.error("tokenizer hangs threads_abandoned={}: all texts count as texts_failed", abandoned);
                }
            }
        }
        if (abandoned > ABANDONED_MAX && workers.isEmpty()) {
            work.drainTo(done);
        }
        return lost;
    }

    /** Ends the threads once each has counted its present batch; texts that wait are not counted. Nothing must be submitted afterwards. Owner only. */
    void stop() {
        for (TokenWorker each : workers) {
            each.stop();
        }
    }

    /** Starts a thread for each core. Owner only. */
    void useEveryCore() {
        draining = true;
        if (abandoned <= ABANDONED_MAX) {
            startUpTo(Math.max(1, Runtime.getRuntime().availableProcessors()));
        }
    }
}
