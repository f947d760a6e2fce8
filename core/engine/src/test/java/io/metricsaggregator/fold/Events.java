package io.metricsaggregator.fold;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import java.nio.ByteBuffer;

/** Event records as the fold receives them: encoded and decoded again. */
public final class Events {
    private Events() {}

    public static DecodedEvent decoded(EventRecord event) {
        return decoded(new EventEncoder().encode(event));
    }

    public static DecodedEvent decoded(byte[] record) {
        DecodedEvent decoded = new DecodedEvent();
        if (new EventDecoder().decode(ByteBuffer.wrap(record), 0, record.length, decoded) != null) {
            throw new AssertionError("malformed");
        }
        return decoded;
    }

    public static void apply(LoadgenFold fold, EventRecord... events) {
        // Decoded like those of a run, by one decoder into one event.
        EventDecoder decoder = new EventDecoder();
        DecodedEvent[] decoded = {new DecodedEvent()};
        for (EventRecord event : events) {
            byte[] record = new EventEncoder().encode(event);
            if (decoder.decode(ByteBuffer.wrap(record), 0, record.length, decoded[0]) != null) {
                throw new AssertionError("malformed");
            }
            fold.apply(decoded, 1);
        }
    }
}
