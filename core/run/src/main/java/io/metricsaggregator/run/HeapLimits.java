package io.metricsaggregator.run;

import io.metricsaggregator.fold.series.FoldOptions;
import io.metricsaggregator.telemetry.fold.TelemetryLimits;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The limits that follow from the size of the heap, so that a run within all of them leaves room to write its file: 20 % for samples in
 * flight, 8 % for their long ids, 10 % for conversations, 35 % for telemetry; the rest is for series, snapshots, and what is being received.
 *
 * @param heapBytes largest heap of the JVM
 * @param inFlight default of {@code --max-in-flight}
 * @param inFlightMost largest {@code --max-in-flight} that fits beside the rest
 * @param longIdBytes heap for ids of samples in flight that are longer than 15 bytes and not UUIDs
 * @param snapshotFrameBytes a larger frame is published without its largest parts
 * @param telemetry limits of the other kinds of records
 */
public record HeapLimits(
        long heapBytes,
        int inFlight,
        int inFlightMost,
        long longIdBytes,
        int snapshotFrameBytes,
        TelemetryLimits telemetry) {
    private static final int IN_FLIGHT_DEFAULT = 2_000_000;
    private static final long LONG_IDS_MAX_BYTES = 256L << 20;
    private static final int FRAME_MAX_BYTES = 16 << 20;
    /** Bytes of a conversation: its row, its index entries, and the index while it grows. */
    private static final int CONVERSATION_BYTES = 150;
    /** Bytes of a sample in flight: its row, its index entries, and the index while it grows. */
    private static final int IN_FLIGHT_BYTES = 100;

    /** The limits for a heap of this size. */
    public static HeapLimits of(long heapBytes) {
        long rows = heapBytes / 100 * 20 / IN_FLIGHT_BYTES;
        return new HeapLimits(
                heapBytes,
                (int) Math.min(IN_FLIGHT_DEFAULT, rows),
                (int) Math.min(Integer.MAX_VALUE, 2 * rows),
                Math.min(LONG_IDS_MAX_BYTES, heapBytes / 100 * 8),
                (int) Math.min(FRAME_MAX_BYTES, heapBytes / 64),
                TelemetryLimits.of(heapBytes));
    }

    /** Default of {@code --max-conversations}. */
    public int conversations() {
        return (int) Math.max(1, Math.min(FoldOptions.CONVERSATIONS_DEFAULT, heapBytes / 10 / CONVERSATION_BYTES));
    }

    /** The limits for this JVM's heap. */
    public static HeapLimits ofThisHeap() {
        return of(Runtime.getRuntime().maxMemory());
    }

    /**
     * The limits in force, by name, as in a snapshot's {@code limits}.
     *
     * @param maxInFlight limit of samples in flight
     * @param maxKeys limit of operation keys
     */
    public Map<String, Long> byName(int maxInFlight, int maxKeys) {
        Map<String, Long> names = new LinkedHashMap<>();
        names.put("heap_bytes", heapBytes);
        names.put("in_flight", (long) maxInFlight);
        names.put("long_id_bytes", longIdBytes);
        names.put("snapshot_frame_bytes", (long) snapshotFrameBytes);
        names.put("operation_keys", (long) maxKeys);
        names.putAll(telemetry.byName());
        return names;
    }
}
