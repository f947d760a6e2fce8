package io.metricsaggregator.imports.genaibench;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.ErrorData;
import io.metricsaggregator.imports.CollectingSink;
import io.metricsaggregator.imports.ImportedRequest;
import io.metricsaggregator.imports.ImportedRequest.Outcome;
import io.metricsaggregator.imports.SourceKind;
import io.metricsaggregator.imports.ToolCheck;
import io.metricsaggregator.imports.ToolCheck.Statistic;
import io.metricsaggregator.imports.format.Formats;
import io.metricsaggregator.imports.format.Story;
import org.junit.jupiter.api.Test;

public class GenaiBenchFormatTest {
    public static final String EXAMPLE = """
        {"aggregated_metrics":{"scenario":"D(12,5)","num_concurrency":1,"run_duration":1.0},"individual_request_metrics":[{"ttft":0.2,
        "tpot":0.0275,"e2e_latency":0.31,"num_input_tokens":12,"num_output_tokens":5,"error_code":null}],"_time_unit":"s"}
        """;

    @Test
    void the_example_gives_the_story_without_chunks_and_issue_times() throws Exception {
        CollectingSink sink = CollectingSink.read(new GenaiBenchFormat(), EXAMPLE);

        assertThat(Formats.recognising(CollectingSink.source(EXAMPLE).head())).isInstanceOf(GenaiBenchFormat.class);
        assertThat(sink.kind).isEqualTo(SourceKind.DURATIONS);
        assertThat(sink.parts).containsExactly("scenario D(12,5), concurrency 1");
        assertThat(sink.skipped).isEmpty();
        Story story = Story.of(sink.requests.get(0));
        assertThat(story.ttft()).isEqualTo(200_000_000);
        assertThat(story.chunkDeltas()).isEmpty();
        assertThat(story.latency()).isEqualTo(310_000_000);
        assertThat(story.promptTokens()).isEqualTo(12);
        assertThat(story.completionTokens()).isEqualTo(5);
        assertThat(story.tpot()).isEqualTo(27_500_000);
        assertThat(sink.unknowable).containsKeys("chunk_delta_ns", "finish_reason");
    }

    @Test
    void milliseconds_are_told_at_the_end_of_the_file() throws Exception {
        String text = EXAMPLE.replace("\"_time_unit\":\"s\"", "\"_time_unit\":\"ms\"")
                .replace("0.31", "310.5")
                .replace("0.2,", "200,");

        assertThat(Story.of(new GenaiBenchFormat(), text).latency()).isEqualTo(310_500_000);
        assertThat(Story.of(new GenaiBenchFormat(), text).ttft()).isEqualTo(200_000_000);
    }

    @Test
    void a_failed_request_has_no_end() throws Exception {
        CollectingSink sink = CollectingSink.read(
                new GenaiBenchFormat(),
                EXAMPLE.replace(
                        "\"error_code\":null}",
                        "\"num_reasoning_tokens\":3,\"error_code\":null},{\"ttft\":null,\"e2e_latency\":null,\"error_code\":500,\"error_message\":\"busy\"}"));

        assertThat(sink.requests)
                .extracting(ImportedRequest::outcome)
                .containsExactly(Outcome.SUCCEEDED, Outcome.FAILED);
        assertThat(sink.requests.get(0).usage().reasoningTokens()).isEqualTo(3);
        assertThat(sink.requests.get(1).endNanos()).isNull();
        assertThat(sink.requests.get(1).error()).isEqualTo(new ErrorData("500", "busy"));
    }

    @Test
    void figures_are_checked_unless_the_tool_left_requests_out() throws Exception {
        String stats =
                "\"run_duration\":1.0,\"stats\":{\"e2e_latency\":{\"sum\":0.31,\"mean\":0.31,\"p99\":0.31},\"ttft\":{\"stddev\":0.0}}";
        CollectingSink all =
                CollectingSink.read(new GenaiBenchFormat(), EXAMPLE.replace("\"run_duration\":1.0", stats));
        CollectingSink some = CollectingSink.read(
                new GenaiBenchFormat(),
                EXAMPLE.replace("\"run_duration\":1.0", stats.replace("\"sum\":0.31", "\"sum\":1.24")));

        assertThat(all.checks)
                .contains(
                        new ToolCheck("e2e_latency.p99", 0.31, "e2e_latency", new Statistic.Linear(99), 1, 1e-6),
                        new ToolCheck("ttft.stddev", 0, "ttft", Statistic.Simple.STD, 1, 1e-6));
        assertThat(some.checks).isEmpty();
        assertThat(some.unknowable.get("warmup")).contains("4 of 1");
        assertThat(all.figures).containsEntry("run_duration", 1.0);
    }

    @Test
    void damaged_values_cost_their_request_by_name() throws Exception {
        CollectingSink sink = CollectingSink.read(
                new GenaiBenchFormat(),
                EXAMPLE.replace("0.31", "\"long\"").replace("\"_time_unit\":\"s\"", "\"_time_unit\":\"h\""));

        assertThat(sink.requests).isEmpty();
        assertThat(sink.skipped).containsOnlyKeys("e2e_latency_invalid", "time_unit_invalid");
    }
}
