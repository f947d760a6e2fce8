package io.metricsaggregator.fuzz;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventRecordCodec;
import java.nio.ByteBuffer;

/**
 * The record decoder: it takes any bytes in bounded memory, and what it takes survives being written and read again. The bound is
 * looser than for frames: objects are made here of what the daemon leaves as bytes.
 */
public final class RecordTarget {
    private static final EventDecoder DECODER = new EventDecoder();
    private static final DecodedEvent EVENT = new DecodedEvent();
    private static final EventRecordCodec CODEC = new EventRecordCodec();

    private RecordTarget() {}

    /** Called by the fuzzer. */
    public static void fuzzerTestOneInput(byte[] input) {
        // Once for the classes that are loaded by it.
        DECODER.decode(ByteBuffer.wrap(input), 0, input.length, EVENT);
        Allocation allocation = new Allocation();
        boolean malformed = DECODER.decode(ByteBuffer.wrap(input), 0, input.length, EVENT) != null;
        allocation.check(input.length, 2);
        EventRecord record;
        try {
            record = CODEC.decode(ByteBuffer.wrap(input));
        } catch (MalformedMessageException e) {
            return;
        }
        if (malformed) {
            throw new IllegalStateException("one decoder takes what the other does not");
        }
        try {
            EventRecord again = CODEC.decode(ByteBuffer.wrap(CODEC.encode(record)));
            if (!again.equals(record)) {
                throw new IllegalStateException(record + " came back as " + again);
            }
        } catch (MalformedMessageException e) {
            throw new IllegalStateException(record + " cannot be read back", e);
        }
    }
}
