package io.metricsaggregator.samples;

import io.metricsaggregator.codec.CsvRow;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Writes samples as CSV: a header, then one row per sample. */
final class CsvRows implements Rows {
    private final OutputStream out;

    CsvRows(OutputStream out) throws IOException {
        this.out = out;
        CsvRow head = new CsvRow();
        for (String column : SampleRow.COLUMNS) {
            head.name(column);
        }
        write(head);
    }

    @Override
    public void record(RecordRow row) {
        // The row of its sample includes it.
    }

    @Override
    public void sample(SampleRow row) throws IOException {
        CsvRow cells = new CsvRow();
        for (Object value : row.values()) {
            if (value instanceof String text) {
                cells.text(text);
            } else {
                cells.value(value);
            }
        }
        write(cells);
    }

    private void write(CsvRow row) throws IOException {
        out.write(row.toString().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() throws IOException {
        out.flush();
    }
}
