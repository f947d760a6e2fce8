package io.metricsaggregator.imports.aiperf;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.ChunkPart;
import io.metricsaggregator.event.PromptData;
import io.metricsaggregator.imports.CollectingSink;
import io.metricsaggregator.imports.ImportOptions;
import io.metricsaggregator.imports.ImportedRequest;
import io.metricsaggregator.imports.ImportedUsage;
import io.metricsaggregator.imports.SourceKind;
import io.metricsaggregator.imports.ToolCheck;
import io.metricsaggregator.imports.format.Formats;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AiperfFormatTest {
    private static final AiperfFormat METRICS = new AiperfFormat(false);
    private static final AiperfFormat RAW = new AiperfFormat(true);
    private static final String METADATA =
            "\"metadata\":{\"session_num\":0,\"x_request_id\":\"r-1\",\"conversation_id\":\"c-1\","
                    + "\"turn_index\":0,\"credit_issued_ns\":1699999999998000000,\"request_start_ns\":1700000000000000000,"
                    + "\"request_end_ns\":1700000000312000000,\"worker_id\":\"w-1\",\"record_processor_id\":\"p-1\","
                    + "\"benchmark_phase\":\"profiling\",\"was_cancelled\":false}";
    static final String EXAMPLE = "{" + METADATA
            + ",\"metrics\":{\"request_latency\":{\"value\":310.0,\"unit\":\"ms\"},"
            + "\"time_to_first_token\":{\"value\":200.0,\"unit\":\"ms\"},"
            + "\"inter_chunk_latency\":{\"value\":[50.0,60.0],\"unit\":\"ms\"},"
            + "\"input_sequence_length\":{\"value\":12,\"unit\":\"tokens\"},"
            + "\"output_sequence_length\":{\"value\":5,\"unit\":\"tokens\"}}}\n";
    static final String RAW_EXAMPLE = "{" + METADATA + ",\"start_perf_ns\":1000,\"status\":200,"
            + "\"payload\":{\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]},\"responses\":["
            + packet(
                    100_001_000,
                    "{\\\"choices\\\":[{\\\"delta\\\":{\\\"role\\\":\\\"assistant\\\",\\\"content\\\":\\\"\\\"}}]}")
            + ","
            + packet(200_001_000, content("a")) + "," + packet(250_001_000, content(" b")) + ","
            + packet(310_001_000, content(" c")) + ","
            + packet(
                    311_001_000,
                    "{\\\"choices\\\":[{\\\"delta\\\":{},\\\"finish_reason\\\":\\\"stop\\\"}],\\\"usage\\\":{\\\"prompt_tokens\\\":12,\\\"completion_tokens\\\":5}}")
            + "," + packet(312_001_000, "[DONE]") + "]}\n";

    @TempDir
    private Path folder;

    private static String content(String text) {
        return "{\\\"choices\\\":[{\\\"delta\\\":{\\\"content\\\":\\\"" + text + "\\\"}}]}";
    }

    private static String packet(long nanos, String value) {
        return "{\"perf_ns\":" + nanos + ",\"packets\":[{\"name\":\"data\",\"value\":\"" + value + "\"}]}";
    }

    private static void assertStory(ImportedRequest request) {
        long issued = 1_700_000_000_000_000_000L;
        assertThat(request.id()).isEqualTo("r-1");
        assertThat(request.issuedNanos()).isEqualTo(issued);
        assertThat(request.scheduledNanos()).isEqualTo(issued - 2_000_000);
        assertThat(request.chunks()).isEqualTo(3);
        assertThat(request.chunkNanos(0)).isEqualTo(issued + 200_000_000);
        assertThat(request.chunkNanos(1)).isEqualTo(issued + 250_000_000);
        assertThat(request.chunkNanos(2)).isEqualTo(issued + 310_000_000);
        assertThat(request.endNanos()).isEqualTo(issued + 310_000_000);
        assertThat(request.streamEndNanos()).isEqualTo(issued + 312_000_000);
        assertThat(request.sourceId()).isEqualTo("w-1");
        assertThat(request.isWarmup()).isFalse();
    }

    @Test
    void the_story_of_metrics_has_the_tools_own_token_counts() throws Exception {
        CollectingSink sink = CollectingSink.read(METRICS, EXAMPLE);

        assertThat(sink.requests).hasSize(1);
        assertStory(sink.requests.get(0));
        assertThat(sink.requests.get(0).usage()).isEqualTo(ImportedUsage.ofClient(12L, 5L));
        assertThat(sink.kind).isEqualTo(SourceKind.CHUNKS);
        assertThat(Formats.recognising(CollectingSink.source(EXAMPLE).head()).name())
                .isEqualTo("aiperf");
    }

    @Test
    void the_story_of_responses_has_texts_finish_reason_and_the_servers_counts() throws Exception {
        CollectingSink sink = CollectingSink.read(RAW, RAW_EXAMPLE);

        assertThat(sink.skipped).isEmpty();
        ImportedRequest request = sink.requests.get(0);
        assertStory(request);
        assertThat(request.usage()).isEqualTo(ImportedUsage.ofServer(12L, 5L));
        assertThat(request.finishReason()).isEqualTo("stop");
        assertThat(request.output().output().joined()).isEqualTo("a b c");
        assertThat(request.prompt().messages()).hasSize(1);
        assertThat(Formats.recognising(CollectingSink.source(RAW_EXAMPLE).head())
                        .name())
                .isEqualTo("aiperf-raw");
    }

    @Test
    void a_failure_ends_at_its_end_a_cancelled_request_has_none_and_warm_up_is_marked() throws Exception {
        String failed = EXAMPLE.replace(
                "\"metrics\"", "\"error\":{\"code\":500,\"type\":\"ServerError\",\"message\":\"no\"},\"metrics\"");
        String cancelled = EXAMPLE.replace("\"was_cancelled\":false", "\"was_cancelled\":true");
        String warmup = EXAMPLE.replace("profiling", "warmup");
        CollectingSink sink = CollectingSink.read(METRICS, failed + cancelled + warmup);

        assertThat(sink.requests)
                .extracting(ImportedRequest::outcome)
                .containsExactly(
                        ImportedRequest.Outcome.FAILED,
                        ImportedRequest.Outcome.OPEN,
                        ImportedRequest.Outcome.SUCCEEDED);
        assertThat(sink.requests.get(0).endNanos()).isEqualTo(1_700_000_000_312_000_000L);
        assertThat(sink.requests.get(0).error().errorType()).isEqualTo("ServerError");
        assertThat(sink.requests.get(2).isWarmup()).isTrue();
    }

    @Test
    void prompts_come_from_the_file_of_inputs() throws Exception {
        Path inputs = Files.writeString(
                folder.resolve("inputs.json"),
                "{\"data\":[{\"session_id\":\"c-1\",\"payloads\":[{\"prompt\":\"hello\"}]},{\"session_id\":5}]}");
        ImportOptions options = new ImportOptions(
                ImportOptions.ANY_PART,
                ImportOptions.Warmup.UNTRACKED,
                ImportOptions.End.HEADLINE,
                true,
                inputs,
                Map.of());
        CollectingSink sink = CollectingSink.read(METRICS, options, EXAMPLE);

        assertThat(sink.requests.get(0).prompt()).isEqualTo(PromptData.ofText("hello"));
        assertThat(sink.skipped).containsEntry("session_id_invalid", 1L);
    }

    @Test
    void the_summary_beside_the_requests_brings_figures_to_verify() throws Exception {
        String summary = "{\"schema_version\":\"1.5\",\"aiperf_version\":\"0.13.0\","
                + "\"request_latency\":{\"unit\":\"ms\",\"avg\":310.0,\"p50\":310.0,\"count\":1},"
                + "\"request_throughput\":{\"unit\":\"requests/sec\",\"avg\":3.2}}";
        CollectingSink sink = CollectingSink.read(METRICS, ImportOptions.DEFAULT, summary, EXAMPLE);

        assertThat(sink.toolVersion).isEqualTo("0.13.0");
        assertThat(sink.checks)
                .extracting(ToolCheck::name)
                .containsExactly("request_latency_avg", "request_latency_p50", "request_latency_count");
        assertThat(sink.figures).containsEntry("request_throughput_avg", 3.2);
        assertThat(sink.requests).hasSize(1);

        CollectingSink alone = CollectingSink.read(new AiperfSummaryFormat(), summary);
        assertThat(alone.kind).isEqualTo(SourceKind.AGGREGATES);
        assertThat(alone.summaries.get(0).percentiles()).containsEntry(50.0, 310e6);
    }

    @Test
    void the_time_to_first_output_token_tells_reasoning_from_output() throws Exception {
        ImportedRequest request = CollectingSink.read(
                        METRICS,
                        EXAMPLE.replace(
                                "\"metrics\":{",
                                "\"metrics\":{\"time_to_first_output_token\":{\"value\":250.0000001,\"unit\":\"ms\"},"))
                .requests
                .get(0);
        assertThat(request.chunkPart(0)).isEqualTo(ChunkPart.REASONING);
        assertThat(request.chunkPart(1)).isEqualTo(ChunkPart.OUTPUT);
        assertThat(request.chunkPart(2)).isEqualTo(ChunkPart.OUTPUT);
    }

    @Test
    void a_summary_without_counts_takes_the_number_of_requests() throws Exception {
        String summary = "{\"request_throughput\":{\"unit\":\"requests/sec\",\"avg\":0.5},"
                + "\"request_latency\":{\"unit\":\"ms\",\"avg\":310.0,\"p99\":330.0,\"std\":5.0},"
                + "\"inter_chunk_latency\":{\"unit\":\"ms\",\"avg\":10.0,\"p99\":11.0}";
        String count = ",\"request_count\":{\"unit\":\"count\",\"avg\":81.0}";
        assertThat(Formats.recognising(CollectingSink.source(summary + "}").head()))
                .isInstanceOf(AiperfSummaryFormat.class);

        CollectingSink counted = CollectingSink.read(new AiperfSummaryFormat(), summary + count + "}");
        assertThat(counted.summaries.get(0).count()).isEqualTo(81);
        assertThat(counted.summaries.get(0).standardDeviation())
                .isCloseTo(5e6 * Math.sqrt(81 / 80.0), Offset.offset(1e-6));
        assertThat(counted.summaries.get(1).count()).isNull();
        assertThat(counted.summaryCounters)
                .containsEntry("tracked_samples_succeeded", 81L)
                .doesNotContainKeys("tracked_samples_issued", "tracked_samples_failed");

        CollectingSink uncounted = CollectingSink.read(new AiperfSummaryFormat(), summary + "}");
        assertThat(uncounted.summaries).extracting(each -> each.count()).containsOnlyNulls();
        assertThat(uncounted.figures).containsEntry("request_latency_p99", 330.0);
    }

    @Test
    void a_cancelled_run_is_interrupted_and_names_the_requests_that_ended_of_those_planned() throws Exception {
        // The cancelled requests among the errors are those of --request-cancellation-rate; the ones that Ctrl-C met
        // are in no file.
        String summary = "{\"schema_version\":\"1.0\",\"request_latency\":{\"unit\":\"ms\",\"avg\":1},"
                + "\"was_cancelled\":true,\"incomplete_reason\":\"Run cancelled before all records were processed.\","
                + "\"request_count\":{\"unit\":\"requests\",\"avg\":149.0},\"error_summary\":[{\"count\":8,\"error_details\":"
                + "{\"code\":499,\"type\":\"RequestCancellationError\"}}],\"input_config\":{\"phases\":["
                + "{\"kind\":\"warmup\",\"exclude_from_results\":true,\"requests\":2},{\"kind\":\"profiling\",\"requests\":2000}]}}";
        CollectingSink cancelled = CollectingSink.read(METRICS, ImportOptions.DEFAULT, EXAMPLE, summary);
        assertThat(cancelled.interrupted).isEqualTo("AIPerf was cancelled; 149 of the 2,000 planned requests ended");
        assertThat(cancelled.unknowable).doesNotContainKey("interrupted");
        assertThat(CollectingSink.read(
                                new AiperfSummaryFormat(), summary.replace("\"requests\":2000", "\"duration\":60.0"))
                        .interrupted)
                .isEqualTo("AIPerf was cancelled");
        assertThat(CollectingSink.read(
                                new AiperfSummaryFormat(),
                                summary.replace("\"was_cancelled\":true", "\"is_complete\":false")
                                        .replace("Run cancelled before all records were processed.", "stalled"))
                        .interrupted)
                .isEqualTo("AIPerf did not complete the run: stalled; 149 of the 2,000 planned requests ended");
        assertThat(CollectingSink.read(
                                METRICS,
                                ImportOptions.DEFAULT,
                                EXAMPLE,
                                summary.replace("\"was_cancelled\":true", "\"was_cancelled\":false"))
                        .interrupted)
                .isNull();
    }

    @Test
    void records_without_the_summary_do_not_say_whether_the_run_was_cancelled() throws Exception {
        assertThat(CollectingSink.read(METRICS, EXAMPLE).unknowable).containsKey("interrupted");
    }
}
