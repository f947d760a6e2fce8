package io.metricsaggregator.imports.vllm;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.server.ServerKey;
import io.metricsaggregator.event.server.ServerTimes;
import io.metricsaggregator.imports.CollectingSink;
import io.metricsaggregator.imports.ImportOptions;
import io.metricsaggregator.imports.ImportedRequest;
import io.metricsaggregator.imports.ImportedUsage;
import io.metricsaggregator.imports.SourceKind;
import io.metricsaggregator.imports.ToolCheck;
import io.metricsaggregator.imports.format.Formats;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VllmFormatTest {
    static final String EXAMPLE = "{\"date\":\"20261030-101500\",\"endpoint_type\":\"openai-chat\",\"num_prompts\":2,"
            + "\"duration\":1.0,\"completed\":1,\"failed\":1,\"request_rate\":\"inf\",\"mean_ttft_ms\":200.0,"
            + "\"input_lens\":[12,12],\"output_lens\":[5,0],\"ttfts\":[0.2,0.0],\"itls\":[[0.05,0.06],[]],"
            + "\"start_times\":[5000.0,5000.5],\"queue_times\":[0.002,0.0],\"generated_texts\":[\"a b c\",\"\"],"
            + "\"errors\":[\"\",\"boom\"]}";

    @Test
    void the_story_has_its_times_from_the_arrays_and_a_failure_without_an_end() throws Exception {
        CollectingSink sink = CollectingSink.read(new VllmFormat(), EXAMPLE);

        ImportedRequest good = sink.requests.get(0);
        assertThat(good.issuedNanos()).isEqualTo(5_000_000_000_000L);
        assertThat(good.scheduledNanos()).isEqualTo(4_999_998_000_000L);
        assertThat(good.chunks()).isEqualTo(3);
        assertThat(good.chunkNanos(0)).isEqualTo(5_000_200_000_000L);
        assertThat(good.chunkNanos(1)).isEqualTo(5_000_250_000_000L);
        assertThat(good.endNanos()).isEqualTo(5_000_310_000_000L);
        assertThat(good.usage()).isEqualTo(ImportedUsage.ofServer(12L, 5L));
        ImportedRequest bad = sink.requests.get(1);
        assertThat(bad.outcome()).isEqualTo(ImportedRequest.Outcome.FAILED);
        assertThat(bad.issuedNanos()).isEqualTo(5_000_500_000_000L);
        assertThat(bad.endNanos()).isNull();
        assertThat(String.valueOf(bad.error())).contains("boom");
        assertThat(sink.kind).isEqualTo(SourceKind.CHUNKS);
        assertThat(sink.skipped).isEmpty();
        assertThat(sink.checks).extracting(ToolCheck::name).contains("mean_ttft_ms", "completed");
    }

    @Test
    void without_start_times_there_are_only_durations() throws Exception {
        CollectingSink sink = CollectingSink.read(
                new VllmFormat(),
                EXAMPLE.replace("\"start_times\":[5000.0,5000.5],", "").replace("\"queue_times\":[0.002,0.0],", ""));

        assertThat(sink.kind).isEqualTo(SourceKind.DURATIONS);
        assertThat(sink.requests.get(0).issuedNanos()).isZero();
        assertThat(sink.requests.get(0).endNanos()).isEqualTo(310_000_000L);
    }

    @Test
    void latencies_end_a_request_where_the_file_has_them() throws Exception {
        CollectingSink sink = CollectingSink.read(
                new VllmFormat(), EXAMPLE.replace("\"errors\"", "\"latencies\":[0.312,0.0],\"errors\""));

        assertThat(sink.requests.get(0).endNanos()).isEqualTo(5_000_312_000_000L);
    }

    @Test
    void appended_results_are_parts_and_a_cut_one_is_counted() throws Exception {
        CollectingSink sink =
                CollectingSink.read(new VllmFormat(), EXAMPLE + "\n" + EXAMPLE + EXAMPLE.substring(0, 200));

        assertThat(sink.parts).hasSize(2);
        assertThat(sink.requests).hasSize(4);
        assertThat(sink.skipped).containsEntry("truncated", 1L);
    }

    @Test
    void a_result_without_details_is_a_summary() throws Exception {
        CollectingSink sink = CollectingSink.read(
                new VllmFormat(),
                "{\"endpoint_type\":\"openai\",\"num_prompts\":3,\"completed\":2,\"failed\":1,\"duration\":1.5,"
                        + "\"mean_ttft_ms\":10.0,\"median_ttft_ms\":9.0,\"std_ttft_ms\":1.0,\"p99_ttft_ms\":12.5}");

        assertThat(sink.kind).isEqualTo(SourceKind.AGGREGATES);
        assertThat(sink.requests).isEmpty();
        assertThat(sink.summaries).hasSize(1);
        assertThat(sink.summaries.get(0).percentiles())
                .containsEntry(99.0, 12.5e6)
                .containsEntry(50.0, 9e6);
        assertThat(sink.summaryCounters).containsEntry("tracked_samples_completed", 2L);
    }

    @Test
    void an_array_of_results_is_a_part_each() throws Exception {
        String array = "[" + EXAMPLE + ",\n" + EXAMPLE + "]";
        CollectingSink sink = CollectingSink.read(new VllmFormat(), array);

        assertThat(sink.parts).hasSize(2);
        assertThat(sink.requests).hasSize(4);
        assertThat(sink.skipped).isEmpty();
        assertThat(Formats.recognising(
                        CollectingSink.source("[{\"num_prompts\":1,\"model_id\":\"m\",\"tokenizer_id\":\"m\"}]")
                                .head()))
                .isInstanceOf(VllmFormat.class);
    }

    @Test
    void a_result_with_details_is_a_summary_if_one_is_asked_for() throws Exception {
        ImportOptions summary = new ImportOptions(
                ImportOptions.ANY_PART,
                ImportOptions.Warmup.UNTRACKED,
                ImportOptions.End.HEADLINE,
                true,
                null,
                Map.of(ImportOptions.SUMMARY, "true"));
        CollectingSink sink = CollectingSink.read(new VllmFormat(), summary, EXAMPLE);

        assertThat(sink.kind).isEqualTo(SourceKind.AGGREGATES);
        assertThat(sink.requests).isEmpty();
    }

    @Test
    void the_times_that_the_server_measured_are_those_of_their_requests() throws Exception {
        int end = EXAMPLE.lastIndexOf('}');
        CollectingSink sink = CollectingSink.read(
                new VllmFormat(),
                EXAMPLE.substring(0, end) + ",\"server_queue_times\":[0.1,-1],\"server_ttfts\":[0.15,null]}");

        assertThat(sink.requests.get(0).server())
                .isEqualTo(ServerTimes.from(ServerTimes.Source.BODY)
                        .with(ServerKey.QUEUE_NS, 100_000_000)
                        .with(ServerKey.TTFT_NS, 150_000_000));
        assertThat(sink.requests.get(1).server()).isNull();
        assertThat(sink.skipped).containsEntry("server_queue_times_negative", 1L);
    }
}
