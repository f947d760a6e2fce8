package io.metricsaggregator.samples;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes an SQLite database with the tables {@code run} (the description of the run), {@code events} (a row for each record) and
 * {@code samples} (a row for each sample).
 */
final class SqliteRows implements Rows {
    private static final int BATCH = 1000;
    private static final String TABLES = """
            CREATE TABLE run (name TEXT PRIMARY KEY, value TEXT);
            CREATE TABLE events (
              id INTEGER PRIMARY KEY, timestamp_ns INTEGER, event_type TEXT, sample_uuid TEXT, worker_id INTEGER,
              record TEXT NOT NULL);
            """;

    private final Path name;
    private final Connection connection;
    private final PreparedStatement events;
    private final PreparedStatement samples;
    private int pending;

    /**
     * Creates a database.
     *
     * @param file must be empty or missing
     * @param name what errors call the file
     * @param run the rows of the table {@code run}
     */
    SqliteRows(Path file, Path name, Map<String, String> run) throws IOException {
        this.name = name;
        try {
            connection = DriverManager.getConnection("jdbc:sqlite:" + file);
            try (Statement statement = connection.createStatement()) {
                // No rollback journal: the caller deletes an incomplete file.
                statement.executeUpdate("PRAGMA journal_mode = OFF");
                statement.executeUpdate("PRAGMA synchronous = OFF");
            }
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                for (String table : TABLES.split(";\n", -1)) {
                    if (!table.isBlank()) {
                        statement.executeUpdate(table);
                    }
                }
                statement.executeUpdate(samplesTable());
            }
            try (PreparedStatement statement = connection.prepareStatement("INSERT INTO run VALUES (?, ?)")) {
                for (Map.Entry<String, String> each : run.entrySet()) {
                    statement.setString(1, each.getKey());
                    statement.setString(2, each.getValue());
                    statement.executeUpdate();
                }
            }
            events = connection.prepareStatement(
                    "INSERT INTO events (timestamp_ns, event_type, sample_uuid, worker_id, record) VALUES (?, ?, ?, ?, ?)");
            samples = connection.prepareStatement("INSERT INTO samples VALUES ("
                    + String.join(", ", Collections.nCopies(SampleRow.COLUMNS.length, "?")) + ")");
        } catch (SQLException e) {
            throw new IOException("cannot create the database " + name + ": " + e.getMessage(), e);
        }
    }

    private static String samplesTable() {
        return SampleColumn.ALL.stream()
                .map(column -> column.name() + " " + sqlType(column.type())
                        + (column.name().equals("sample_uuid") ? " NOT NULL" : ""))
                .collect(Collectors.joining(", ", "CREATE TABLE samples (", ")"));
    }

    /** The type of a column: a flag is 0 or 1. */
    private static String sqlType(SampleColumn.Type type) {
        return switch (type) {
            case TEXT, LABEL -> "TEXT";
            case TIME, DURATION, COUNT, FLAG -> "INTEGER";
            case REAL -> "REAL";
        };
    }

    @Override
    public void record(RecordRow row) throws IOException {
        insert(
                events,
                row.timestampNanos(),
                row.type(),
                row.sampleUuid(),
                row.workerId(),
                new String(row.json(), StandardCharsets.UTF_8));
    }

    @Override
    public void sample(SampleRow row) throws IOException {
        insert(samples, row.values());
    }

    private void insert(PreparedStatement statement, @Nullable Object... values) throws IOException {
        try {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            statement.addBatch();
            if (++pending % BATCH == 0) {
                flush();
            }
        } catch (SQLException e) {
            throw new IOException("cannot write the database " + name + ": " + e.getMessage(), e);
        }
    }

    private void flush() throws SQLException {
        events.executeBatch();
        samples.executeBatch();
    }

    @Override
    public void close() throws IOException {
        try (connection) {
            flush();
            try (Statement statement = connection.createStatement()) {
                statement.executeUpdate("CREATE INDEX events_by_sample ON events (sample_uuid)");
                statement.executeUpdate("CREATE INDEX samples_by_issue ON samples (issued_ns)");
            }
            connection.commit();
        } catch (SQLException e) {
            throw new IOException("cannot write the database " + name + ": " + e.getMessage(), e);
        }
    }
}
