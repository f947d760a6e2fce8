package io.metricsaggregator.samples;

import java.io.Closeable;
import java.io.IOException;

/** Writes an export in one format; {@link #close} completes it. */
interface Rows extends Closeable {
    /** Writes a record of any kind, malformed ones included. */
    void record(RecordRow row) throws IOException;

    /** Writes a sample that completed, or never will. */
    void sample(SampleRow row) throws IOException;
}
