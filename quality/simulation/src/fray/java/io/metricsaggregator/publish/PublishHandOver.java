package io.metricsaggregator.publish;

import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.raw.RawBudget;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Slices;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/** Drafts from the main loop to the thread {@code publish}, frames back. */
public final class PublishHandOver {
    private static final SnapshotExtensions NOTHING = SnapshotExtensions.of(
                    new RunInfo(1, "run", "1", 0, 0, List.of(), List.of(), Map.of(), Map.of()),
                    new SnapshotExtensions.InFlight(0, 0, 0, 0, 0),
                    new Slices(0, 1, 0, List.of()))
            .build();

    private PublishHandOver() {}

    /** Each draft gives one frame, in order, no wake-up is lost, and the renderer is not free before its frame was taken. */
    public static void renderer() {
        Thread owner = Thread.currentThread();
        AtomicReference<Throwable> death = new AtomicReference<>();
        SnapshotRenderer renderer = new SnapshotRenderer(
                1 << 20,
                new SteadyJudge(600),
                () -> LockSupport.unpark(owner),
                nanos -> {},
                (thread, cause) -> death.set(cause));
        renderer.start();
        for (long number = 1; number <= 2; number++) {
            renderer.render(new SnapshotDraft(
                    number,
                    5,
                    SessionState.LIVE,
                    0,
                    new Registry(3, 30, new RawBudget(Long.MAX_VALUE)).newCopy(),
                    NOTHING,
                    ClosedBatches.NONE));
            byte[] frame = null;
            while (frame == null) {
                if (renderer.isFree()) {
                    throw new AssertionError("free before the frame of draft " + number + " was taken");
                }
                frame = renderer.takeFrame();
                if (frame == null) {
                    LockSupport.park();
                }
            }
            while (!renderer.isFree()) {
                LockSupport.park();
            }
            if (renderer.lastRendered().counter() != number) {
                throw new AssertionError("draft " + renderer.lastRendered().counter() + " for " + number);
            }
        }
        renderer.stop();
        if (death.get() != null) {
            throw new AssertionError(death.get());
        }
    }
}
