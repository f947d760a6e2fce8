package io.metricsaggregator.benchmarks;

import io.metricsaggregator.ingest.Ingest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Frames in memory, as if just received. */
final class Frames {
    private static final int FRAMES_OF_A_BURST = 4;

    private static final byte[] TIME_KEY = "timestamp_ns".getBytes(StandardCharsets.US_ASCII);

    private final List<ByteBuffer> buffers;
    /** Where the times of the records are in each buffer, and what they were at first. */
    private final List<int[]> timesAt = new ArrayList<>();

    private final List<long[]> times = new ArrayList<>();

    /** Encodes a workload in frames of {@code batch} records. */
    Frames(Workload workload, int batch) {
        buffers = workload.frames(batch);
        for (ByteBuffer buffer : buffers) {
            int[] places = IntStream.range(0, buffer.limit() - TIME_KEY.length - Long.BYTES)
                    .filter(at -> isTimeKey(buffer, at))
                    .map(at -> at + TIME_KEY.length + 1)
                    .toArray();
            timesAt.add(places);
            times.add(IntStream.of(places).mapToLong(buffer::getLong).toArray());
        }
    }

    private static boolean isTimeKey(ByteBuffer buffer, int at) {
        for (int i = 0; i < TIME_KEY.length; i++) {
            if (buffer.get(at + i) != TIME_KEY[i]) {
                return false;
            }
        }
        return true;
    }

    /** Lets all records be so much later than they were at first. */
    void later(long nanos) {
        for (int i = 0; i < buffers.size(); i++) {
            ByteBuffer buffer = buffers.get(i);
            int[] places = timesAt.get(i);
            long[] firsts = times.get(i);
            for (int k = 0; k < places.length; k++) {
                buffer.putLong(places[k], firsts[k] + nanos);
            }
        }
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
