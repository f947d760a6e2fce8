package io.metricsaggregator.imports.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.PromptData;
import io.metricsaggregator.imports.CollectingSink;
import io.metricsaggregator.imports.ImportOptions;
import io.metricsaggregator.imports.ImportSource;
import io.metricsaggregator.imports.SourceKind;
import io.metricsaggregator.imports.format.Formats;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EndpointsFormatTest {
    private static final String ISSUED = "{\"event_type\":\"sample.issued\",\"timestamp_ns\":5000000000000,"
            + "\"sample_uuid\":\"s\",\"conversation_id\":\"\",\"turn\":null,\"data\":[\"PromptData\",\"hi\"]}";

    @Test
    void a_line_becomes_the_record_that_it_was() throws Exception {
        CollectingSink sink = CollectingSink.read(new EndpointsFormat(), ISSUED + "\n");

        assertThat(sink.events())
                .containsExactly(EventRecord.sample(EventType.SAMPLE_ISSUED, 5_000_000_000_000L, "s")
                        .withData(PromptData.ofText("hi")));
        assertThat(sink.kind).isEqualTo(SourceKind.CHUNKS);
        assertThat(sink.skipped).isEmpty();
        assertThat(Formats.recognising(CollectingSink.source(ISSUED).head())).isInstanceOf(EndpointsFormat.class);
    }

    @Test
    void a_malformed_record_of_an_export_keeps_its_bytes() throws Exception {
        byte[] bytes = {(byte) 0xc1, 7};
        String line = "{\"malformed_base64\":\"" + Base64.getEncoder().encodeToString(bytes) + "\"}\n";

        assertThat(CollectingSink.read(new EndpointsFormat(), line).records).containsExactly(bytes);
    }

    @Test
    void damaged_lines_are_counted_by_reason_and_the_rest_is_read() throws Exception {
        String deep = "[".repeat(200) + "]".repeat(200);
        CollectingSink sink = CollectingSink.read(
                new EndpointsFormat(),
                String.join(
                        "\n",
                        ISSUED,
                        "{\"event_type\":",
                        "17",
                        "{\"timestamp_ns\":1}",
                        "{\"event_type\":\"sample.issued\",\"data\":" + deep + "}",
                        "{\"malformed_base64\":\"?\"}",
                        "",
                        ISSUED,
                        "{\"event_type\":\"sample.comp"));

        assertThat(sink.records).hasSize(2);
        assertThat(sink.skipped)
                .containsEntry("malformed_json", 2L)
                .containsEntry("not_an_object", 1L)
                .containsEntry("event_type_missing", 1L)
                .containsEntry("base64_invalid", 1L)
                .containsEntry("truncated", 1L)
                .hasSize(5);
    }

    private static CollectingSink read(Path file) throws Exception {
        CollectingSink sink = new CollectingSink();
        try (ImportSource source = ImportSource.open(file)) {
            new EndpointsFormat().reader(ImportOptions.DEFAULT).read(source, sink);
        }
        return sink;
    }

    /** Writes a database of {@code rows} issues, half of them before a checkpoint, and copies it before its writer closes it. */
    private static Path database(Path folder, int rows, boolean wal) throws Exception {
        Path file = folder.resolve("events.db");
        Path copy = folder.resolve("copy.db");
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA journal_mode=" + (wal ? "WAL" : "DELETE"));
            statement.execute("CREATE TABLE events (id INTEGER PRIMARY KEY, sample_uuid TEXT, event_type TEXT,"
                    + " timestamp_ns INTEGER, data BLOB)");
            for (int i = 0; i < rows; i++) {
                statement.execute("INSERT INTO events (sample_uuid, event_type, timestamp_ns, data) VALUES ('s" + i
                        + "', 'sample.issued', " + (5_000_000_000L + i) + ", 'null')");
                if (wal && i == rows / 2) {
                    statement.execute("PRAGMA wal_checkpoint(TRUNCATE)");
                }
            }
            Files.copy(file, copy);
            if (wal) {
                Files.copy(folder.resolve("events.db-wal"), folder.resolve("copy.db-wal"));
            }
        }
        return copy;
    }

    @Test
    void rows_that_a_killed_writer_left_beside_the_database_are_read_and_both_files_stay_as_they_are(
            @TempDir Path folder) throws Exception {
        Path database = database(folder, 40, true);
        byte[] before = Files.readAllBytes(database);
        byte[] log = Files.readAllBytes(folder.resolve("copy.db-wal"));

        CollectingSink sink = read(database);

        assertThat(log).isNotEmpty();
        assertThat(sink.records).hasSize(40);
        assertThat(sink.skipped).isEmpty();
        assertThat(Files.readAllBytes(database)).isEqualTo(before);
        assertThat(Files.readAllBytes(folder.resolve("copy.db-wal"))).isEqualTo(log);
        assertThat(folder.resolve("copy.db-shm")).doesNotExist();
    }

    @Test
    void a_database_that_was_cut_is_read_to_its_last_whole_page(@TempDir Path folder) throws Exception {
        Path database = database(folder, 1500, false);
        byte[] whole = Files.readAllBytes(database);
        Files.write(database, Arrays.copyOf(whole, whole.length * 2 / 3 + 100));
        CollectingSink cut = read(database);

        assertThat(cut.records).hasSizeBetween(500, 1400);
        assertThat(cut.skipped).containsOnly(Map.entry("truncated", 1L));

        Files.write(database, whole);
        assertThat(read(database).records).hasSize(1500);
    }

    @Test
    void a_compressed_database_is_read(@TempDir Path folder) throws Exception {
        Path database = database(folder, 10, false);
        Path compressed = folder.resolve("events.db.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(compressed))) {
            Files.copy(database, out);
        }

        assertThat(read(compressed).records).hasSize(10);
    }
}
