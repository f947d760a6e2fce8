package io.metricsaggregator.imports.guidellm;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.ErrorData;
import io.metricsaggregator.event.PromptData;
import io.metricsaggregator.imports.CollectingSink;
import io.metricsaggregator.imports.ImportedRequest;
import io.metricsaggregator.imports.ImportedRequest.Outcome;
import io.metricsaggregator.imports.SourceKind;
import io.metricsaggregator.imports.ToolCheck;
import io.metricsaggregator.imports.ToolCheck.Statistic;
import io.metricsaggregator.imports.format.Formats;
import io.metricsaggregator.imports.format.Story;
import java.util.List;
import org.junit.jupiter.api.Test;

public class GuideLlmFormatTest {
    public static final String EXAMPLE = """
            {"metadata":{"version":2,"guidellm_version":"0.7.3"},"config":{},"benchmarks":[{"config":{"run_id":"u",
            "run_index":0,"strategy":{"type_":"constant","rate":2.5}},"scheduler_metrics":{"measure_start_time":1700000000.0,
            "measure_end_time":1700000001.0},"requests":{"successful":[{"request_id":"r-1","info":{"status":"completed",
            "timings":{"targeted_start":1699999999.998,"request_start":1700000000.0,"first_token_iteration":1700000000.2,
            "last_token_iteration":1700000000.31,"token_iterations":3,"request_end":1700000000.312,"resolve_end":1700000000.313}},
            "input_metrics":{"text_tokens":12,"total_tokens":12},"output_metrics":{"text_tokens":5,"total_tokens":5}}],
            "incomplete":[],"errored":[]}}]}
            """;

    private static String report(String beforeRequests, String requests) {
        return "{\"metadata\":{\"guidellm_version\":\"0.7.3\"},\"benchmarks\":[{\"config\":{\"strategy\":{\"type_\":\"concurrent\",\"streams\":8}},"
                + beforeRequests + "\"requests\":{" + requests + "}}]}";
    }

    private static String request(String id, String timings, String more) {
        return "{\"request_id\":\"" + id + "\",\"info\":{\"timings\":{" + timings + "}" + more + "}}";
    }

    @Test
    void the_example_gives_the_times_of_the_story_with_the_end_of_the_request() throws Exception {
        CollectingSink sink = CollectingSink.read(new GuideLlmFormat(), EXAMPLE);

        assertThat(Formats.recognising(CollectingSink.source(EXAMPLE).head())).isInstanceOf(GuideLlmFormat.class);
        assertThat(sink.kind).isEqualTo(SourceKind.TIMES);
        assertThat(sink.toolVersion).isEqualTo("0.7.3");
        assertThat(sink.parts).containsExactly("constant 2.5");
        assertThat(sink.skipped).isEmpty();
        assertThat(sink.unknowable).containsKeys("chunk_delta_ns", "finish_reason");
        assertThat(sink.requests).hasSize(1);
        ImportedRequest request = sink.requests.get(0);
        assertThat(request.id()).isEqualTo("r-1");
        assertThat(request.issuedNanos()).isEqualTo(1_700_000_000_000_000_000L);
        assertThat(request.isWarmup()).isFalse();
        Story story = Story.of(request);
        assertThat(story.ttft()).isEqualTo(200_000_000);
        assertThat(story.chunkDeltas()).isEmpty();
        assertThat(story.latency()).isEqualTo(312_000_000);
        assertThat(story.slip()).isEqualTo(2_000_000);
        assertThat(story.promptTokens()).isEqualTo(12);
        assertThat(story.completionTokens()).isEqualTo(5);
        assertThat(story.tpot()).isEqualTo(28_000_000);
        assertThat(request.usage().byClient()).isFalse();
    }

    @Test
    void a_target_of_a_closed_loop_is_no_due_time() throws Exception {
        ImportedRequest request = CollectingSink.read(
                        new GuideLlmFormat(),
                        report(
                                "\"scheduler_metrics\":{},",
                                "\"successful\":["
                                        + request(
                                                "a",
                                                "\"targeted_start\":1.0,\"request_start\":2.0,\"request_end\":3.5",
                                                "")
                                        + "]"))
                .requests
                .get(0);

        assertThat(request.scheduledNanos()).isNull();
        assertThat(request.chunks()).isZero();
        assertThat(request.endNanos()).isEqualTo(3_500_000_000L);
    }

    @Test
    void errored_requests_fail_and_incomplete_ones_stay_open() throws Exception {
        CollectingSink sink = CollectingSink.read(
                new GuideLlmFormat(),
                report(
                        "\"scheduler_metrics\":{},",
                        "\"successful\":[],\"incomplete\":["
                                + request(
                                        "open",
                                        "\"request_start\":1.0,\"first_token_iteration\":1.25,\"resolve_end\":2.0",
                                        "")
                                + "],\"errored\":["
                                + request("bad", "\"request_start\":1.0,\"resolve_end\":1.5", ",\"error\":\"boom\"")
                                + "]"));

        assertThat(sink.requests).extracting(ImportedRequest::outcome).containsExactly(Outcome.OPEN, Outcome.FAILED);
        assertThat(sink.requests.get(0).chunkNanos(0)).isEqualTo(1_250_000_000L);
        assertThat(sink.requests.get(0).endNanos()).isNull();
        assertThat(sink.requests.get(1).endNanos()).isEqualTo(1_500_000_000L);
        assertThat(sink.requests.get(1).error()).isEqualTo(new ErrorData("boom", "boom"));
    }

    @Test
    void requests_issued_outside_the_measured_interval_are_warm_up_wherever_the_interval_stands() throws Exception {
        String interval = "\"scheduler_metrics\":{\"measure_start_time\":10.0,\"measure_end_time\":20.0},";
        String requests = "\"successful\":[" + request("early", "\"request_start\":9.5,\"request_end\":10.5", "") + ","
                + request("in", "\"request_start\":10.0,\"request_end\":11.0", "") + ","
                + request("late", "\"request_start\":20.5,\"request_end\":21.0", "") + "]";
        String sorted = "{\"metadata\":{\"guidellm_version\":\"0.7.3\"},\"benchmarks\":[{\"requests\":{" + requests
                + "}," + interval + "\"z\":0}]}";

        for (String text : List.of(report(interval, requests), sorted)) {
            assertThat(CollectingSink.read(new GuideLlmFormat(), text).requests)
                    .extracting(ImportedRequest::isWarmup)
                    .containsExactly(true, false, true);
        }
    }

    @Test
    void token_iterations_stand_in_for_missing_output_tokens_as_the_clients_count() throws Exception {
        ImportedRequest request = CollectingSink.read(
                        new GuideLlmFormat(),
                        EXAMPLE.replace(
                                "\"output_metrics\":{\"text_tokens\":5,\"total_tokens\":5}", "\"output_metrics\":{}"))
                .requests
                .get(0);

        assertThat(request.usage().completionTokens()).isEqualTo(3);
        assertThat(request.usage().byClient()).isTrue();
    }

    @Test
    void prompts_and_answers_come_along() throws Exception {
        String text = EXAMPLE.replace(
                "\"request_id\":\"r-1\",",
                "\"request_id\":\"r-1\",\"request_args\":\"{\\\"body\\\":{\\\"prompt\\\":\\\"hi\\\"}}\",\"output\":\"a b c\",\"reasoning_output\":\"hm\",");
        ImportedRequest request =
                CollectingSink.read(new GuideLlmFormat(), text).requests.get(0);

        assertThat(request.prompt()).isEqualTo(PromptData.ofText("hi"));
        assertThat(request.output().output().joined()).isEqualTo("a b c");
        assertThat(request.output().reasoning().joined()).isEqualTo("hm");
    }

    @Test
    void figures_are_recomputed_over_the_requests_that_overlap_the_interval() throws Exception {
        String metrics =
                "\"metrics\":{\"request_latency\":{\"successful\":{\"mean\":1.25,\"count\":2,\"percentiles\":{\"p50\":1.0,\"p999\":1.5}}},"
                        + "\"inter_token_latency_ms\":{\"successful\":{\"mean\":7.5}}},"
                        + "\"scheduler_metrics\":{\"measure_start_time\":10.0,\"measure_end_time\":20.0},";
        CollectingSink sink = CollectingSink.read(
                new GuideLlmFormat(),
                report(
                        metrics,
                        "\"successful\":[" + request("a", "\"request_start\":9.5,\"request_end\":10.5", "") + ","
                                + request("b", "\"request_start\":12.0,\"request_end\":13.5", "") + ","
                                + request("c", "\"request_start\":8.0,\"request_end\":9.0", "") + "]"));

        assertThat(sink.values.get("request_latency")).containsExactly(1.0, 1.5);
        assertThat(sink.checks)
                .contains(
                        new ToolCheck("request_latency.mean", 1.25, "request_latency", Statistic.Simple.MEAN, 1, 1e-6),
                        new ToolCheck(
                                "request_latency.percentiles.p999",
                                1.5,
                                "request_latency",
                                new Statistic.FirstReached(99.9),
                                1,
                                1e-6));
        assertThat(sink.figures).containsEntry("inter_token_latency_ms.successful.mean", 7.5);
    }

    @Test
    void a_sampled_report_says_how_many_requests_are_missing_and_checks_nothing() throws Exception {
        String text = EXAMPLE.replace("\"run_index\":0", "\"run_index\":0,\"sample_size\":1")
                .replace(
                        "\"measure_end_time\":1700000001.0}",
                        "\"measure_end_time\":1700000001.0,\"requests_made\":{\"successful\":900}},"
                                + "\"metrics\":{\"request_latency\":{\"successful\":{\"mean\":1.0,\"count\":900}}}");
        CollectingSink sink = CollectingSink.read(new GuideLlmFormat(), text);

        assertThat(sink.unknowable.get("requests")).contains("1 requests").contains("900");
        assertThat(sink.checks).isEmpty();
    }

    @Test
    void a_request_without_a_start_is_skipped_by_name() throws Exception {
        CollectingSink sink = CollectingSink.read(
                new GuideLlmFormat(),
                report(
                        "\"scheduler_metrics\":{},",
                        "\"successful\":[7," + request("x", "\"request_end\":2.0", "") + ",{\"info\":{}},"
                                + request("y", "\"request_start\":\"soon\"", "") + ","
                                + request("z", "\"request_start\":1.0,\"request_end\":2.0", "") + "]"));

        assertThat(sink.requests).extracting(ImportedRequest::id).containsExactly("z");
        assertThat(sink.skipped)
                .containsOnlyKeys(
                        "record_invalid", "resolve_start_missing", "timings_missing", "request_start_invalid");
    }

    @Test
    void the_delay_of_dispatch_and_the_latency_from_the_schedule_are_recomputed() throws Exception {
        String figures = "{\"successful\":{\"count\":2,\"mean\":0.75}}";
        String metrics = "\"scheduler_metrics\":{},\"metrics\":{\"request_dispatch_delay\":" + figures
                + ",\"request_scheduled_latency\":" + figures + "},";
        String one = request("a", "\"targeted_start\":1.0,\"request_start\":1.5,\"request_end\":3.0", "");
        String two = request("b", "\"targeted_start\":2.0,\"request_start\":3.0,\"request_end\":3.5", "");
        CollectingSink sink =
                CollectingSink.read(new GuideLlmFormat(), report(metrics, "\"successful\":[" + one + "," + two + "]"));

        assertThat(sink.values)
                .containsEntry("request_dispatch_delay", List.of(0.5, 1.0))
                .containsEntry("request_scheduled_latency", List.of(2.0, 1.5));
        assertThat(sink.checks)
                .extracting(ToolCheck::series)
                .contains("request_dispatch_delay", "request_scheduled_latency");
        assertThat(sink.figures).containsEntry("request_dispatch_delay.successful.mean", 0.75);

        String closed = metrics.replace(figures, "null");
        assertThat(CollectingSink.read(new GuideLlmFormat(), report(closed, "\"successful\":[" + one + "]")).checks)
                .isEmpty();
    }
}
