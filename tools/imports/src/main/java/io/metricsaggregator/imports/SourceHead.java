package io.metricsaggregator.imports;

import io.metricsaggregator.json.InvalidJson;
import io.metricsaggregator.json.JsonCursor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The start of a file, by which formats recognise it. Immutable.
 *
 * @param text up to 64 KiB, decompressed, without a byte order mark; bytes that are not UTF-8 are replaced
 * @param paths the JSON paths in {@code text}, for example {@code metadata.request_start_ns}, {@code benchmarks[].requests} or, in
 *     an array, {@code [].start_time}: of the first document, and of the part of it that {@code text} holds; empty if it is not JSON
 */
public record SourceHead(String text, Set<String> paths) {
    /** Number of bytes by which files are recognised. */
    public static final int BYTES = 1 << 16;

    public SourceHead {
        paths = Set.copyOf(paths);
    }

    /** Reads the head from the first bytes of a file. */
    static SourceHead of(byte[] bytes) {
        Set<String> paths = new LinkedHashSet<>();
        try (JsonCursor cursor = JsonCursor.over(bytes, 0, bytes.length)) {
            if (cursor.next()) {
                collect(cursor, "", paths);
            }
        } catch (InvalidJson | IOException e) {
            // The paths before the damage or the end of the head are enough.
        }
        return new SourceHead(new String(bytes, StandardCharsets.UTF_8), paths);
    }

    private static void collect(JsonCursor cursor, String path, Set<String> paths) throws IOException, InvalidJson {
        if (cursor.enterObject()) {
            while (cursor.nextField()) {
                String field = path.isEmpty() ? cursor.name() : path + "." + cursor.name();
                paths.add(field);
                collect(cursor, field, paths);
            }
        } else if (cursor.enterArray()) {
            while (cursor.nextElement()) {
                collect(cursor, path + "[]", paths);
            }
        }
    }

    /** Whether all of these paths are there. */
    public boolean has(String... wanted) {
        for (String path : wanted) {
            if (!paths.contains(path)) {
                return false;
            }
        }
        return true;
    }

    /** The first line without its end. */
    public String firstLine() {
        int end = 0;
        while (end < text.length() && text.charAt(end) != '\n' && text.charAt(end) != '\r') {
            end++;
        }
        return text.substring(0, end).stripTrailing();
    }
}
