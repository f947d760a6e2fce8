package io.metricsaggregator.publish;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Renders one draft at a time on the thread {@code publish} and keeps the frame until the owner, the main loop, sends it. A tick that
 * comes while the renderer is busy is skipped.
 */
public final class SnapshotRenderer {
    private final AtomicReference<@Nullable SnapshotDraft> draft = new AtomicReference<>();
    private final AtomicReference<byte @Nullable []> frame = new AtomicReference<>();
    private final SnapshotFrames frames;
    private final SteadyJudge judge;
    private final Runnable whenRendered;
    private final LongConsumer afterwards;
    private final Thread thread;
    private volatile boolean busy;
    private volatile @Nullable MetricsSnapshot last;
    private int looksBusy;
    private @Nullable MetricsSnapshot lastLooked;
    private volatile boolean stopping;

    /**
     * A renderer whose thread has not started.
     *
     * @param maxFrameBytes a larger frame is encoded with less detail
     * @param judge judges the steady state; used by the thread {@code publish} alone
     * @param whenRendered called on the thread {@code publish} when a frame is ready
     * @param afterwards receives the nanoseconds that rendering took, on the thread {@code publish}
     * @param onDeath called if an exception ends the thread
     */
    public SnapshotRenderer(
            int maxFrameBytes,
            SteadyJudge judge,
            Runnable whenRendered,
            LongConsumer afterwards,
            Thread.UncaughtExceptionHandler onDeath) {
        this.frames = new SnapshotFrames(maxFrameBytes);
        this.judge = judge;
        this.whenRendered = whenRendered;
        this.afterwards = afterwards;
        this.thread = new Thread(this::run, "publish");
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler(onDeath);
    }

    /** Starts the thread, once. */
    public void start() {
        thread.start();
    }

    private void run() {
        while (!stopping) {
            SnapshotDraft next = draft.getAndSet(null);
            if (next == null) {
                LockSupport.park(this);
            } else {
                long start = System.nanoTime();
                frame.set(frame(next));
                long took = System.nanoTime() - start;
                busy = false;
                whenRendered.run();
                afterwards.accept(took);
            }
        }
    }

    private byte[] frame(SnapshotDraft taken) {
        MetricsSnapshot rendered = taken.render(judge);
        last = rendered;
        return frames.encode(rendered);
    }

    /** The snapshot rendered last; null before the first. Any thread. */
    public @Nullable MetricsSnapshot lastRendered() {
        return last;
    }

    /** Number of consecutive calls, this one included, that found the same draft being rendered. To be called by one thread only. */
    @SuppressWarnings("ReferenceEquality") // the same draft, not one like it
    public int looksBusy() {
        MetricsSnapshot rendered = last;
        looksBusy = busy && rendered == lastLooked ? looksBusy + 1 : 0;
        lastLooked = rendered;
        return looksBusy;
    }

    /** Whether {@link #render} may be called. Owner only. */
    public boolean isFree() {
        return !busy && frame.get() == null;
    }

    /** Renders a draft; the renderer must be free. The draft's copies belong to the renderer until it is free again. Owner only. */
    public void render(SnapshotDraft taken) {
        busy = true;
        draft.set(taken);
        LockSupport.unpark(thread);
    }

    /** Removes and returns the rendered frame; null if there is none. Owner only. */
    public byte @Nullable [] takeFrame() {
        return frame.getAndSet(null);
    }

    /** Asks the thread to end; does not wait for it. */
    public void stop() {
        stopping = true;
        LockSupport.unpark(thread);
    }
}
