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
 * The daemon threads {@code tokens-N}, which count batches. A thread that hangs at a text is abandoned: that text fails, and another
 * thread counts the rest.
 */
public final class TokenWorkers {
    private static final Logger LOG = LoggerFactory.getLogger(TokenWorkers.class);
    /** Time without a heartbeat after which a worker is abandoned. */
    private static final long PATIENCE_NANOS = 30_000_000_000L;
    /** Maximum number of abandoned threads; after that all texts fail. */
    private static final int GIVEN_UP_MAX = 8;

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

    // Owner only.
    private final List<TokenWorker> workers = new ArrayList<>();
    private int submitted;
    private int started;
    private int givenUp;

    /**
     * Starts threads.
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

    /** Takes a counted batch; called by workers. */
    private void finished(TextBatch batch, @Nullable Throwable failure) {
        if (failure != null && loggedFailure.compareAndSet(false, true)) {
            LOG.warn("a text could not be counted (counted in texts_failed from now on)", failure);
        }
        done.add(batch);
        if (draining) {
            whenDone.run();
        }
    }

    /** Whether a thread is free for another batch. Owner only. */
    boolean areIdle() {
        return !workers.isEmpty() && submitted < workers.size();
    }

    /** The number of threads. Owner only. */
    int count() {
        return workers.size();
    }

    /** Owner only. */
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
    long giveUpStuck(long nowNanos) {
        long lost = 0;
        for (int i = workers.size() - 1; i >= 0; i--) {
            TokenWorker worker = workers.get(i);
            int item = worker.item();
            TextBatch batch = worker.takeOver(nowNanos - patienceNanos);
            if (batch != null) {
                workers.remove(i);
                givenUp++;
                memory.release(worker.thread());
                LOG.error(
                        "tokenizer worker given up thread={} seconds={} bytes={}: the text counts as texts_failed. It is at:\n  {}",
                        worker.name(),
                        patienceNanos / 1_000_000_000.0,
                        batch.length(item),
                        worker.place());
                TextBatch rest = batch.without(item);
                lost += rest.capacity();
                work.add(rest);
                if (givenUp <= GIVEN_UP_MAX) {
                    startUpTo(workers.size() + 1);
                } else if (workers.isEmpty()) {
                    LOG.error("tokenizer hangs threads_given_up={}: all texts count as texts_failed", givenUp);
                }
            }
        }
        if (givenUp > GIVEN_UP_MAX && workers.isEmpty()) {
            work.drainTo(done);
        }
        return lost;
    }

    /** Owner only. */
    void useEveryCore() {
        draining = true;
        if (givenUp <= GIVEN_UP_MAX) {
            startUpTo(Math.max(1, Runtime.getRuntime().availableProcessors()));
        }
    }
}
