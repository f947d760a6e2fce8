package io.metricsaggregator.publish;

import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.MsgpackSnapshotCodec;
import io.metricsaggregator.snapshot.SnapshotDetail;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Encodes snapshots as frames up to a size: a larger one is encoded with less detail, step by step (see {@link SnapshotDetail}), and names
 * the parts left out. A frame takes a few times that size of memory at most, however large the snapshot. Not thread-safe.
 */
public final class SnapshotFrames {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotFrames.class);

    private static final byte[] TOPIC = Topic.pad(Topic.METRICS);

    private final MsgpackSnapshotCodec codec = new MsgpackSnapshotCodec();
    private final int maxBytes;
    private SnapshotDetail last = SnapshotDetail.ALL;

    /**
     * An encoder of frames.
     *
     * @param maxBytes largest payload of a frame; a snapshot that is larger with the least detail is encoded nevertheless
     */
    public SnapshotFrames(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Returns the frame with the most detail that fits. */
    public byte[] encode(MetricsSnapshot snapshot) {
        SnapshotDetail detail = SnapshotDetail.ALL;
        MetricsSnapshot reduced = snapshot;
        byte[] frame = codec.encode(TOPIC, snapshot, maxBytes);
        while (frame == null) {
            detail = SnapshotDetail.values()[detail.ordinal() + 1];
            reduced = detail.of(snapshot);
            frame = codec.encode(TOPIC, reduced, detail == SnapshotDetail.FIGURES ? Integer.MAX_VALUE : maxBytes);
        }
        if (detail != last) {
            last = detail;
            SnapshotExtensions extensions = reduced.extensions();
            LOG.warn(
                    "snapshot frame too large limit_bytes={} left_out={}",
                    maxBytes,
                    extensions.completeness().leftOut());
        }
        return frame;
    }
}
