package io.metricsaggregator.samples;

import java.io.IOException;
import java.io.OutputStream;

/** Writes a line of JSON for each record. */
final class JsonRows implements Rows {
    private final OutputStream out;

    JsonRows(OutputStream out) {
        this.out = out;
    }

    @Override
    public void record(RecordRow row) throws IOException {
        out.write(row.json());
        out.write('\n');
    }

    @Override
    public void sample(SampleRow row) {
        // JSON lines have records only.
    }

    @Override
    public void close() throws IOException {
        out.flush();
    }
}
