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
 * How the thread {@code main} sees whether the main flow still moves, and what it does when it does not. The thread {@code events}
 * gives signs of life; {@code main} looks for them once a second. State belongs to a thread that is stuck, so what is written then
 * is what the last rendered snapshot showed.
 */
final class Supervision {
    /** How often {@code main} looks. */
    static final long LOOK_NANOS = 1_000_000_000L;

    private static final Logger LOG = LoggerFactory.getLogger(Supervision.class);
    /** Heap that is given up when the rest has run out, so that a last snapshot can still be made. */
    private static final int BALLAST_BYTES =
            (int) Math.min(32 << 20, Math.max(4 << 20, Runtime.getRuntime().maxMemory() / 32));

    private static final int FRAMES_SHOWN = 12;

    private final long stallNanos;

    @SuppressWarnings("UnusedVariable") // held so that it can be given up
    private byte @Nullable [] ballast = new byte[BALLAST_BYTES];
    /** Written by {@code events} and, while it waits for them, by those that help it: only that it changes matters. */
    private volatile long signs;

    private volatile @Nullable Thread watched;
    private volatile @Nullable SnapshotRenderer renderer;
    private volatile @Nullable Supplier<FinalSnapshotWriter> writers;

    // Belong to main.
    private long signsSeen = -1;
    private long stalledNanos;
    private long lookedNanos;

    /**
     * Supervision that has nothing to watch yet.
     *
     * @param stallNanos a main flow without a sign of life for so long is stuck; 0 for never
     */
    Supervision(long stallNanos) {
        this.stallNanos = stallNanos;
    }

    /** From now on the calling thread gives signs. */
    void watch(SnapshotRenderer whoseLastSnapshot, Supplier<FinalSnapshotWriter> newWriters) {
        renderer = whoseLastSnapshot;
        writers = newWriters;
        watched = Thread.currentThread();
    }

    /** A sign of life. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // a lost one is followed by another
    void sign() {
        signs++;
    }

    /** Nothing is watched any more. */
    void done() {
        watched = null;
    }

    /** Something failed, perhaps for want of memory. */
    void giveMemoryBack() {
        ballast = null;
    }

    /**
     * Looks for signs of life; called by {@code main}, about every {@link #LOOK_NANOS}. Time in which this thread did not run
     * either (a stopped process, a machine that was asleep or overloaded) counts for no more than one look.
     *
     * @return the thread that is stuck; null if none is
     */
    @Nullable
    Thread look(long nowNanos) {
        long since = Math.min(nowNanos - lookedNanos, 2 * LOOK_NANOS);
        lookedNanos = nowNanos;
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

    /** Why the thread that renders snapshots must be taken for stuck; null if it need not. */
    @Nullable
    String rendererStuck() {
        SnapshotRenderer seen = renderer;
        return watched == null || stallNanos == 0 || seen == null || seen.looksBusy() * LOOK_NANOS < stallNanos
                ? null
                : "the thread publish has been rendering one snapshot for " + stallNanos / 1_000_000_000.0 + " s";
    }

    /** Says where a thread is stuck. */
    void explain(Thread stuck) {
        LOG.error(
                "the thread {} does not move. It is at:\n  {}",
                stuck.getName(),
                Arrays.stream(stuck.getStackTrace())
                        .limit(FRAMES_SHOWN)
                        .map(StackTraceElement::toString)
                        .collect(Collectors.joining("\n  ")));
    }

    /** The thread that is watched; null if there is none. */
    @Nullable
    Thread watched() {
        return watched;
    }

    /**
     * Writes what the last rendered snapshot showed, as interrupted.
     *
     * @return the durable file; null if there is none
     */
    @Nullable
    Path writeLastShown(long patienceNanos) {
        SnapshotRenderer source = renderer;
        Supplier<FinalSnapshotWriter> target = writers;
        MetricsSnapshot shown = source == null ? null : source.lastRendered();
        if (shown == null || target == null) {
            LOG.error("there has been no snapshot yet: nothing can be written");
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
        LOG.error("what snapshot {} showed is in {}", shown.counter(), file == null ? "no file: NOT DURABLE" : file);
        return file;
    }
}
