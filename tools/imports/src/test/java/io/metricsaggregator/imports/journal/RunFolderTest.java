package io.metricsaggregator.imports.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.event.frame.BatchReader;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.imports.FormatReader;
import io.metricsaggregator.imports.ImportFormat;
import io.metricsaggregator.imports.ImportOptions;
import io.metricsaggregator.imports.ImportSink;
import io.metricsaggregator.imports.ImportSource;
import io.metricsaggregator.imports.ImportedRequest;
import io.metricsaggregator.imports.ImportedUsage;
import io.metricsaggregator.imports.SourceHead;
import io.metricsaggregator.imports.SourceKind;
import io.metricsaggregator.imports.ToolCheck;
import io.metricsaggregator.journal.JournalDirectory;
import io.metricsaggregator.journal.JournalReader;
import io.metricsaggregator.snapshot.figures.Imported;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunFolderTest {
    private static final ImportOptions DROP = new ImportOptions(
            ImportOptions.ANY_PART, ImportOptions.Warmup.DROP, ImportOptions.End.HEADLINE, true, null, Map.of());

    @TempDir
    private Path folder;

    /** Sends requests to the sink instead of reading a file. */
    private interface Content {
        void send(ImportSink sink) throws IOException;
    }

    private record Read(List<String> events, List<Long> bursts, Imported imported, Path run) {}

    private Read read(ImportOptions options, Content content) throws IOException {
        ImportFormat format = new ImportFormat() {
            @Override
            public String name() {
                return "x";
            }

            @Override
            public String tool() {
                return "X";
            }

            @Override
            public boolean recognises(SourceHead head) {
                return true;
            }

            @Override
            public FormatReader reader(ImportOptions unused) {
                return (source, sink) -> content.send(sink);
            }
        };
        try (Importer importer = new Importer(format, options, folder, () -> {})) {
            importer.read(ImportSource.of("f", new ByteArrayInputStream(new byte[0])));
            ImportedPart part = importer.finish().get(0);
            JournalDirectory directory = JournalDirectory.open(folder.resolve("journal"));
            Path run = RunFolder.write(part, directory, "cafe", 1, Map.of("k", "v"));
            List<String> events = new ArrayList<>();
            List<Long> bursts = new ArrayList<>();
            new JournalReader().read(run, new JournalReader.Visitor() {
                @Override
                public void burst(long nanos) {
                    bursts.add(nanos);
                }

                @Override
                public void frame(ByteBuffer buffer, int start, int length) {
                    assertThat(Topic.isBatch(buffer, start)).isTrue();
                    BatchReader batch = new BatchReader();
                    batch.open(buffer, start + Topic.LENGTH, length - Topic.LENGTH);
                    while (batch.next()) {
                        byte[] record = new byte[batch.length()];
                        buffer.get(batch.start(), record);
                        events.add(text(record));
                    }
                }
            });
            return new Read(events, bursts, importer.describe(part), run);
        }
    }

    private static String text(byte[] record) {
        try {
            Map<?, ?> map = (Map<?, ?>) new MsgpackTree().read(ByteBuffer.wrap(record));
            return map.get("event_type").toString().replaceAll("(sample|session|error)\\.", "") + " "
                    + (map.containsKey("sample_uuid") ? map.get("sample_uuid") + " " : "")
                    + map.get("timestamp_ns")
                    + (map.containsKey("usage") ? " " + map.get("usage") : "")
                    + (map.containsKey("scheduled_ns") ? " due " + map.get("scheduled_ns") : "");
        } catch (MalformedMessageException e) {
            throw new UncheckedIOException(new IOException(e));
        }
    }

    @Test
    void a_request_becomes_its_events_between_those_of_a_session() throws IOException {
        Read read = read(
                ImportOptions.DEFAULT,
                sink -> sink.request(ImportedRequest.issuedAt(5_000_000_000L)
                        .id("r-1")
                        .scheduledAt(4_998_000_000L)
                        .chunksAt(5_200_000_000L, 5_250_000_000L, 5_310_000_000L)
                        .succeededAt(5_310_000_000L)
                        .usage(ImportedUsage.ofClient(12L, 5L))));

        assertThat(read.events())
                .containsExactly(
                        "started 5000000000",
                        "start_performance_tracking 5000000000",
                        "issued r-1 5000000000 due 4998000000",
                        "stop_performance_tracking 5000000000",
                        "recv_first r-1 5200000000",
                        "recv_non_first r-1 5250000000",
                        "recv_non_first r-1 5310000000",
                        "complete r-1 5310000000 {prompt_tokens=12, completion_tokens=5, by=client}",
                        "ended 5310000000");
        assertThat(read.bursts()).containsExactly(5_000_000_000L, 5_200_000_000L, 5_250_000_000L, 5_310_000_000L);
        assertThat(read.run().resolve("done")).exists();
        assertThat(Files.getPosixFilePermissions(read.run())).hasSize(3);
    }

    @Test
    void failures_keep_what_is_known_of_them_and_an_open_request_has_no_end() throws IOException {
        Read read = read(ImportOptions.DEFAULT, sink -> {
            sink.request(ImportedRequest.issuedAt(10).id("known").failedAt(30L, "Timeout", "late"));
            sink.request(
                    ImportedRequest.issuedAt(11).id("unknown").firstChunkAt(20L).failedAt(null, "", "boom"));
            sink.request(ImportedRequest.issuedAt(12).id("open").firstChunkAt(21L));
        });

        assertThat(read.events())
                .containsExactly(
                        "started 10",
                        "start_performance_tracking 10",
                        "issued known 10",
                        "issued unknown 11",
                        "issued open 12",
                        "stop_performance_tracking 12",
                        "recv_first unknown 20",
                        "generic unknown 20",
                        "recv_first open 21",
                        "generic known 30",
                        "complete known 30",
                        "ended 30");
        assertThat(read.imported().endUnknown()).isEqualTo(1);
        assertThat(read.imported().open()).isEqualTo(1);
    }

    @Test
    void failures_of_unknown_issue_stand_at_the_first_tracked_issue_one_after_another() throws IOException {
        Read read = read(ImportOptions.DEFAULT, sink -> {
            sink.request(ImportedRequest.issuedAt(0).id("unset").failedAt(0L, "", "refused"));
            sink.request(ImportedRequest.issuedAt(5).id("warm").warmup(true).succeededAt(12));
            sink.request(ImportedRequest.issuedAt(10).id("a").succeededAt(30));
            sink.request(
                    ImportedRequest.issuedAt(-1).id("none").firstChunkAt(1L).failedAt(null, "", "refused"));
            sink.request(ImportedRequest.issuedAt(0).id("lost").succeededAt(3));
        });

        assertThat(read.events())
                .containsExactly(
                        "started 5",
                        "issued warm 5",
                        "start_performance_tracking 10",
                        "issued unset 10",
                        "generic unset 10",
                        "issued none 10",
                        "generic none 10",
                        "issued a 10",
                        "stop_performance_tracking 10",
                        "complete warm 12",
                        "complete a 30",
                        "ended 30");
        assertThat(read.imported().startUnknown()).isEqualTo(2);
        assertThat(read.imported().endUnknown()).isEqualTo(2);
        assertThat(read.imported().skipped()).containsExactly(Map.entry("start_unknown", 1L));
    }

    @Test
    void a_first_token_and_a_due_time_that_were_never_set_leave_the_rest_of_the_request() throws IOException {
        Read read = read(ImportOptions.DEFAULT, sink -> {
            for (long unset : new long[] {0, 1000, Long.MAX_VALUE}) {
                sink.request(ImportedRequest.issuedAt(1000)
                        .firstChunkAt(unset)
                        .scheduledAt(unset == 1000 ? Long.MIN_VALUE : 990L)
                        .succeededAt(2000));
            }
        });

        assertThat(read.events())
                .filteredOn(each -> each.startsWith("complete"))
                .hasSize(3);
        assertThat(read.events()).noneMatch(each -> each.startsWith("recv"));
        assertThat(read.events()).filteredOn(each -> each.contains(" due ")).hasSize(2);
        assertThat(read.imported().skipped())
                .containsExactly(Map.entry("due_time_unset", 1L), Map.entry("first_token_unset", 3L));
    }

    @Test
    void a_success_without_a_latency_is_skipped_by_name_and_a_failure_stays_whatever_its_times() throws IOException {
        Read read = read(ImportOptions.DEFAULT, sink -> {
            sink.request(ImportedRequest.issuedAt(1000).succeededAt(1000));
            sink.request(ImportedRequest.issuedAt(1000).succeededAt(0));
            sink.request(ImportedRequest.issuedAt(1000).succeededAt(Long.MAX_VALUE));
            sink.request(ImportedRequest.issuedAfter(0).succeededAt(0));
            sink.request(
                    ImportedRequest.issuedAt(1000).id("a").chunksAt(1200, 1100).failedAt(900L, "", ""));
            sink.request(ImportedRequest.issuedAt(1000).id("b").failedAt(Long.MAX_VALUE, "", ""));
        });

        assertThat(read.imported().skipped())
                .containsExactly(
                        Map.entry("chunks_out_of_order", 1L),
                        Map.entry("end_missing", 2L),
                        Map.entry("latency_unknown", 2L));
        assertThat(read.imported().endUnknown()).isEqualTo(2);
        assertThat(read.events()).contains("generic a 1000", "generic b 1000", "ended 1000");
    }

    @Test
    void a_run_that_its_tool_cut_is_an_interrupted_session() throws IOException {
        Read read = read(ImportOptions.DEFAULT, sink -> {
            sink.request(ImportedRequest.issuedAt(10).id("a").succeededAt(30));
            sink.interrupted("X was cancelled");
        });

        assertThat(read.events()).endsWith("complete a 30", "interrupted 30", "ended 30");
        assertThat(read.imported().interrupted()).isEqualTo("X was cancelled");
    }

    @Test
    void at_one_time_earlier_samples_end_before_others_start() throws IOException {
        Read read = read(ImportOptions.DEFAULT, sink -> {
            sink.request(ImportedRequest.issuedAt(20).id("b").firstChunkAt(21L).succeededAt(21));
            sink.request(ImportedRequest.issuedAt(10).id("a").firstChunkAt(20L).succeededAt(20));
        });

        assertThat(read.events())
                .containsExactly(
                        "started 10",
                        "start_performance_tracking 10",
                        "issued a 10",
                        "recv_first a 20",
                        "complete a 20",
                        "issued b 20",
                        "stop_performance_tracking 20",
                        "recv_first b 21",
                        "complete b 21",
                        "ended 21");
    }

    @Test
    void windows_open_and_close_around_warm_up_requests() throws IOException {
        Content content = sink -> {
            sink.request(ImportedRequest.issuedAt(1).id("w1").warmup(true).succeededAt(2));
            sink.request(ImportedRequest.issuedAt(3).id("a").succeededAt(4));
            sink.request(ImportedRequest.issuedAt(5).id("w2").warmup(true).succeededAt(6));
            sink.request(ImportedRequest.issuedAt(7).id("b").succeededAt(8));
            sink.request(ImportedRequest.issuedAt(9).id("w3").warmup(true).succeededAt(10));
        };
        assertThat(read(ImportOptions.DEFAULT, content).events())
                .containsExactly(
                        "started 1",
                        "issued w1 1",
                        "complete w1 2",
                        "start_performance_tracking 3",
                        "issued a 3",
                        "complete a 4",
                        "stop_performance_tracking 5",
                        "issued w2 5",
                        "complete w2 6",
                        "start_performance_tracking 7",
                        "issued b 7",
                        "stop_performance_tracking 7",
                        "complete b 8",
                        "issued w3 9",
                        "complete w3 10",
                        "ended 10");
        Read dropped = read(DROP, content);
        assertThat(dropped.events()).hasSize(8).noneMatch(each -> each.contains(" w"));
        assertThat(dropped.imported().skipped()).containsExactly(Map.entry("warmup_dropped", 3L));
    }

    @Test
    void warm_up_that_interleaves_too_often_is_refused_with_the_remedy() {
        assertThatThrownBy(() -> read(ImportOptions.DEFAULT, sink -> {
                    for (int i = 1; i < 1100; i++) {
                        sink.request(
                                ImportedRequest.issuedAt(i).warmup(i % 2 == 0).succeededAt(i + 1));
                    }
                }))
                .hasMessageContaining("--warmup drop");
    }

    @Test
    void repeated_ids_and_contradicting_times_are_repaired_or_skipped_and_named() throws IOException {
        Read read = read(ImportOptions.DEFAULT, sink -> {
            sink.request(ImportedRequest.issuedAt(1).id("same").succeededAt(2));
            sink.request(ImportedRequest.issuedAt(3).id("same").succeededAt(4));
            sink.request(ImportedRequest.issuedAt(9).succeededAt(10));
            sink.request(ImportedRequest.issuedAt(5).succeededAt(4));
            sink.request(ImportedRequest.issuedAt(5).chunksAt(8, 7).succeededAt(9));
            // The rounding of a tool: its last chunk lies 100 ns behind its end.
            sink.request(ImportedRequest.issuedAt(20).id("r").chunksAt(30, 1100).succeededAt(1000));
        });

        assertThat(read.events()).contains("issued same 1", "issued x-000000002 3", "issued x-000000003 9");
        assertThat(read.events()).containsSequence("recv_non_first r 1000", "complete r 1000");
        assertThat(read.imported().skipped()).containsExactly(Map.entry("times_out_of_order", 2L));
        assertThat(read.imported().requests()).isEqualTo(4);
        assertThat(read.imported().unknowable()).containsKey("sample_uuid");
    }

    @Test
    void figures_of_the_tool_are_recomputed_by_its_rules_from_measured_successes() throws IOException {
        Read read = read(ImportOptions.DEFAULT, sink -> {
            sink.kind(SourceKind.TIMES);
            sink.request(ImportedRequest.issuedAfter(0).warmup(true).succeededAt(90_000_000));
            sink.request(ImportedRequest.issuedAfter(0).failedAt(80_000_000L, "", ""));
            for (int i = 1; i <= 4; i++) {
                sink.request(ImportedRequest.issuedAfter(0).succeededAt(i * 10_000_000L));
            }
            check(sink, "mean", 25, ToolCheck.Statistic.Simple.MEAN);
            check(sink, "std", Math.sqrt(125), ToolCheck.Statistic.Simple.STD);
            check(sink, "p50", 25, new ToolCheck.Statistic.Linear(50));
            check(sink, "p99", 39.7, new ToolCheck.Statistic.Linear(99));
            check(sink, "first50", 20, new ToolCheck.Statistic.FirstReached(50));
            check(sink, "wrong", 25.001, ToolCheck.Statistic.Simple.MEAN);
            sink.check(new ToolCheck("none", 1, "nothing", ToolCheck.Statistic.Simple.MEAN, 1, ToolCheck.EXACT));
        });

        assertThat(read.imported().verify().stream().filter(Imported.Verification::agrees))
                .extracting(Imported.Verification::name)
                .containsExactly("mean", "std", "p50", "p99", "first50");
        assertThat(read.imported().disagreements()).isEqualTo(2);
        assertThat(read.imported().kind()).isEqualTo("T");
    }

    private static void check(ImportSink sink, String name, double expected, ToolCheck.Statistic statistic) {
        sink.check(new ToolCheck(name, expected, "sample_latency_ns", statistic, 1e6, ToolCheck.EXACT));
    }

    @Test
    void a_run_that_cannot_be_written_leaves_no_folder() throws Exception {
        JournalDirectory directory = JournalDirectory.open(folder.resolve("journal"));
        ImportedPart part = new ImportedPart(null, "x", folder, ImportOptions.DEFAULT);
        part.request(ImportedRequest.issuedAt(1_700_000_000_000_000_000L).succeededAt(1_700_000_000_500_000_000L));
        part.seal();
        // The records cannot be read any more.
        part.close();

        assertThatThrownBy(() -> RunFolder.write(
                        part, directory, "00112233445566ff", 1_700_000_000_000_000_000L, Map.of("version", "1")))
                .isInstanceOf(RuntimeException.class);

        try (Stream<Path> runs = Files.list(directory.path())) {
            assertThat(runs.filter(Files::isDirectory)).isEmpty();
        }
    }
}
