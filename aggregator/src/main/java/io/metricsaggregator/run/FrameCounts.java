package io.metricsaggregator.run;

import java.io.Serializable;

/**
 * Counts of received frames, each 0 or more.
 *
 * @param frames frames of any content
 * @param empty frames without a payload
 * @param bytes bytes of all frames, topics included
 * @param batches frames that are batches
 * @param batchesMalformed batches that are not an array of binaries
 * @param elementsEmpty elements of batches without a byte
 */
public record FrameCounts(long frames, long empty, long bytes, long batches, long batchesMalformed, long elementsEmpty)
        implements Serializable {
    private static final long serialVersionUID = 1;

    /** Counts before the first frame. */
    public static final FrameCounts NONE = new FrameCounts(0, 0, 0, 0, 0, 0);

    /** The counts of these frames and of others. */
    public FrameCounts plus(FrameCounts others) {
        return new FrameCounts(
                frames + others.frames,
                empty + others.empty,
                bytes + others.bytes,
                batches + others.batches,
                batchesMalformed + others.batchesMalformed,
                elementsEmpty + others.elementsEmpty);
    }
}
