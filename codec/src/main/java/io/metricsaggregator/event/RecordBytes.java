package io.metricsaggregator.event;

import java.nio.ByteBuffer;

/** The encoded record behind a decoded event, for events that are handed on as they were received. Stateless. */
public final class RecordBytes {
    private RecordBytes() {}

    /** Length of an event's record in bytes. */
    public static int length(DecodedEvent event) {
        return event.recordLength;
    }

    /** Copies an event's record to the position of a buffer, which must have room for it, and moves the position behind it. */
    public static void copy(DecodedEvent event, ByteBuffer into) {
        into.put(into.position(), event.buffer, event.recordStart, event.recordLength);
        into.position(into.position() + event.recordLength);
    }
}
