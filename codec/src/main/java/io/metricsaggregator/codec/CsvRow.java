package io.metricsaggregator.codec;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One row of a CSV file (RFC 4180): cells separated by commas, ended by CR LF. Text of producers is quoted and cannot become a formula of a
 * spreadsheet. Not thread-safe: a new instance for each row.
 */
public final class CsvRow {
    private static final String FORMULA_STARTS = "=+-@\t\r";
    private static final Pattern UNSAFE = Pattern.compile("^[=+\\-@\t\r]|[,\"\r\n]");

    private final StringBuilder cells = new StringBuilder();
    private boolean first = true;

    /** Appends cells as {@link #name} does. */
    public CsvRow names(Iterable<String> names) {
        names.forEach(this::name);
        return this;
    }

    /** Appends a name as it is. A name with a comma, quote, line break or the start of a formula, which a foreign snapshot may contain, becomes a text. */
    public CsvRow name(String name) {
        if (UNSAFE.matcher(name).find()) {
            return text(name);
        }
        separate().append(name);
        return this;
    }

    /** Appends cells as {@link #value} does. */
    public CsvRow values(Iterable<? extends @Nullable Object> values) {
        values.forEach(this::value);
        return this;
    }

    /** Appends a number, boolean or instant as {@link Object#toString} gives it; an empty cell for null. */
    public CsvRow value(@Nullable Object value) {
        separate().append(value == null ? "" : value);
        return this;
    }

    /** Appends text of a producer in quotes; an apostrophe precedes the start of a formula. Null and "" give an empty cell. */
    public CsvRow text(@Nullable String text) {
        separate();
        if (text != null && !text.isEmpty()) {
            cells.append('"')
                    .append(FORMULA_STARTS.indexOf(text.charAt(0)) >= 0 ? "'" : "")
                    .append(text.replace("\"", "\"\""))
                    .append('"');
        }
        return this;
    }

    private StringBuilder separate() {
        if (!first) {
            cells.append(',');
        }
        first = false;
        return cells;
    }

    /** The row with its line end. */
    @Override
    public String toString() {
        return cells + "\r\n";
    }
}
