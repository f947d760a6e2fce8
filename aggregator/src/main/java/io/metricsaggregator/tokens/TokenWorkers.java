package io.metricsaggregator.tokens;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads {@code tokens-N}: they take batches, count, and put them back. They end with the process, whatever they are doing: a
 * tokenizer that hangs holds nobody up.
 */
public final class TokenWorkers {
    private static final Logger LOG = LoggerFactory.getLogger(TokenWorkers.class);

    private final TokenCounter counter;
    private final ChatFormat chat;
    private final Runnable whenDone;
    private final LinkedBlockingQueue<TextBatch> work = new LinkedBlockingQueue<>();
    private final ConcurrentLinkedQueue<TextBatch> done = new ConcurrentLinkedQueue<>();
    private int submitted;
    private final AtomicBoolean loggedFailure = new AtomicBoolean();
    private int threads;
    private volatile boolean draining;

    /**
     * Starts threads.
     *
     * @param live how many count while the run goes on; may be 0
     * @param whenDone told by a worker, while nothing else goes on, that a batch is done
     */
    public TokenWorkers(TokenCounter counter, ChatFormat chat, int live, Runnable whenDone) {
        this.counter = counter;
        this.chat = chat;
        this.whenDone = whenDone;
        startUpTo(live);
    }

    private void startUpTo(int count) {
        while (threads < count) {
            Thread thread = new Thread(this::run, "tokens-" + ++threads);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void run() {
        TextCount count = new TextCount(counter, chat);
        try {
            while (true) {
                TextBatch batch = work.take();
                Throwable failure = count.count(batch);
                if (failure != null && loggedFailure.compareAndSet(false, true)) {
                    LOG.warn("a text could not be counted (counted in texts_failed from now on)", failure);
                }
                done.add(batch);
                if (draining) {
                    whenDone.run();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether a thread would take another batch at once. Owner only. */
    boolean areIdle() {
        return threads > 0 && submitted < threads;
    }

    /** How many there are. Owner only. */
    int count() {
        return threads;
    }

    /** Owner only. */
    void submit(TextBatch batch) {
        submitted++;
        work.add(batch);
    }

    /** A batch that has been counted; null if there is none. Owner only. */
    @Nullable
    TextBatch takeDone() {
        TextBatch batch = done.poll();
        if (batch != null) {
            submitted--;
        }
        return batch;
    }

    /** Owner only. */
    void useEveryCore() {
        draining = true;
        startUpTo(Math.max(1, Runtime.getRuntime().availableProcessors()));
    }
}
