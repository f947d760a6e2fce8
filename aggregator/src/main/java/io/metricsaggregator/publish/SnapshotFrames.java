package io.metricsaggregator.publish;

import io.metricsaggregator.event.Topic;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.MsgpackSnapshotCodec;
import io.metricsaggregator.snapshot.SnapshotDetail;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Frames of snapshots up to a size: a larger one is made with less detail, step by step (see {@link SnapshotDetail}), and says so itself.
 * Memory for a frame is never more than a few times that size, however large the snapshot. One owner at a time.
 */
public final class SnapshotFrames {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotFrames.class);

    private final MsgpackSnapshotCodec codec = new MsgpackSnapshotCodec();
    private final int maxBytes;
    private SnapshotDetail last = SnapshotDetail.ALL;

    /**
     * Frames.
     *
     * @param maxBytes of a frame's payload; a snapshot that is larger with the least detail is sent all the same
     */
    public SnapshotFrames(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** A frame with as much detail as it may hold. */
    public byte[] encode(MetricsSnapshot snapshot) {
        for (SnapshotDetail detail : SnapshotDetail.values()) {
            MetricsSnapshot reduced = detail.of(snapshot);
            byte[] payload = detail == SnapshotDetail.FIGURES ? codec.encode(reduced) : codec.encode(reduced, maxBytes);
            if (payload != null) {
                tell(detail, reduced);
                return Topic.frame(Topic.METRICS, payload);
            }
        }
        throw new IllegalStateException("figures alone are encoded whatever their size");
    }

    private void tell(SnapshotDetail detail, MetricsSnapshot sent) {
        SnapshotExtensions extensions = sent.extensions();
        if (detail != last) {
            last = detail;
            LOG.warn(
                    "snapshot frames reached snapshot_frame_bytes={}, left_out={}",
                    maxBytes,
                    extensions == null ? List.of() : extensions.completeness().leftOut());
        }
    }
}
