package io.metricsaggregator.samples;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Writes CSV (RFC 4180) with a header and a row for each sample. */
final class CsvRows implements Rows {
    private final OutputStream out;

    CsvRows(OutputStream out) throws IOException {
        this.out = out;
        write(String.join(",", SampleRow.COLUMNS));
    }

    @Override
    public void record(RecordRow row) {
        // CSV has rows for samples only.
    }

    @Override
    public void sample(SampleRow row) throws IOException {
        StringBuilder line = new StringBuilder();
        for (Object value : row.values()) {
            line.append(line.isEmpty() ? "" : ",")
                    .append(value instanceof String text ? text(text) : value == null ? "" : value);
        }
        write(line.toString());
    }

    private void write(String line) throws IOException {
        out.write((line + "\r\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Quotes a text; an apostrophe in front keeps a spreadsheet from evaluating it as a formula. Empty for null. */
    static String text(@Nullable String value) {
        if (value == null || value.isEmpty()) {
            return "";
        }
        boolean formula = "=+-@\t\r".indexOf(value.charAt(0)) >= 0;
        return '"' + (formula ? "'" : "") + value.replace("\"", "\"\"") + '"';
    }

    @Override
    public void close() throws IOException {
        out.flush();
    }
}
