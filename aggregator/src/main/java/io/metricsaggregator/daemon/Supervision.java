package io.metricsaggregator.daemon;

import io.metricsaggregator.publish.FinalSnapshotWriter;
import io.metricsaggregator.publish.SnapshotRenderer;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects a main loop that is stuck. The thread {@code main-loop} gives signs of life; the thread {@code main} checks for them once a
 * second. The state belongs to the stuck thread, so the file written then repeats the last rendered snapshot.
 */
final class Supervision {
    /** Time between checks. */
    static final long CHECK_NANOS = 1_000_000_000L;

    private static final Logger LOG = LoggerFactory.getLogger(Supervision.class);
    /** Heap released when memory runs out, so that a last snapshot can still be taken. */
    private static final int BALLAST_BYTES =
            (int) Math.min(32 << 20, Math.max(4 << 20, Runtime.getRuntime().maxMemory() / 32));
    /** The part of it that is reserved from the start. The rest would be a third of an idle daemon's memory. */
    private static final int FIRST_BALLAST_BYTES = 1 << 20;
    /** The whole is reserved once the JVM has taken this share of the largest heap. */
    private static final int GROWN_SHARE = 4;

    private static final int FRAMES_SHOWN = 12;

    private final long stallNanos;

    @SuppressWarnings("UnusedVariable") // held only to be released
    private volatile byte @Nullable [] ballast = new byte[FIRST_BALLAST_BYTES];

    /** Written by {@code main-loop}, and by threads that it waits for: only a change matters. */
    private volatile long signs;

    private volatile @Nullable Thread watched;
    private volatile @Nullable SnapshotRenderer renderer;
    private volatile @Nullable Supplier<FinalSnapshotWriter> writers;

    // The fields below belong to the thread main.
    private long signsSeen = -1;
    private long stalledNanos;
    private long checkedNanos;

    /**
     * Supervision without a watched thread.
     *
     * @param stallNanos a main loop without a sign of life for this long is stuck; 0 for never
     */
    Supervision(long stallNanos) {
        this.stallNanos = stallNanos;
    }

    /** Starts to watch the calling thread. */
    void watch(SnapshotRenderer whoseLastSnapshot, Supplier<FinalSnapshotWriter> newWriters) {
        renderer = whoseLastSnapshot;
        writers = newWriters;
        watched = Thread.currentThread();
    }

    /** Gives a sign of life. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // a lost update is followed by another
    void sign() {
        signs++;
    }

    /** Stops watching. */
    void done() {
        watched = null;
    }

    /** Releases the reserve of heap after a failure, which may have been a full heap. Any thread. */
    synchronized void giveMemoryBack() {
        ballast = null;
    }

    /** Reserves the whole ballast once the heap has grown, unless it was released; called by {@code main}. */
    private synchronized void reserve() {
        byte[] reserved = ballast;
        Runtime runtime = Runtime.getRuntime();
        if (reserved == null
                || reserved.length == BALLAST_BYTES
                || runtime.totalMemory() < runtime.maxMemory() / GROWN_SHARE) {
            return;
        }
        try {
            ballast = new byte[BALLAST_BYTES];
        } catch (OutOfMemoryError e) {
            // The first part stays reserved. The thread that needs the memory fails too, and ends the run.
            LOG.debug("no heap for the whole reserve bytes={}", BALLAST_BYTES);
        }
    }

    /**
     * Checks for signs of life; called by {@code main}, about every {@link #CHECK_NANOS}. Time in which this thread did not run
     * either (a stopped process, a machine that was asleep or overloaded) counts as at most two checks.
     *
     * @return the thread that is stuck; null if none is
     */
    @Nullable
    Thread check(long nowNanos) {
        reserve();
        long since = Math.min(nowNanos - checkedNanos, 2 * CHECK_NANOS);
        checkedNanos = nowNanos;
        Thread thread = watched;
        long seen = signs;
        if (thread == null || stallNanos == 0 || seen != signsSeen) {
            signsSeen = seen;
            stalledNanos = 0;
            return null;
        }
        stalledNanos += since;
        return stalledNanos >= stallNanos ? thread : null;
    }

    /** Why the thread that renders snapshots counts as stuck; null if it does not. */
    @Nullable
    String rendererStuck() {
        SnapshotRenderer seen = renderer;
        return watched == null || stallNanos == 0 || seen == null || seen.looksBusy() * CHECK_NANOS < stallNanos
                ? null
                : "the thread publish has been rendering one snapshot for " + stallNanos / 1_000_000_000.0 + " s";
    }

    /** Logs where a thread is stuck. */
    void explain(Thread stuck) {
        LOG.error(
                "thread makes no progress name={}. Stack trace:\n  {}",
                stuck.getName(),
                Arrays.stream(stuck.getStackTrace())
                        .limit(FRAMES_SHOWN)
                        .map(StackTraceElement::toString)
                        .collect(Collectors.joining("\n  ")));
    }

    /** The watched thread; null if none is watched. */
    @Nullable
    Thread watched() {
        return watched;
    }

    /**
     * Writes the last rendered snapshot as an INTERRUPTED one, under the next number.
     *
     * @param patienceNanos longest wait for the file
     * @return the durable file; null if no snapshot was rendered or the file is not durable in time
     */
    @Nullable
    Path writeLastShown(long patienceNanos) {
        SnapshotRenderer source = renderer;
        Supplier<FinalSnapshotWriter> target = writers;
        MetricsSnapshot shown = source == null ? null : source.lastRendered();
        if (shown == null || target == null) {
            LOG.error("no snapshot to write: none has been taken yet");
            return null;
        }
        FinalSnapshotWriter writer = target.get();
        writer.start(new MetricsSnapshot(
                shown.counter() + 1,
                shown.timestampNanos(),
                SessionState.INTERRUPTED,
                shown.pendingTasks(),
                shown.metrics(),
                shown.extensions()));
        Path file = writer.await(patienceNanos);
        LOG.error("last snapshot written counter={} file={}", shown.counter(), file == null ? "NOT DURABLE" : file);
        return file;
    }
}
