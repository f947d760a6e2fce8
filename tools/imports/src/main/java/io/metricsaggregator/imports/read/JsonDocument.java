package io.metricsaggregator.imports.read;

import io.metricsaggregator.imports.ImportSink;
import io.metricsaggregator.imports.ImportSource;
import io.metricsaggregator.imports.json.InvalidField;
import io.metricsaggregator.imports.json.JsonFields;
import io.metricsaggregator.json.InvalidJson;
import io.metricsaggregator.json.JsonCursor;
import java.io.IOException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Walks a file that is one JSON document, element by element, and counts its damage: {@code malformed_json} or {@code truncated}, after
 * which the rest of the file is unread, and {@code values_not_a_number}. Stateless.
 */
public final class JsonDocument {
    /** Reads something at the cursor's current value. */
    public interface Step {
        void read(JsonCursor cursor) throws IOException, InvalidJson;
    }

    /** Takes one record. */
    public interface Row {
        void take(JsonFields record) throws IOException, InvalidField;
    }

    private JsonDocument() {}

    /** Calls {@code step} at the document's outermost value. Returns whether the document was read to its end. */
    public static boolean read(ImportSource source, ImportSink sink, Step step) throws IOException {
        return read(source, sink, step, () -> 0);
    }

    /**
     * Calls {@code step} at the document's outermost value. Returns whether the document was read to its end.
     *
     * @param excused tells, after the step, how many of the values that are not numbers are as they should be
     */
    public static boolean read(ImportSource source, ImportSink sink, Step step, LongSupplier excused)
            throws IOException {
        boolean whole = true;
        // The source owns the stream: a closed cursor would close it before its bytes are hashed.
        JsonCursor cursor = JsonCursor.over(source.text());
        try {
            if (cursor.next()) {
                step.read(cursor);
            }
        } catch (InvalidJson e) {
            sink.skipped(e.isTruncated() ? "truncated" : "malformed_json");
            whole = false;
        }
        long damaged = cursor.notNumbers() - excused.getAsLong();
        if (damaged > 0) {
            sink.skipped("values_not_a_number", damaged);
        }
        return whole;
    }

    /**
     * Hands each element of the current array to {@code row}, one in memory at a time. An element that is no object, or in which a field
     * is missing or invalid, is skipped and counted. Returns the number of elements.
     */
    public static long rows(JsonCursor cursor, ImportSink sink, Row row) throws IOException, InvalidJson {
        if (!cursor.enterArray()) {
            cursor.skip();
            return 0;
        }
        long elements = 0;
        while (cursor.nextElement()) {
            take(cursor.value(), sink, row);
            elements++;
        }
        return elements;
    }

    private static void take(@Nullable Object element, ImportSink sink, Row row) throws IOException {
        try {
            row.take(JsonFields.of(element, "record"));
        } catch (InvalidField e) {
            sink.skipped(e.reason());
        }
    }

    /** The current value as an object; without fields if it is none. Moves past it. */
    public static JsonFields object(JsonCursor cursor) throws IOException, InvalidJson {
        if (!cursor.enterObject()) {
            cursor.skip();
            return JsonFields.EMPTY;
        }
        try {
            return JsonFields.of(cursor.value(), "");
        } catch (InvalidField e) {
            throw new IllegalStateException("the cursor stands at an object", e);
        }
    }
}
