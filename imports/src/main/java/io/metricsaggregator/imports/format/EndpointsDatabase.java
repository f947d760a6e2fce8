package io.metricsaggregator.imports.format;

import io.metricsaggregator.imports.ImportSink;
import io.metricsaggregator.imports.json.InvalidField;
import io.metricsaggregator.imports.json.InvalidJson;
import io.metricsaggregator.imports.json.JsonCursor;
import io.metricsaggregator.imports.json.JsonFields;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the table {@code events} of an SQLite database: that of this project's export, which has a column {@code record}, or that of
 * MLCommons endpoints, which has a column for each key and loses {@code finish_reason} and {@code worker_id}. One thread.
 */
final class EndpointsDatabase {
    private final Path file;
    private final ImportSink sink;
    private final RecordEncoder encoder = new RecordEncoder();

    EndpointsDatabase(Path file, ImportSink sink) {
        this.file = file;
        this.sink = sink;
    }

    /** Reads all rows in the order of {@code id}. */
    void read() throws IOException {
        // Immutable: SQLite takes no lock and leaves no journal beside the user's file.
        String url = "jdbc:sqlite:file:" + file.toUri().getRawPath() + "?mode=ro&immutable=1";
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            Set<String> columns = columns(statement);
            if (columns.contains("record")) {
                readRecords(statement);
            } else if (columns.contains("event_type") && columns.contains("timestamp_ns")) {
                readEvents(statement, columns);
            } else {
                throw new IOException(file + " has no table events with a column record or event_type");
            }
        } catch (SQLException e) {
            throw new IOException("cannot read the database " + file + ": " + e.getMessage(), e);
        }
    }

    private static Set<String> columns(Statement statement) throws SQLException {
        Set<String> columns = new HashSet<>();
        try (ResultSet rows = statement.executeQuery("SELECT name FROM pragma_table_info('events')")) {
            while (rows.next()) {
                columns.add(rows.getString(1).toLowerCase(Locale.ROOT));
            }
        }
        return columns;
    }

    private void readRecords(Statement statement) throws SQLException, IOException {
        try (ResultSet rows = statement.executeQuery("SELECT record FROM events ORDER BY id")) {
            while (rows.next()) {
                byte[] record = rows.getBytes(1);
                Object value = parse(record);
                try {
                    EndpointsFormat.record(JsonFields.of(value, "record"), encoder, sink);
                } catch (InvalidField e) {
                    sink.skipped(e.reason());
                }
            }
        }
    }

    private void readEvents(Statement statement, Set<String> columns) throws SQLException, IOException {
        sink.unknowable("finish_reason", "the database of the tool does not keep it");
        sink.unknowable("worker_id", "the database of the tool does not keep it");
        String[] texts = {"event_type", "sample_uuid", "conversation_id"};
        try (ResultSet rows = statement.executeQuery("SELECT * FROM events ORDER BY id")) {
            while (rows.next()) {
                Map<String, @Nullable Object> fields = new LinkedHashMap<>();
                for (String name : texts) {
                    String value = columns.contains(name) ? rows.getString(name) : null;
                    if (value != null) {
                        fields.put(name, value);
                    }
                    if (name.equals("event_type")) {
                        fields.put("timestamp_ns", rows.getLong("timestamp_ns"));
                    }
                }
                fields.put(
                        "turn",
                        columns.contains("turn") && rows.getObject("turn") != null ? rows.getLong("turn") : null);
                fields.put("data", columns.contains("data") ? parse(rows.getBytes("data")) : null);
                EndpointsFormat.record(new JsonFields(fields), encoder, sink);
            }
        }
    }

    private @Nullable Object parse(byte @Nullable [] json) throws IOException {
        if (json == null || json.length == 0) {
            return null;
        }
        try (JsonCursor cursor = JsonCursor.over(json, 0, json.length)) {
            return cursor.next() ? cursor.value() : null;
        } catch (InvalidJson e) {
            sink.skipped("malformed_json");
            return null;
        }
    }
}
