package io.metricsaggregator.samples;

import io.metricsaggregator.event.EventRecord;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** A line of JSON for each record. */
final class JsonRows implements Rows {
    private final OutputStream out;

    JsonRows(OutputStream out) {
        this.out = out;
    }

    @Override
    public void record(@Nullable EventRecord record, byte[] json) throws IOException {
        out.write(json);
        out.write('\n');
    }

    @Override
    public void sample(SampleRow row) {
        // The records say it all.
    }

    @Override
    public void close() throws IOException {
        out.flush();
    }
}
