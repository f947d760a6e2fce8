package io.metricsaggregator.imports.sglang;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.imports.CollectingSink;
import io.metricsaggregator.imports.ImportOptions;
import io.metricsaggregator.imports.ImportedRequest;
import io.metricsaggregator.imports.ImportedRequest.Outcome;
import io.metricsaggregator.imports.SourceKind;
import io.metricsaggregator.imports.ToolCheck;
import io.metricsaggregator.imports.ToolCheck.Statistic;
import io.metricsaggregator.imports.format.Formats;
import io.metricsaggregator.imports.format.Story;
import io.metricsaggregator.imports.journal.ImportedPart;
import io.metricsaggregator.imports.journal.Importer;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

public class SglangFormatTest {
    public static final String EXAMPLE =
            "{\"backend\":\"sglang-oai-chat\",\"duration\":1.0,\"completed\":1,\"total_output_tokens_retokenized\":5,\"input_lens\":[12],\"output_lens\":[5],\"ttfts\":[0.2],\"itls\":[[0.05,0.06]],\"generated_texts\":[\"a"
                    + " b c\"],\"errors\":[\"\"]}\n";

    @Test
    void the_example_gives_the_story_without_issue_times() throws Exception {
        CollectingSink sink = CollectingSink.read(new SglangFormat(), EXAMPLE);

        assertThat(Formats.recognising(CollectingSink.source(EXAMPLE).head())).isInstanceOf(SglangFormat.class);
        assertThat(sink.kind).isEqualTo(SourceKind.DURATIONS);
        assertThat(sink.parts).containsExactly("backend sglang-oai-chat");
        assertThat(sink.skipped).isEmpty();
        ImportedRequest request = sink.requests.get(0);
        assertThat(request.issuedNanos()).isZero();
        assertThat(request.output().output().joined()).isEqualTo("a b c");
        Story story = Story.of(request);
        assertThat(story.ttft()).isEqualTo(200_000_000);
        assertThat(story.chunkDeltas()).containsExactly(50_000_000, 60_000_000);
        assertThat(story.latency()).isEqualTo(310_000_000);
        assertThat(story.promptTokens()).isEqualTo(12);
        assertThat(story.completionTokens()).isEqualTo(5);
        assertThat(story.tpot()).isEqualTo(27_500_000);
        assertThat(request.usage().byClient()).isTrue();
    }

    @Test
    void chunk_times_are_sums_of_decimals_rounded_once() throws Exception {
        String text = EXAMPLE.replace("[[0.05,0.06]]", "[[" + "0.1000000004,".repeat(9) + "0.1000000004]]")
                .replace("[0.2]", "[0.1]");
        ImportedRequest request =
                CollectingSink.read(new SglangFormat(), text).requests.get(0);

        assertThat(request.chunkNanos(10)).isEqualTo(1_100_000_004L);
        assertThat(request.endNanos()).isEqualTo(1_100_000_004L);
    }

    @Test
    void smoothed_times_of_the_native_backend_are_no_chunks() throws Exception {
        CollectingSink sink = CollectingSink.read(new SglangFormat(), EXAMPLE.replace("sglang-oai-chat", "sglang"));

        Story story = Story.of(sink.requests.get(0));
        assertThat(story.ttft()).isEqualTo(200_000_000);
        assertThat(story.chunkDeltas()).isEmpty();
        assertThat(story.latency()).isEqualTo(310_000_000);
        assertThat(sink.unknowable.get("chunk_delta_ns")).contains("native");
        assertThat(sink.values.get("itls")).containsExactly(0.05, 0.06);
    }

    @Test
    void a_failed_request_has_no_end_and_keeps_what_it_received() throws Exception {
        String text =
                "{\"backend\":\"vllm\",\"total_output_tokens_retokenized\":5,\"input_lens\":[12,9],\"output_lens\":[5,0],\"ttfts\":[0.2,0.0],\"itls\":[[0.05],[]],\"errors\":[\"Traceback\",\"Bad"
                        + " Gateway: \"]}\n";
        CollectingSink sink = CollectingSink.read(new SglangFormat(), text);

        assertThat(sink.requests).extracting(ImportedRequest::outcome).containsExactly(Outcome.FAILED, Outcome.FAILED);
        assertThat(sink.requests).extracting(ImportedRequest::endNanos).containsExactly(null, null);
        assertThat(sink.requests).extracting(ImportedRequest::chunks).containsExactly(2, 0);
        assertThat(sink.requests.get(1).error().errorMessage()).isEqualTo("Bad Gateway: ");
        assertThat(sink.checks).isEmpty();
    }

    @Test
    void the_latency_of_a_response_in_one_piece_is_no_time_to_first_token() throws Exception {
        CollectingSink sink = CollectingSink.read(new SglangFormat(), EXAMPLE.replace("[[0.05,0.06]]", "[[]]"));

        assertThat(sink.requests.get(0).chunks()).isZero();
        assertThat(sink.requests.get(0).endNanos()).isEqualTo(200_000_000L);
        assertThat(sink.unknowable).containsKey("ttft_ns");
    }

    @Test
    void each_line_is_a_part_and_an_infinite_rate_is_no_damage() throws Exception {
        String text =
                EXAMPLE.replace("\"duration\":1.0", "\"tag\":\"a\",\"request_rate\":Infinity,\"max_concurrency\":8")
                        + EXAMPLE.replace("\"duration\":1.0", "\"tag\":\"b\",\"request_rate\":2.5,\"duration\":NaN");
        CollectingSink sink = CollectingSink.read(new SglangFormat(), text);

        assertThat(sink.parts)
                .containsExactly(
                        "tag a, backend sglang-oai-chat, request rate inf, max concurrency 8",
                        "tag b, backend sglang-oai-chat, request rate 2.5");
        assertThat(sink.requests).hasSize(2);
        assertThat(sink.skipped).containsExactly(Map.entry("values_not_a_number", 1L));
    }

    @Test
    void the_tools_figures_are_recomputed_from_its_own_values() throws Exception {
        String text = EXAMPLE.replace(
                "\"duration\":1.0",
                "\"mean_ttft_ms\":200.0,\"p99_ttft_ms\":200.0,\"mean_itl_ms\":55.0,\"mean_e2e_latency_ms\":312.0,\"total_output_tokens\":5");
        CollectingSink sink = CollectingSink.read(new SglangFormat(), text);

        assertThat(sink.checks)
                .containsExactlyInAnyOrder(
                        new ToolCheck("completed", 1, "ttfts", Statistic.Simple.COUNT, 1, 1e-6),
                        new ToolCheck("mean_ttft_ms", 200, "ttfts", Statistic.Simple.MEAN, 1e-3, 1e-6),
                        new ToolCheck("p99_ttft_ms", 200, "ttfts", new Statistic.Linear(99), 1e-3, 1e-6),
                        new ToolCheck("mean_itl_ms", 55, "chunk_delta_ns", Statistic.Simple.MEAN, 1e6, 1e-6),
                        new ToolCheck(
                                "total_output_tokens", 5, "usage_completion_tokens", Statistic.Simple.SUM, 1, 1e-6));
        assertThat(sink.figures).containsEntry("mean_e2e_latency_ms", 312.0);
    }

    @Test
    void a_run_without_details_is_a_summary() throws Exception {
        String text =
                "{\"backend\":\"sglang\",\"completed\":7,\"total_output_tokens_retokenized\":5,\"mean_ttft_ms\":20.0,\"std_ttft_ms\":1.0,\"median_ttft_ms\":19.0,\"p99_ttft_ms\":30.5}\n";
        CollectingSink sink = CollectingSink.read(new SglangFormat(), text);

        assertThat(sink.kind).isEqualTo(SourceKind.AGGREGATES);
        assertThat(sink.summaries).hasSize(1);
        assertThat(sink.summaries.get(0).name()).isEqualTo("ttft_ns");
        assertThat(sink.summaries.get(0).count()).isEqualTo(7);
        assertThat(sink.summaries.get(0).mean()).isEqualTo(2e7);
        assertThat(sink.summaries.get(0).percentiles()).isEqualTo(Map.of(50.0, 1.9e7, 99.0, 3.05e7));
        assertThat(sink.summaryCounters).containsEntry("total_samples_completed", 7L);
    }

    @Test
    void values_of_the_wrong_type_cost_their_request_only() throws Exception {
        String text =
                "{\"total_output_tokens_retokenized\":5,\"input_lens\":[1,\"x\",3,4],\"output_lens\":[2,2,2,2],\"ttfts\":[0.5,0.5,null,\"soon\"],\"itls\":[[0.1],[0.1],[0.1],[0.1]],\"errors\":[\"\",\"\",\"\",\"\"]}\n";
        CollectingSink sink = CollectingSink.read(new SglangFormat(), text);

        assertThat(sink.requests).hasSize(1);
        assertThat(sink.skipped)
                .containsOnly(
                        Map.entry("input_lens_invalid", 1L),
                        Map.entry("ttfts_missing", 1L),
                        Map.entry("ttfts_invalid", 1L));
    }

    @Test
    void runs_with_and_without_details_in_one_file_keep_their_kinds(@TempDir Path folder) throws Exception {
        String summary = "{\"total_output_tokens_retokenized\":5,\"completed\":7,\"mean_ttft_ms\":20.0}\n";
        try (Importer importer = new Importer(
                new SglangFormat(), ImportOptions.DEFAULT.withPart(ImportOptions.ALL_PARTS), folder, () -> {})) {
            importer.read(CollectingSink.source(EXAMPLE + summary + EXAMPLE));

            assertThat(importer.finish())
                    .extracting(ImportedPart::kind)
                    .containsExactly(SourceKind.DURATIONS, SourceKind.AGGREGATES, SourceKind.DURATIONS);
        }
    }
}
