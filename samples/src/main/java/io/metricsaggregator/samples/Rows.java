package io.metricsaggregator.samples;

import java.io.Closeable;
import java.io.IOException;

/** Takes what an export consists of, in order. Closing it makes it whole. */
interface Rows extends Closeable {
    /** A record, whatever its kind; one that is malformed too. */
    void record(RecordRow row) throws IOException;

    /** A sample that has completed, or will not. */
    void sample(SampleRow row) throws IOException;
}
