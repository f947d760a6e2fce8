package io.metricsaggregator.daemon;

import io.metricsaggregator.publish.SnapshotFrames;
import io.metricsaggregator.publish.SnapshotRenderer;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.transport.FrameSink;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends rendered snapshots to subscribers, the terminal one last. Belongs to the thread of the main flow. */
final class SnapshotPublisher {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotPublisher.class);

    private final SnapshotRenderer renderer;
    private final FrameSink sink;

    /** A publisher of the frames of {@code renderer}. The caller closes {@code sink}. */
    SnapshotPublisher(SnapshotRenderer renderer, FrameSink sink) {
        this.renderer = renderer;
        this.sink = sink;
    }

    /** Sends the snapshot rendered since the last call; does nothing without one. */
    void publish() {
        byte[] frame = renderer.takeFrame();
        if (frame != null) {
            sink.offer(frame);
        }
    }

    /**
     * Sends a rendered snapshot, if there is one, then the terminal snapshot, and stops the renderer. A snapshot that is still being
     * rendered is not sent. A failure is logged: the file does not depend on it.
     *
     * @param frameMaxBytes a larger frame is encoded with less detail
     */
    void publishLast(MetricsSnapshot last, int frameMaxBytes) {
        publish();
        renderer.stop();
        try {
            sink.offerLast(new SnapshotFrames(frameMaxBytes).encode(last));
        } catch (Throwable e) {
            LOG.error("terminal snapshot not published; its file is still written", e);
        }
    }

    /** The sink, for subscribers that come after the terminal snapshot. */
    FrameSink sink() {
        return sink;
    }
}
