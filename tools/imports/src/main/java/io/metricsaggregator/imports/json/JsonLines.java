package io.metricsaggregator.imports.json;

import io.metricsaggregator.json.InvalidJson;
import io.metricsaggregator.json.JsonCursor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads lines of JSON, one object each. A damaged line is skipped and counted by reason: {@code malformed_json}, {@code not_an_object},
 * {@code line_too_long}, and {@code truncated} for a last line without its end. A line feed, a carriage return or both end a line. Blank
 * lines are ignored. Holds one line in memory, at most
 * {@link JsonCursor#STRING_MAX_BYTES}. One thread.
 */
public final class JsonLines {
    private static final int BUFFER_BYTES = 1 << 16;
    /** Length at which a line that is skipped is taken for an endless input. */
    private static final long LINE_SKIPPED_MAX_BYTES = 2L << 30;

    private final InputStream in;
    private final Consumer<String> skipped;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int position;
    private int limit;
    private ByteArrayOutputStream line = new ByteArrayOutputStream(BUFFER_BYTES);
    private boolean tooLong;
    private long lineBytes;
    private long notNumbers;

    /**
     * Reads from the current position of a stream.
     *
     * @param in UTF-8 without a byte order mark; stays open
     * @param skipped receives the reason for each line that is skipped
     */
    public JsonLines(InputStream in, Consumer<String> skipped) {
        this.in = in;
        this.skipped = skipped;
    }

    /** The next object; null at the end of the stream. */
    public @Nullable JsonFields next() throws IOException {
        while (true) {
            Boolean ended = readLine();
            if (ended == null) {
                return null;
            }
            if (tooLong) {
                skipped.accept("line_too_long");
                continue;
            }
            byte[] text = line.toByteArray();
            if (isBlank(text)) {
                continue;
            }
            if (!mayBeJson(text)) {
                skipped.accept(ended ? "malformed_json" : "truncated");
                continue;
            }
            JsonFields fields = parse(text, ended);
            if (fields != null) {
                return fields;
            }
        }
    }

    private @Nullable JsonFields parse(byte[] text, boolean ended) throws IOException {
        try (JsonCursor cursor = JsonCursor.over(text, 0, text.length)) {
            Object value = cursor.next() ? cursor.value() : null;
            boolean alone = !cursor.next();
            notNumbers += cursor.notNumbers();
            if (!alone) {
                skipped.accept("malformed_json");
            } else if (value instanceof Map<?, ?>) {
                return JsonFields.of(value, "record");
            } else {
                skipped.accept("not_an_object");
            }
        } catch (InvalidJson e) {
            skipped.accept(ended ? "malformed_json" : "truncated");
        } catch (InvalidField e) {
            skipped.accept(e.reason());
        }
        return null;
    }

    /** Whether the text begins as JSON does: tools print messages between their records, and a parser's exceptions are slow. */
    private static boolean mayBeJson(byte[] text) {
        int start = 0;
        while (text[start] == ' ' || text[start] == '\t') {
            start++;
        }
        int second = start + 1 < text.length ? text[start + 1] : ' ';
        return switch (text[start]) {
            case 'n' -> second == 'u';
            case 't' -> second == 'r';
            case 'f' -> second == 'a';
            default -> "{[\"-0123456789NI+.".indexOf(text[start]) >= 0 || text[start] < 0;
        };
    }

    private static boolean isBlank(byte[] text) {
        for (byte each : text) {
            if (each != ' ' && each != '\t') {
                return false;
            }
        }
        return true;
    }

    /** Reads a line into {@link #line}. Returns whether a line feed or carriage return ended it; null at the end of the stream. */
    private @Nullable Boolean readLine() throws IOException {
        if (line.size() > 1 << 20) {
            line = new ByteArrayOutputStream(BUFFER_BYTES);
        }
        line.reset();
        lineBytes = 0;
        tooLong = false;
        boolean any = false;
        while (true) {
            if (position == limit) {
                limit = Math.max(0, in.read(buffer, 0, buffer.length));
                position = 0;
                if (limit == 0) {
                    return any ? Boolean.FALSE : null;
                }
            }
            any = true;
            int end = position;
            while (end < limit && buffer[end] != '\n' && buffer[end] != '\r') {
                end++;
            }
            append(end - position);
            position = end;
            if (end < limit) {
                position++;
                return true;
            }
        }
    }

    private void append(int length) throws IOException {
        if (length > JsonCursor.STRING_MAX_BYTES - line.size()) {
            tooLong = true;
            line.reset();
        }
        lineBytes += length;
        if (lineBytes > LINE_SKIPPED_MAX_BYTES) {
            throw new IOException("a line has more than " + (LINE_SKIPPED_MAX_BYTES >> 30) + " GiB");
        }
        if (!tooLong) {
            line.write(buffer, position, length);
        }
    }

    /** Values read so far that were NaN or infinite and became null. */
    public long notNumbers() {
        return notNumbers;
    }
}
