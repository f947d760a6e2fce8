package io.metricsaggregator.daemon;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The verdict on a terminal snapshot for the last line of the log. It is reached on the thread {@code verdict}, so that it can neither delay an end nor fail it. */
public final class Judgement {
    private static final Logger LOG = LoggerFactory.getLogger(Judgement.class);
    private static final long PATIENCE_NANOS = 500_000_000L;
    private static final long CHECK_NANOS = 10_000_000L;

    private final FutureTask<Words> task;

    /**
     * A verdict in words.
     *
     * @param validity such as {@code VALID}
     * @param limitingFactor such as {@code the server}
     */
    public record Words(String validity, String limitingFactor) {}

    private Judgement(FutureTask<Words> task) {
        this.task = task;
    }

    /** Starts to judge a snapshot whose file is durable. */
    static Judgement start(Function<MetricsSnapshot, Words> judge, MetricsSnapshot snapshot) {
        Judgement started = new Judgement(new FutureTask<>(() -> judge.apply(snapshot)));
        try {
            Thread thread = new Thread(started.task, "verdict");
            thread.setDaemon(true);
            thread.start();
        } catch (Throwable e) {
            LOG.warn("verdict not reached: no thread for it", e);
            started.task.cancel(false);
        }
        return started;
    }

    /**
     * Waits for the verdict, half a second at most.
     *
     * @param outOfTime whether to wait no longer
     * @return null if there is none; the log names the cause
     */
    @Nullable
    Words await(BooleanSupplier outOfTime) {
        long start = System.nanoTime();
        while (!task.isCancelled()) {
            try {
                return task.get(CHECK_NANOS, TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                if (outOfTime.getAsBoolean() || System.nanoTime() - start > PATIENCE_NANOS) {
                    LOG.warn("verdict not reached in time: 'report' computes it from the file");
                    return null;
                }
            } catch (ExecutionException e) {
                LOG.warn("verdict not reached: 'report' may compute it from the file", e.getCause());
                return null;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return null;
            }
        }
        return null;
    }
}
