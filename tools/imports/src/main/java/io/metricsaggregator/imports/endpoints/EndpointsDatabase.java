package io.metricsaggregator.imports.endpoints;

import io.metricsaggregator.imports.ImportSink;
import io.metricsaggregator.imports.ImportSource;
import io.metricsaggregator.imports.json.InvalidField;
import io.metricsaggregator.imports.json.JsonFields;
import io.metricsaggregator.json.InvalidJson;
import io.metricsaggregator.json.JsonCursor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/**
 * Reads the table {@code events} of an SQLite database: that of this project's export, which has a column {@code record}, or that of
 * MLCommons endpoints, which has a column for each key and loses {@code finish_reason} and {@code worker_id}. Rows that a killed writer left
 * in {@code FILE-wal}, and a transaction that it left open in {@code FILE-journal}, are taken as SQLite takes them, on a copy. One thread.
 */
final class EndpointsDatabase {
    private static final List<String> LOGS = List.of("-wal", "-journal");
    private static final int PAGE_SIZE_AT = 16;
    private static final int PAGES_AT = 28;

    private final ImportSource source;
    private final Path file;
    private final ImportSink sink;
    private final MessageBufferPacker packer = MessagePack.newDefaultBufferPacker();
    private boolean cut;

    EndpointsDatabase(ImportSource source, Path file, ImportSink sink) {
        this.source = source;
        this.file = file;
        this.sink = sink;
    }

    /** Reads all rows in the order of {@code id}. */
    void read() throws IOException {
        Path real = file.toRealPath();
        boolean logged = false;
        for (String log : LOGS) {
            logged |= isThere(beside(real, log));
        }
        if (!logged && !source.isCompressed() && missingBytes(real) == 0) {
            // Immutable: SQLite takes no lock and leaves no journal beside the user's file.
            read(real, "?mode=ro&immutable=1");
            return;
        }
        Path folder = Files.createTempDirectory("metrics-aggregator-import-");
        try {
            Path copy = folder.resolve("events.db");
            if (source.isCompressed()) {
                Files.copy(source.text(), copy);
            } else {
                Files.copy(real, copy);
            }
            for (String log : LOGS) {
                if (isThere(beside(real, log))) {
                    Files.copy(beside(real, log), beside(copy, log));
                }
            }
            cut = missingBytes(copy) > 0 && !isThere(beside(copy, LOGS.get(0)));
            if (cut) {
                removePartOfPage(copy);
            }
            read(copy, "");
        } finally {
            try (Stream<Path> content = Files.walk(folder)) {
                for (Path each : content.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(each);
                }
            }
        }
    }

    private static Path beside(Path database, String suffix) {
        return database.resolveSibling(database.getFileName() + suffix);
    }

    private static boolean isThere(Path log) throws IOException {
        return Files.exists(log) && Files.size(log) > 0;
    }

    /** Bytes that a database lacks of those that its header says; 0 for none. */
    private static long missingBytes(Path database) throws IOException {
        try (InputStream in = Files.newInputStream(database)) {
            ByteBuffer header = ByteBuffer.wrap(in.readNBytes(PAGES_AT + Integer.BYTES));
            if (header.limit() < PAGES_AT + Integer.BYTES) {
                return header.limit();
            }
            long pages = header.getInt(PAGES_AT) & 0xffffffffL;
            return Math.max(0, pages * pageSize(header) - Files.size(database));
        }
    }

    private static int pageSize(ByteBuffer header) {
        int size = header.getShort(PAGE_SIZE_AT) & 0xffff;
        return size == 1 ? 1 << 16 : size;
    }

    /** Removes the page that was cut: SQLite would take zeros for its rest. */
    private static void removePartOfPage(Path copy) throws IOException {
        try (FileChannel channel = FileChannel.open(copy, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer header = ByteBuffer.allocate(PAGES_AT);
            if (channel.read(header) == PAGES_AT && pageSize(header) > 0) {
                channel.truncate(channel.size() / pageSize(header) * pageSize(header));
            }
        }
    }

    private void read(Path database, String how) throws IOException {
        String url = "jdbc:sqlite:file:" + database.toUri().getRawPath() + how;
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            if (cut) {
                // SQLite refuses a database that was cut, but for those who repair it.
                statement.execute("PRAGMA writable_schema=ON");
            }
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

    /** Moves to the next row; false at the end, or where damage ends the rows. */
    private boolean next(ResultSet rows) {
        try {
            return rows.next();
        } catch (SQLException e) {
            sink.skipped(cut ? "truncated" : "database_damaged");
            return false;
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
            while (next(rows)) {
                byte[] record = rows.getBytes(1);
                Object value = parse(record);
                try {
                    EndpointsFormat.record(JsonFields.of(value, "record"), packer, sink);
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
            while (next(rows)) {
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
                EndpointsFormat.record(new JsonFields(fields), packer, sink);
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
