package io.metricsaggregator.imports.read;

import io.metricsaggregator.imports.ImportSource;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows of CSV as Go and Python write them: cells may be quoted, and a quoted cell may span lines. Lines end with a line feed, a
 * carriage return or both. Bytes that are not UTF-8 are
 * replaced. Holds one row in memory, at most {@value #ROW_MAX} characters. One thread.
 */
public final class CsvReader {
    /** Most characters of a row. */
    static final int ROW_MAX = 128 << 20;
    /** Most cells of a row. */
    static final int CELLS_MAX = 10_000;

    private final BufferedReader in;
    private final ImportSource source;
    private final StringBuilder cell = new StringBuilder();
    private int columns;
    private boolean cut;

    /** Reads the text of a source, which stays open. */
    public CsvReader(ImportSource source) {
        this.source = source;
        this.in = new BufferedReader(new InputStreamReader(source.text(), StandardCharsets.UTF_8), 1 << 16);
    }

    /**
     * The next row that is not blank; null at the end.
     *
     * @throws IOException if the stream fails, or a row exceeds a limit
     */
    @Nullable
    public List<String> next() throws IOException {
        while (true) {
            List<String> row = row();
            if (row == null || row.size() > 1 || !row.get(0).isBlank()) {
                return row;
            }
        }
    }

    /** Whether the last row ended within a quoted cell; or without a line end, in a file that was cut or after rows of more cells. */
    public boolean isCut() {
        return cut;
    }

    private @Nullable List<String> row() throws IOException {
        int next = in.read();
        if (next < 0) {
            return null;
        }
        List<String> cells = new ArrayList<>();
        int length = 0;
        while (true) {
            cell.setLength(0);
            next = cell(next, length);
            length += cell.length();
            cells.add(cell.toString());
            if (cells.size() > CELLS_MAX) {
                throw new IOException("a row has more than " + CELLS_MAX + " cells");
            }
            if (next != ',') {
                cut |= next < 0 && (source.isCut() || cells.size() < columns);
                columns = Math.max(columns, cells.size());
                return cells;
            }
            next = in.read();
        }
    }

    /** Reads a cell that begins with {@code next} and returns the character after it: a comma, a line feed, or −1. */
    private int cell(int first, int length) throws IOException {
        int next = first;
        boolean quoted = false;
        while (next >= 0) {
            if (next == '"') {
                if (quoted && peek() == '"') {
                    in.read();
                    append('"', length);
                } else {
                    quoted = !quoted;
                }
            } else if (!quoted && (next == ',' || next == '\n')) {
                return next;
            } else if (quoted || next != '\r') {
                append((char) next, length);
            } else if (peek() != '\n') {
                return '\n';
            }
            next = in.read();
        }
        cut |= quoted;
        return next;
    }

    private void append(char each, int length) throws IOException {
        if (length + cell.length() >= ROW_MAX) {
            throw new IOException("a row has more than " + ROW_MAX + " characters");
        }
        cell.append(each);
    }

    private int peek() throws IOException {
        in.mark(1);
        int next = in.read();
        if (next >= 0) {
            in.reset();
        }
        return next;
    }
}
