package io.metricsaggregator.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.event.ErrorData;
import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.PromptData;
import io.metricsaggregator.event.Usage;
import io.metricsaggregator.event.UsageKey;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.event.server.ServerKey;
import io.metricsaggregator.event.server.ServerTimes;
import io.metricsaggregator.journal.JournalWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalExportTest {
    private static final String HEADER =
            "sample_uuid,worker,issued_ns,first_received_ns,last_received_ns,completed_ns,ttft_ns,latency_ns,chunks,isl,"
                    + "osl,tpot_ns,finish_reason,error_type,error_message,usage_prompt_tokens,usage_completion_tokens,"
                    + "usage_cached_tokens,usage_cache_write_tokens,usage_reasoning_tokens,"
                    + "usage_accepted_prediction_tokens,usage_rejected_prediction_tokens,usage_spec_drafts,"
                    + "usage_spec_draft_tokens,usage_spec_accepted_tokens,usage_by,"
                    + "run_id,node,tracked,window,failed,good,scheduled_ns,wall_offset_ns,conversation_id,"
                    + "server_queue_ns,server_prefill_ns,server_ttft_ns,server_decode_ns,server_e2e_ns,server_kv_transfer_ns,server_kv_bytes";

    @TempDir
    private Path directory;

    private Path run;

    /** Writes a journal of one session: a streamed sample, a failed one, one that never completes, and a malformed record. */
    @BeforeEach
    void journal() throws IOException {
        run = Files.createDirectory(directory.resolve("run-1-cafe"));
        try (JournalWriter writer = new JournalWriter(run, Map.of("run_id", "cafe"), 1, 0, 1 << 20, -1)) {
            write(writer, EventRecord.session(EventType.SESSION_STARTED, 1));
            write(
                    writer,
                    EventRecord.sample(EventType.SAMPLE_ISSUED, 100, "a")
                            .withData(PromptData.ofTokenIds(List.of(7L, 8L, 9L)))
                            .from(3, 0));
            write(writer, EventRecord.sample(EventType.SAMPLE_ISSUED, 110, "b"));
            write(writer, EventRecord.sample(EventType.SAMPLE_ISSUED, 120, "lost"));
            write(writer, EventRecord.sample(EventType.SAMPLE_RECV_FIRST, 150, "a"));
            write(writer, EventRecord.sample(EventType.SAMPLE_RECV_NON_FIRST, 170, "a"));
            write(
                    writer,
                    EventRecord.sample(EventType.ERROR_CLIENT, 180, "b")
                            .withData(new ErrorData("Timeout", "=no, \"answer\"")));
            write(writer, EventRecord.sample(EventType.SAMPLE_COMPLETE, 190, "b"));
            write(
                    writer,
                    EventRecord.sample(EventType.SAMPLE_COMPLETE, 200, "a")
                            .withFinishReason("stop")
                            .withUsage(Usage.of(12, 5).with(UsageKey.CACHED_TOKENS, 8))
                            .withServer(ServerTimes.from(ServerTimes.Source.BODY)
                                    .with(ServerKey.QUEUE_NS, 7)
                                    .with(ServerKey.KV_BYTES, 9)));
            frame(writer, new byte[] {(byte) 0xc1, 2});
        }
    }

    private static void write(JournalWriter writer, EventRecord event) {
        frame(writer, new EventEncoder().encode(event));
    }

    private static void frame(JournalWriter writer, byte[] payload) {
        byte[] frame = Topic.frame("events", payload);
        writer.frame(ByteBuffer.wrap(frame), 0, frame.length, 1000);
        writer.endBurst(1000);
    }

    private List<String> export(JournalExport.Format format) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        assertThat(JournalExport.write(run, format, null, out)).isEqualTo(10);
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void csv_has_a_header_and_a_row_per_sample_with_incomplete_samples_last() throws IOException {
        assertThat(export(JournalExport.Format.CSV))
                .containsExactly(
                        HEADER,
                        "\"b\",,110,,,190,,80,0,,,,,\"Timeout\",\"'=no, \"\"answer\"\"\",,,,,,,,,,,,\"cafe\",,false,,true,,,,"
                                + ",,,,,,,",
                        "\"a\",\"3\",100,150,170,200,50,100,2,3,,,\"stop\",,,12,5,8,,,,,,,,\"server\",\"cafe\",,false,,false,,,,"
                                + ",7,,,,,,9",
                        "\"lost\",,120,,,,,,0,,,,,,,,,,,,,,,,,,\"cafe\",,false,,false,,,,,,,,,,,");
    }

    @Test
    void the_newest_run_of_a_journal_directory_is_exported() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        JournalExport.write(directory, JournalExport.Format.CSV, null, out);
        assertThat(out.toString(StandardCharsets.UTF_8).lines()).hasSize(4);
    }

    @Test
    void jsonl_has_an_object_per_record_and_malformed_records_as_base64() throws IOException {
        List<String> lines = export(JournalExport.Format.JSONL);
        assertThat(lines).hasSize(10);
        assertThat(lines.get(1))
                .startsWith("{\"event_type\":\"sample.issued\"")
                .contains("\"timestamp_ns\":100", "\"sample_uuid\":\"a\"", "\"worker_id\":3", "[7,8,9]");
        assertThat(lines.get(9)).isEqualTo("{\"malformed_base64\":\"wQI=\"}");
    }

    @Test
    void sqlite_holds_the_run_the_records_and_the_samples() throws IOException, SQLException {
        Path file = directory.resolve("run.db");
        assertThat(JournalExport.writeDatabase(run, null, file, file)).isEqualTo(10);
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file)) {
            assertThat(rows(connection, "SELECT value FROM run WHERE name = 'run_id'"))
                    .containsExactly("cafe");
            assertThat(rows(connection, "SELECT count(*) || ' ' || count(timestamp_ns) FROM events"))
                    .containsExactly("10 9");
            assertThat(rows(connection, "SELECT sample_uuid || ' ' || ttft_ns FROM samples WHERE ttft_ns IS NOT NULL"))
                    .containsExactly("a 50");
            assertThat(rows(
                            connection,
                            "SELECT usage_prompt_tokens || ' ' || usage_cached_tokens || ' ' || usage_by FROM samples"
                                    + " WHERE usage_prompt_tokens IS NOT NULL"))
                    .containsExactly("12 8 server");
            assertThat(rows(connection, "SELECT error_message FROM samples WHERE error_type = 'Timeout'"))
                    .containsExactly("=no, \"answer\"");
            assertThat(rows(connection, "SELECT sample_uuid FROM samples WHERE completed_ns IS NULL"))
                    .containsExactly("lost");
        }
    }

    private static List<String> rows(Connection connection, String query) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (ResultSet result = connection.createStatement().executeQuery(query)) {
            while (result.next()) {
                rows.add(result.getString(1));
            }
        }
        return rows;
    }

    @Test
    void sqlite_to_standard_output_is_rejected() {
        assertThatThrownBy(() -> export(JournalExport.Format.SQLITE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("needs a file");
    }
}
