package io.metricsaggregator.run;

import io.metricsaggregator.ingest.Ingest;
import io.metricsaggregator.ingest.SessionChange;
import io.metricsaggregator.transport.FrameHandler;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Hands the frames received for a resumed run to its ingest until one starts the session of another benchmark; that frame and all
 * later ones go to a new run. Belongs to the thread of the main flow; allocates nothing per frame.
 */
final class ResumedFrames implements FrameHandler {
    private final Supplier<Ingest> beginNextRun;
    /** Null once the session has changed. */
    private @Nullable SessionChange change;

    private Ingest ingest;

    /**
     * A handler that begins with {@code resumed}.
     *
     * @param beginNextRun called once, when another session starts; returns the ingest of the frames from then on
     */
    ResumedFrames(LiveRun resumed, Supplier<Ingest> beginNextRun) {
        this.beginNextRun = beginNextRun;
        this.change = new SessionChange(resumed.fold);
        this.ingest = resumed.ingest();
    }

    @Override
    public void onFrame(ByteBuffer buffer, int start, int length) {
        if (change != null && change.isIn(buffer, start, length)) {
            change = null;
            ingest.onBurstEnd();
            ingest = beginNextRun.get();
        }
        ingest.onFrame(buffer, start, length);
    }

    @Override
    public List<String> announced() {
        return ingest.announced();
    }

    @Override
    public void onBurstEnd() {
        ingest.onBurstEnd();
    }
}
