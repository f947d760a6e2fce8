package io.metricsaggregator.samples;

import io.metricsaggregator.event.EventRecord;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Takes what an export consists of, in order. Closing it makes it whole. */
interface Rows extends Closeable {
    /**
     * A record, as it was received.
     *
     * @param record null if it is malformed
     * @param json the record as a JSON object; one that is malformed as base64
     */
    void record(@Nullable EventRecord record, byte[] json) throws IOException;

    /** A sample that has completed, or will not. */
    void sample(SampleRow row) throws IOException;
}
