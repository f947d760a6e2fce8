package io.metricsaggregator.imports.perfanalyzer;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.ModelText;
import io.metricsaggregator.event.PromptData;
import io.metricsaggregator.imports.CollectingSink;
import io.metricsaggregator.imports.ImportedRequest;
import io.metricsaggregator.imports.ImportedRequest.Outcome;
import io.metricsaggregator.imports.SourceKind;
import io.metricsaggregator.imports.format.Formats;
import io.metricsaggregator.imports.format.Story;
import java.util.List;
import org.junit.jupiter.api.Test;

public class PerfAnalyzerFormatTest {
    public static final String EXAMPLE = """
            {"experiments":[{"experiment":{"mode":"concurrency","value":1},"requests":[{"timestamp":1700000000000000000,"request_inputs":{"payload":"{}"},
            "response_timestamps":[1700000000200000000,1700000000250000000,1700000000310000000,1700000000312000000],"response_outputs":[
            {"response":"data: {\\"choices\\":[{\\"delta\\":{\\"content\\":\\"a\\"}}]}\\n\\n"},{"response":"data: {\\"choices\\":[{\\"delta\\":{\\"content\\":\\" b\\"}}]}\\n\\n"},
            {"response":"data: {\\"choices\\":[{\\"delta\\":{\\"content\\":\\" c\\"}}]}\\n\\n"},{"response":"data: [DONE]\\n\\n"}]}],"window_boundaries":[]}],
            "version":"2.60","service_kind":"openai","endpoint":"v1/chat/completions"}
            """;

    private static ImportedRequest request(String inputs, String times, String outputs) throws Exception {
        CollectingSink sink = CollectingSink.read(
                new PerfAnalyzerFormat(),
                "{\"experiments\":[{\"experiment\":{},\"requests\":[{\"timestamp\":1000,\"request_inputs\":" + inputs
                        + ",\"response_timestamps\":" + times + ",\"response_outputs\":" + outputs + "}]}]}");
        assertThat(sink.skipped).isEmpty();
        return sink.requests.get(0);
    }

    private static String event(String content) {
        return "data: {\\\"choices\\\":[{\\\"delta\\\":{\\\"content\\\":\\\"" + content + "\\\"}}]}\\n\\n";
    }

    @Test
    void the_example_gives_the_story_without_the_end_of_the_stream() throws Exception {
        CollectingSink sink = CollectingSink.read(new PerfAnalyzerFormat(), EXAMPLE);

        assertThat(Formats.recognising(CollectingSink.source(EXAMPLE).head())).isInstanceOf(PerfAnalyzerFormat.class);
        assertThat(sink.kind).isEqualTo(SourceKind.CHUNKS);
        assertThat(sink.toolVersion).isEqualTo("2.60");
        assertThat(sink.parts).containsExactly("concurrency 1");
        assertThat(sink.skipped).isEmpty();
        ImportedRequest request = sink.requests.get(0);
        Story story = Story.of(request);
        assertThat(story.ttft()).isEqualTo(200_000_000);
        assertThat(story.chunkDeltas()).containsExactly(50_000_000, 60_000_000);
        assertThat(story.latency()).isEqualTo(310_000_000);
        assertThat(story.completionTokens()).isNull();
        assertThat(request.streamEndNanos()).isEqualTo(1_700_000_000_312_000_000L);
        assertThat(request.output().output()).isEqualTo(new ModelText.Chunks(List.of("a", " b", " c")));
    }

    @Test
    void several_events_of_one_read_are_one_chunk() throws Exception {
        ImportedRequest request = request(
                "{}",
                "[2000,3000]",
                "[{\"response\":\"" + event("a") + event("b") + "\"},{\"response\":\"" + event("c")
                        + "data: [DONE]\\n\\n\"}]");

        assertThat(request.chunks()).isEqualTo(2);
        assertThat(request.endNanos()).isEqualTo(3000);
        assertThat(request.output().output().joined()).isEqualTo("abc");
    }

    @Test
    void an_event_in_two_reads_has_the_time_of_its_start() throws Exception {
        String event = event("abc");
        ImportedRequest request = request(
                "{}",
                "[2000,3000,4000]",
                "[{\"response\":\"" + event.substring(0, 20) + "\"},{\"response\":\"" + event.substring(20)
                        + "\"},{\"response\":\"" + event("d") + "\"}]");

        assertThat(request.chunks()).isEqualTo(2);
        assertThat(request.chunkNanos(0)).isEqualTo(2000);
        assertThat(request.chunkNanos(1)).isEqualTo(4000);
        assertThat(request.output().output().joined()).isEqualTo("abcd");
    }

    @Test
    void role_usage_and_done_are_no_chunks_but_tell_usage_and_finish_reason() throws Exception {
        String role =
                "data: {\\\"choices\\\":[{\\\"delta\\\":{\\\"role\\\":\\\"assistant\\\",\\\"content\\\":\\\"\\\"}}]}\\n\\n";
        String last = "data: {\\\"choices\\\":[{\\\"delta\\\":{},\\\"finish_reason\\\":\\\"length\\\"}]}\\n\\n";
        String usage = "data: {\\\"choices\\\":[],\\\"usage\\\":{\\\"prompt_tokens\\\":12,\\\"completion_tokens\\\":5,"
                + "\\\"prompt_tokens_details\\\":{\\\"cached_tokens\\\":8}}}\\n\\n";
        ImportedRequest request = request(
                "{}",
                "[1100,2000,3000,4000]",
                "[{\"response\":\"" + role + "\"},{\"response\":\"" + event("a") + "\"},{\"response\":\"" + last
                        + "\"},{\"response\":\"" + usage + "data: [DONE]\\n\\n\"}]");

        assertThat(request.chunks()).isEqualTo(1);
        assertThat(request.chunkNanos(0)).isEqualTo(2000);
        assertThat(request.finishReason()).isEqualTo("length");
        assertThat(request.usage().promptTokens()).isEqualTo(12);
        assertThat(request.usage().cachedTokens()).isEqualTo(8);
    }

    @Test
    void an_error_event_fails_the_request() throws Exception {
        ImportedRequest request = request(
                "{}", "[2000]", "[{\"response\":\"data: {\\\"error\\\":{\\\"message\\\":\\\"full\\\"}}\\n\\n\"}]");

        assertThat(request.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(request.error().errorMessage()).isEqualTo("full");
    }

    @Test
    void outputs_of_triton_are_chunks_unless_they_are_empty() throws Exception {
        ImportedRequest request = request(
                "{\"text_input\":\"hi\"}",
                "[2000,3000,4000]",
                "[{\"text_output\":\"a\"},{\"output_ids\":[5]},{\"text_output\":\"\"}]");

        assertThat(request.chunks()).isEqualTo(2);
        assertThat(request.prompt()).isEqualTo(PromptData.ofText("hi"));
        assertThat(request.endNanos()).isEqualTo(3000);
    }

    @Test
    void a_request_without_a_response_stays_open() throws Exception {
        assertThat(request("{}", "[]", "[]").outcome()).isEqualTo(Outcome.OPEN);
    }

    @Test
    void damaged_requests_are_skipped_by_name() throws Exception {
        CollectingSink sink = CollectingSink.read(
                new PerfAnalyzerFormat(),
                "{\"experiments\":[3,{\"experiment\":{\"mode\":\"request_rate\",\"value\":2.5},\"requests\":[{},"
                        + "{\"response_timestamps\":[1]},{\"timestamp\":1,\"response_timestamps\":[1.5]}]}]}");

        assertThat(sink.parts).containsExactly("request rate 2.5");
        assertThat(sink.skipped)
                .containsOnlyKeys(
                        "experiment_invalid",
                        "response_timestamps_missing",
                        "timestamp_missing",
                        "response_timestamps_invalid");
    }
}
