package io.metricsaggregator.benchmarks;

import io.metricsaggregator.ingest.Ingest;
import java.nio.ByteBuffer;
import java.util.List;

/** Frames in memory, as if just received. */
final class Frames {
    private static final int FRAMES_OF_A_BURST = 4;

    private final List<ByteBuffer> buffers;

    /** Encodes a workload in frames of {@code batch} records. */
    Frames(Workload workload, int batch) {
        buffers = workload.frames(batch);
    }

    /** Receives the position of each frame, without its ZMTP header. */
    interface FrameConsumer {
        void accept(ByteBuffer buffer, int start, int length);
    }

    void forEach(FrameConsumer consumer) {
        for (int i = 0; i < buffers.size(); i++) {
            ByteBuffer buffer = buffers.get(i);
            int at = 0;
            while (at < buffer.limit()) {
                boolean isLong = (buffer.get(at) & 2) != 0;
                int length = isLong ? (int) buffer.getLong(at + 1) : buffer.get(at + 1) & 0xff;
                at += isLong ? 9 : 2;
                consumer.accept(buffer, at, length);
                at += length;
            }
        }
    }

    /** Passes all frames to an ingest, in bursts of about the size of a read. */
    void feed(Ingest ingest) {
        int[] count = new int[1];
        forEach((buffer, start, length) -> {
            ingest.onFrame(buffer, start, length);
            if (++count[0] % FRAMES_OF_A_BURST == 0) {
                ingest.onBurstEnd();
            }
        });
        ingest.onBurstEnd();
    }
}
