package io.metricsaggregator.publish;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Renders one draft at a time on the thread {@code publish} and leaves the frame for the owner to send. While it is busy it takes
 * no other: that tick is skipped.
 */
public final class SnapshotRenderer {
    private final AtomicReference<@Nullable SnapshotDraft> draft = new AtomicReference<>();
    private final AtomicReference<byte @Nullable []> frame = new AtomicReference<>();
    private final SnapshotFrames frames;
    private final Runnable whenRendered;
    private final LongConsumer afterwards;
    private final Thread thread;
    private volatile boolean busy;
    private volatile @Nullable MetricsSnapshot last;
    private int looksBusy;
    private @Nullable MetricsSnapshot lastLooked;
    private volatile boolean stopping;

    /**
     * Starts the thread.
     *
     * @param maxFrameBytes a larger frame is made with less detail
     * @param whenRendered told, on that thread, that a frame is there
     * @param afterwards told, on that thread, how many nanoseconds it took
     * @param onDeath told if the thread ends by an error
     */
    public SnapshotRenderer(
            int maxFrameBytes,
            Runnable whenRendered,
            LongConsumer afterwards,
            Thread.UncaughtExceptionHandler onDeath) {
        this.frames = new SnapshotFrames(maxFrameBytes);
        this.whenRendered = whenRendered;
        this.afterwards = afterwards;
        this.thread = new Thread(this::run, "publish");
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler(onDeath);
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
        MetricsSnapshot rendered = taken.render();
        last = rendered;
        return frames.encode(rendered);
    }

    /** The snapshot that was rendered last; null if none was. Any thread. */
    public @Nullable MetricsSnapshot lastRendered() {
        return last;
    }

    /** How many times in a row one thread, always the same, has asked this and found the same draft in rendering. */
    @SuppressWarnings("ReferenceEquality") // the same draft, not one like it
    public int looksBusy() {
        MetricsSnapshot rendered = last;
        looksBusy = busy && rendered == lastLooked ? looksBusy + 1 : 0;
        lastLooked = rendered;
        return looksBusy;
    }

    /** Whether a draft would be taken now. Owner only. */
    public boolean isFree() {
        return !busy && frame.get() == null;
    }

    /** Hands over a draft; to be asked {@link #isFree} before. Its copies are this object's until it is free again. Owner only. */
    public void render(SnapshotDraft taken) {
        busy = true;
        draft.set(taken);
        LockSupport.unpark(thread);
    }

    /** The frame that has been rendered, once; null if there is none. Owner only. */
    public byte @Nullable [] takeFrame() {
        return frame.getAndSet(null);
    }

    /** Ends the thread. */
    public void stop() {
        stopping = true;
        LockSupport.unpark(thread);
    }
}
