package io.metricsaggregator.fuzz;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventRecordCodec;
import java.nio.ByteBuffer;

/**
 * Decodes a record from arbitrary bytes in bounded memory; an accepted record survives encoding and decoding. The memory limit is higher
 * than for frames, because this target creates objects where the daemon keeps bytes.
 */
public final class RecordTarget {
    private static final EventDecoder DECODER = new EventDecoder();
    private static final DecodedEvent EVENT = new DecodedEvent();
    private static final EventRecordCodec CODEC = new EventRecordCodec();

    private RecordTarget() {}

    /** Entry point of the fuzzer. */
    public static void fuzzerTestOneInput(byte[] input) {
        // A first call loads classes, whose memory is not counted.
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
            throw new IllegalStateException("one decoder accepts a record that the other rejects");
        }
        try {
            EventRecord again = CODEC.decode(ByteBuffer.wrap(CODEC.encode(record)));
            if (!again.equals(record)) {
                throw new IllegalStateException(record + " was read back as " + again);
            }
        } catch (MalformedMessageException e) {
            throw new IllegalStateException(record + " cannot be read back", e);
        }
    }
}
