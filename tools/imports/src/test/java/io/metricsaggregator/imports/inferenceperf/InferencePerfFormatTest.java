package io.metricsaggregator.imports.inferenceperf;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.ErrorData;
import io.metricsaggregator.event.ModelText;
import io.metricsaggregator.event.PromptData;
import io.metricsaggregator.imports.CollectingSink;
import io.metricsaggregator.imports.ImportOptions;
import io.metricsaggregator.imports.ImportedRequest;
import io.metricsaggregator.imports.ImportedRequest.Outcome;
import io.metricsaggregator.imports.SourceKind;
import io.metricsaggregator.imports.ToolCheck;
import io.metricsaggregator.imports.ToolCheck.Statistic;
import io.metricsaggregator.imports.format.Formats;
import io.metricsaggregator.imports.format.Story;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

public class InferencePerfFormatTest {
    public static final String EXAMPLE = """
        [{"start_time":5000.0,"end_time":5000.312,"request":"{\\"stream\\":true}","response":null,"info":{"request_metrics":{"text":{"input_tokens":12}},
        "response_metrics":{"output_tokens":5,"server_usage":{"prompt_tokens":12,"completion_tokens":5},"chunk_times":[5000.2,5000.25,5000.31]},
        "extra_info":{},"lora_adapter":null,"labels":{}},"error":null}]
        """;
    public static final String SUMMARY = """
        {"benchmark_time_seconds":0.312,"load_summary":{"count":1},"successes":{"count":1,"latency":{"request_latency":
        {"mean":0.312,"min":0.312,"max":0.312,"median":0.312,"p99.9":0.312},"time_to_first_token":{"mean":0.2,"p90":0.2}},
        "throughput":{"requests_per_sec":3.2}},"failures":{"count":0}}
        """;

    private static String request(String info) {
        return "[{\"start_time\":1.0,\"end_time\":2.0,\"info\":" + info + ",\"error\":null}]";
    }

    @Test
    void the_example_gives_the_story_with_the_end_after_the_counting_of_tokens() throws Exception {
        CollectingSink sink = CollectingSink.read(new InferencePerfFormat(), EXAMPLE);

        assertThat(Formats.recognising(CollectingSink.source(EXAMPLE).head())).isInstanceOf(InferencePerfFormat.class);
        assertThat(sink.kind).isEqualTo(SourceKind.CHUNKS);
        assertThat(sink.skipped).isEmpty();
        ImportedRequest request = sink.requests.get(0);
        assertThat(request.issuedNanos()).isEqualTo(5_000_000_000_000L);
        Story story = Story.of(request);
        assertThat(story.ttft()).isEqualTo(200_000_000);
        assertThat(story.chunkDeltas()).containsExactly(50_000_000, 60_000_000);
        assertThat(story.latency()).isEqualTo(312_000_000);
        assertThat(story.slip()).isNull();
        assertThat(story.promptTokens()).isEqualTo(12);
        assertThat(story.completionTokens()).isEqualTo(5);
        assertThat(story.tpot()).isEqualTo(28_000_000);
        assertThat(request.usage().byClient()).isFalse();
        assertThat(sink.unknowable).containsKeys("schedule_slip_ns", "stages");
    }

    @Test
    void without_the_servers_usage_the_tools_own_counts_stand_in() throws Exception {
        ImportedRequest request = CollectingSink.read(
                        new InferencePerfFormat(),
                        EXAMPLE.replace("{\"prompt_tokens\":12,\"completion_tokens\":5}", "null"))
                .requests
                .get(0);

        assertThat(request.usage().promptTokens()).isEqualTo(12);
        assertThat(request.usage().completionTokens()).isEqualTo(5);
        assertThat(request.usage().byClient()).isTrue();
    }

    @Test
    void a_failed_request_ends_with_its_error() throws Exception {
        CollectingSink sink = CollectingSink.read(
                new InferencePerfFormat(),
                EXAMPLE.replace(
                        "\"error\":null", "\"error\":{\"error_type\":\"HTTP Error 503\",\"error_msg\":\"busy\"}"));

        assertThat(sink.requests.get(0).outcome()).isEqualTo(Outcome.FAILED);
        assertThat(sink.requests.get(0).endNanos()).isEqualTo(5_000_312_000_000L);
        assertThat(sink.requests.get(0).error()).isEqualTo(new ErrorData("HTTP Error 503", "busy"));
        assertThat(sink.values).isEmpty();
    }

    @Test
    void older_versions_keep_the_chunk_times_elsewhere() throws Exception {
        for (String info : List.of(
                "{\"response_info\":{\"chunk_times\":[1.5],\"output_tokens\":3},\"input_tokens\":4}",
                "{\"input_tokens\":4,\"output_tokens\":3,\"output_token_times\":[1.5]}")) {
            CollectingSink sink = CollectingSink.read(new InferencePerfFormat(), request(info));
            assertThat(Story.of(sink.requests.get(0)).ttft()).isEqualTo(500_000_000);
            assertThat(Story.of(sink.requests.get(0)).promptTokens()).isEqualTo(4);
            assertThat(Story.of(sink.requests.get(0)).completionTokens()).isEqualTo(3);
        }
    }

    @Test
    void a_token_time_repeated_for_each_token_of_a_chunk_is_no_chunk() throws Exception {
        CollectingSink sink = CollectingSink.read(
                new InferencePerfFormat(),
                request("{\"response_metrics\":{\"output_tokens\":3,\"output_token_times\":[1.5,1.5,1.5]}}"));

        assertThat(sink.requests.get(0).chunks()).isZero();
        assertThat(sink.kind).isEqualTo(SourceKind.TIMES);
        assertThat(sink.unknowable).containsKey("ttft_ns");
    }

    @Test
    void prompt_answer_and_finish_reason_come_from_the_bodies() throws Exception {
        String sse = "data: {\\\"choices\\\":[{\\\"delta\\\":{\\\"role\\\":\\\"assistant\\\"}}]}\\n"
                + "\\n"
                + "data: {\\\"choices\\\":[{\\\"delta\\\":{\\\"content\\\":\\\"a\\\"}}]}\\n"
                + "\\n"
                + "data: {\\\"choices\\\":[{\\\"delta\\\":{\\\"content\\\":\\\""
                + " b\\\"},\\\"finish_reason\\\":\\\"stop\\\"}]}\\n"
                + "\\n"
                + "data: [DONE]\\n"
                + "\\n";
        String text = EXAMPLE.replace("\"response\":null", "\"response\":\"" + sse + "\"")
                .replace("{\\\"stream\\\":true}", "{\\\"prompt\\\":\\\"hi\\\"}");
        ImportedRequest request =
                CollectingSink.read(new InferencePerfFormat(), text).requests.get(0);

        assertThat(request.prompt()).isEqualTo(PromptData.ofText("hi"));
        assertThat(request.output().output()).isEqualTo(new ModelText.Chunks(List.of("a", " b")));
        assertThat(request.finishReason()).isEqualTo("stop");
    }

    @Test
    void a_summary_beside_the_requests_is_recomputed() throws Exception {
        CollectingSink sink = CollectingSink.read(new InferencePerfFormat(), ImportOptions.DEFAULT, SUMMARY, EXAMPLE);

        assertThat(sink.kind).isEqualTo(SourceKind.CHUNKS);
        assertThat(sink.summaries).isEmpty();
        assertThat(sink.values.get("time_to_first_token").get(0)).isEqualTo(5000.2 - 5000.0);
        assertThat(sink.checks)
                .contains(
                        new ToolCheck("successes.count", 1, "request_latency", Statistic.Simple.COUNT, 1, 1e-6),
                        new ToolCheck(
                                "request_latency.median", 0.312, "request_latency", new Statistic.Linear(50), 1, 1e-6),
                        new ToolCheck(
                                "request_latency.p99.9", 0.312, "request_latency", new Statistic.Linear(99.9), 1, 1e-6),
                        new ToolCheck(
                                "time_to_first_token.p90",
                                0.2,
                                "time_to_first_token",
                                new Statistic.Linear(90),
                                1,
                                1e-6));
    }

    @Test
    void a_summary_alone_is_a_summary() throws Exception {
        CollectingSink sink = CollectingSink.read(new InferencePerfFormat(), SUMMARY);

        assertThat(Formats.recognising(CollectingSink.source(SUMMARY).head())).isInstanceOf(InferencePerfFormat.class);
        assertThat(sink.kind).isEqualTo(SourceKind.AGGREGATES);
        assertThat(sink.summaries).extracting(each -> each.name()).containsExactly("sample_latency_ns", "ttft_ns");
        assertThat(sink.summaries.get(0).percentiles()).isEqualTo(Map.of(50.0, 312_000_000.0, 99.9, 312_000_000.0));
        assertThat(sink.summaryCounters)
                .containsEntry("total_samples_completed", 1L)
                .containsEntry("tracked_samples_issued", 1L)
                .containsEntry("tracked_samples_failed", 0L)
                .containsEntry("tracked_duration_ns", 312_000_000L);
        assertThat(sink.figures).containsEntry("throughput.requests_per_sec", 3.2);
    }

    @Test
    void a_record_without_an_end_is_skipped_by_name() throws Exception {
        CollectingSink sink = CollectingSink.read(
                new InferencePerfFormat(),
                "[{\"start_time\":1.0,\"info\":{}},{\"start_time\":\"x\",\"end_time\":2},null,"
                        + "{\"start_time\":1,\"end_time\":2,\"info\":{\"response_metrics\":{\"chunk_times\":[1.5,\"x\"]}}}]");

        assertThat(sink.requests).isEmpty();
        assertThat(sink.skipped)
                .containsOnlyKeys("end_time_missing", "start_time_invalid", "record_missing", "chunk_times_invalid");
    }
}
