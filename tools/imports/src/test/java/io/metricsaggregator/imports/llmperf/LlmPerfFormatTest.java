package io.metricsaggregator.imports.llmperf;

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
import java.util.Map;
import org.junit.jupiter.api.Test;

public class LlmPerfFormatTest {
    public static final String EXAMPLE =
            "[{\"error_code\":null,\"ttft_s\":0.2,\"end_to_end_latency_s\":0.312,\"number_input_tokens\":12,\"number_output_tokens\":5}]";
    public static final String SUMMARY =
            "{\"version\":\"2023-08-31\",\"model\":\"m\",\"results_ttft_s_quantiles_p25\":0.2,"
                    + "\"results_ttft_s_mean\":0.2,\"results_end_to_end_latency_s_quantiles_p99\":0.312,"
                    + "\"results_end_to_end_latency_s_mean\":0.312,\"results_end_to_end_latency_s_stddev\":0.5,"
                    + "\"results_number_input_tokens_min\":\"550\",\"results_num_completed_requests\":1}";

    @Test
    void the_example_gives_the_story_with_the_end_of_the_stream() throws Exception {
        CollectingSink sink = CollectingSink.read(new LlmPerfFormat(), EXAMPLE);

        assertThat(Formats.recognising(CollectingSink.source(EXAMPLE).head())).isInstanceOf(LlmPerfFormat.class);
        assertThat(sink.kind).isEqualTo(SourceKind.DURATIONS);
        assertThat(sink.skipped).isEmpty();
        Story story = Story.of(sink.requests.get(0));
        assertThat(story.ttft()).isEqualTo(200_000_000);
        assertThat(story.chunkDeltas()).isEmpty();
        assertThat(story.latency()).isEqualTo(312_000_000);
        assertThat(story.promptTokens()).isEqualTo(12);
        assertThat(story.completionTokens()).isEqualTo(5);
        assertThat(story.tpot()).isEqualTo(28_000_000);
        assertThat(sink.requests.get(0).usage().byClient()).isTrue();
    }

    @Test
    void an_error_has_no_end_although_the_file_says_zero() throws Exception {
        CollectingSink sink = CollectingSink.read(
                new LlmPerfFormat(),
                "[{\"error_code\":429,\"error_msg\":\"slow"
                        + " down\",\"ttft_s\":0,\"end_to_end_latency_s\":0,\"number_output_tokens\":0}]");

        assertThat(sink.requests.get(0).outcome()).isEqualTo(Outcome.FAILED);
        assertThat(sink.requests.get(0).endNanos()).isNull();
        assertThat(sink.requests.get(0).error().errorMessage()).isEqualTo("slow down");
        assertThat(sink.values).isEmpty();
    }

    @Test
    void a_summary_beside_the_responses_is_recomputed_and_alone_a_summary() throws Exception {
        CollectingSink both = CollectingSink.read(new LlmPerfFormat(), ImportOptions.DEFAULT, EXAMPLE, SUMMARY);
        CollectingSink alone = CollectingSink.read(new LlmPerfFormat(), SUMMARY);

        assertThat(both.checks)
                .contains(
                        new ToolCheck("results_ttft_s_quantiles_p25", 0.2, "ttft_s", new Statistic.Linear(25), 1, 1e-6),
                        new ToolCheck(
                                "results_end_to_end_latency_s_stddev",
                                0.5,
                                "end_to_end_latency_s",
                                Statistic.Simple.SAMPLE_STD,
                                1,
                                1e-6));
        assertThat(both.kind).isEqualTo(SourceKind.DURATIONS);
        assertThat(Formats.recognising(CollectingSink.source(SUMMARY).head())).isInstanceOf(LlmPerfFormat.class);
        assertThat(alone.kind).isEqualTo(SourceKind.AGGREGATES);
        assertThat(alone.summaries.get(0).percentiles()).isEqualTo(Map.of(99.0, 0.312e9));
        assertThat(alone.summaryCounters).containsEntry("total_samples_completed", 1L);
    }

    @Test
    void a_response_without_a_latency_is_skipped_by_name() throws Exception {
        CollectingSink sink = CollectingSink.read(
                new LlmPerfFormat(),
                "[{\"error_code\":null,\"ttft_s\":0.2},{\"end_to_end_latency_s\":[]},5," + EXAMPLE.substring(1));

        assertThat(sink.requests).extracting(ImportedRequest::outcome).containsExactly(Outcome.SUCCEEDED);
        assertThat(sink.skipped)
                .containsOnlyKeys("end_to_end_latency_s_missing", "end_to_end_latency_s_invalid", "record_invalid");
    }
}
