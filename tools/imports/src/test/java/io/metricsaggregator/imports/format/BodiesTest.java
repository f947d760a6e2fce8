package io.metricsaggregator.imports.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.event.ChunkPart;
import io.metricsaggregator.imports.CollectingSink;
import io.metricsaggregator.imports.ImportFormat;
import io.metricsaggregator.imports.ImportedRequest;
import io.metricsaggregator.imports.ImportedRequest.Outcome;
import io.metricsaggregator.imports.aiperf.AiperfFormat;
import io.metricsaggregator.imports.inferenceperf.InferencePerfFormat;
import io.metricsaggregator.imports.perfanalyzer.PerfAnalyzerFormat;
import io.metricsaggregator.imports.vegeta.VegetaFormat;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Answers as servers send them, in the file of every tool that keeps bodies. */
class BodiesTest {
    private static final long ISSUED = 1_700_000_000_000_000_000L;
    private static final long FIRST_READ = 100_000_000;
    private static final long BETWEEN_READS = 10_000_000;
    private static final String ROLE = delta("'role': 'assistant', 'content': null, 'reasoning_content': null");
    private static final String DONE = "data: [DONE]\n\n";

    private static String event(String data) {
        return "data: " + data.replace('\'', '"') + "\n\n";
    }

    private static String delta(String fields) {
        return event("{'choices': [{'delta': {" + fields + "}}]}");
    }

    private static long at(int read) {
        return FIRST_READ + read * BETWEEN_READS;
    }

    private static ImportedRequest only(ImportFormat format, Map<String, ?> document) throws Exception {
        CollectingSink sink =
                CollectingSink.read(format, new String(JsonTree.writeLine(document), StandardCharsets.UTF_8) + "\n");
        assertThat(sink.skipped).isEmpty();
        assertThat(sink.requests).hasSize(1);
        return sink.requests.get(0);
    }

    private static ImportedRequest perfAnalyzer(String... reads) throws Exception {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("timestamp", ISSUED);
        row.put("request_inputs", Map.of());
        row.put(
                "response_timestamps",
                IntStream.range(0, reads.length).mapToObj(i -> ISSUED + at(i)).toList());
        row.put(
                "response_outputs",
                List.of(reads).stream().map(each -> Map.of("response", each)).toList());
        return only(new PerfAnalyzerFormat(), Map.of("experiments", List.of(Map.of("requests", List.of(row)))));
    }

    /** AIPerf writes the fields of each event apart. */
    private static ImportedRequest aiperfRaw(String... events) throws Exception {
        List<Object> responses = new ArrayList<>();
        for (int i = 0; i < events.length; i++) {
            List<Object> packets = new ArrayList<>();
            for (String line : events[i].strip().split("\n")) {
                int colon = line.indexOf(':');
                String name = colon == 0 ? "comment" : line.substring(0, colon);
                packets.add(
                        Map.of("name", name, "value", line.substring(colon + 1).strip()));
            }
            responses.add(Map.of("perf_ns", 1000 + at(i), "packets", packets));
        }
        return only(
                new AiperfFormat(true),
                Map.of(
                        "metadata",
                        Map.of("request_start_ns", ISSUED, "request_end_ns", ISSUED + at(events.length)),
                        "start_perf_ns",
                        1000L,
                        "responses",
                        responses));
    }

    private static ImportedRequest vegeta(String body) throws Exception {
        String base64 = Base64.getEncoder().encodeToString(body.getBytes(StandardCharsets.UTF_8));
        return only(
                new VegetaFormat(),
                Map.of(
                        "attack",
                        "a",
                        "seq",
                        1L,
                        "code",
                        200L,
                        "timestamp",
                        "2023-11-14T22:13:20Z",
                        "latency",
                        5L,
                        "error",
                        "",
                        "body",
                        base64));
    }

    private static ImportedRequest inferencePerf(String body) throws Exception {
        String row = new String(
                JsonTree.writeLine(Map.of("start_time", 1.0, "end_time", 2.0, "info", Map.of(), "response", body)),
                StandardCharsets.UTF_8);
        return CollectingSink.read(new InferencePerfFormat(), "[" + row + "]")
                .requests
                .get(0);
    }

    /** The same answer in all files with bodies. */
    private static List<ImportedRequest> everywhere(String... events) throws Exception {
        String body = String.join("", events);
        return List.of(perfAnalyzer(events), aiperfRaw(events), vegeta(body), inferencePerf(body));
    }

    private static void assertChunks(ImportedRequest request, int... reads) {
        assertThat(IntStream.range(0, request.chunks())
                        .mapToLong(i -> request.chunkNanos(i) - ISSUED)
                        .toArray())
                .containsExactly(IntStream.of(reads).mapToLong(BodiesTest::at).toArray());
    }

    private static void assertParts(ImportedRequest request, @Nullable ChunkPart... parts) {
        assertThat(IntStream.range(0, request.chunks())
                        .mapToObj(request::chunkPart)
                        .toArray())
                .containsExactly((Object[]) parts);
    }

    @Test
    void the_first_token_is_the_first_reasoning_under_every_name() throws Exception {
        String[] events = {
            ROLE,
            delta("'content': null, 'reasoning_content': null, 'reasoning': 'Okay'"),
            delta("'content': null, 'reasoning_content': '', 'reasoning': ' so'"),
            delta("'reasoning_details': [{'type': 'reasoning.text', 'text': '.'}]"),
            delta("'content': 'yes', 'reasoning_content': null, 'reasoning': null"),
            event("{'choices': [], 'usage': {'prompt_tokens': 12, 'completion_tokens': 5}}"),
            DONE
        };
        for (ImportedRequest each : List.of(perfAnalyzer(events), aiperfRaw(events))) {
            assertChunks(each, 1, 2, 3, 4);
            assertParts(each, ChunkPart.REASONING, ChunkPart.REASONING, ChunkPart.REASONING, ChunkPart.OUTPUT);
        }
        for (ImportedRequest each : everywhere(events)) {
            assertThat(each.output().output().joined()).isEqualTo("yes");
            assertThat(each.output().reasoning().joined()).isEqualTo("Okay so.");
            assertThat(each.outcome()).isEqualTo(Outcome.SUCCEEDED);
        }
    }

    @Test
    void a_message_over_several_data_lines_is_one_chunk() throws Exception {
        String spread = "data: {\ndata:  \"choices\": [\ndata:  {\"delta\": {\"content\": \"a\"}}]}\n\n";
        for (ImportedRequest each :
                List.of(perfAnalyzer(spread, delta("'content': 'b'")), aiperfRaw(spread, delta("'content': 'b'")))) {
            assertChunks(each, 0, 1);
            assertThat(each.output().output().joined()).isEqualTo("ab");
        }
        assertThat(vegeta(spread).output().output().joined()).isEqualTo("a");
    }

    @Test
    void reads_may_cut_events_and_lines_anywhere() throws Exception {
        String stream = delta("'content': 'a'").replace("\n\n", "\r\n\r\n") + delta("'content': 'b'");
        for (int cut = 1; cut < stream.length(); cut++) {
            ImportedRequest request = perfAnalyzer(stream.substring(0, cut), stream.substring(cut));
            assertThat(request.output().output().joined()).as("cut at %d", cut).isEqualTo("ab");
        }
    }

    @Test
    void events_whose_line_feeds_the_export_left_out_are_apart() throws Exception {
        ImportedRequest request = perfAnalyzer(
                delta("'content': 'a'").strip(), delta("'content': 'b'").strip(), DONE.strip());
        assertChunks(request, 0, 1);
        assertThat(request.unreadableMessages()).isZero();
    }

    @Test
    void an_error_event_fails_the_request_in_every_file() throws Exception {
        for (String error : List.of(
                "event: error\ndata: {\"message\": \"boom\", \"code\": 500}\n\n",
                "event: error\n: boom\n\n",
                "data: {\"error\": {\"message\": \"boom\"}}\n\n",
                "event: error\ndata: {\"type\": \"error\", \"error\": {\"message\": \"boom\"}}\n\n",
                "data: {\"type\": \"response.failed\", \"response\": {\"error\": {\"message\": \"boom\"}}}\n\n")) {
            for (ImportedRequest each : everywhere(delta("'content': 'a'"), error)) {
                assertThat(each.outcome()).as(error).isEqualTo(Outcome.FAILED);
                assertThat(each.error().errorMessage()).isEqualTo("boom");
                assertThat(each.error().errorType()).isNotEmpty();
            }
        }
    }

    @Test
    void a_body_of_only_unreadable_messages_is_no_success() throws Exception {
        for (ImportedRequest each : everywhere("data: {\"choices\":[{\"delta\":{\"content\":\"a\"\n\n", DONE)) {
            assertThat(each.outcome()).isEqualTo(Outcome.FAILED);
            assertThat(each.unreadableMessages()).isEqualTo(1);
        }
        for (ImportedRequest each : everywhere(delta("'content': 'a'"), "data: {\"cho\n\n", DONE)) {
            assertThat(each.outcome()).isEqualTo(Outcome.SUCCEEDED);
            assertThat(each.unreadableMessages()).isEqualTo(1);
        }
    }

    @Test
    void the_responses_api_and_anthropic_messages_have_a_first_token() throws Exception {
        String[] responses = {
            "event: response.created\n" + event("{'type': 'response.created', 'response': {'id': 'r'}}"),
            event("{'type': 'response.reasoning_text.delta', 'delta': 'hm'}"),
            event("{'type': 'response.output_text.delta', 'delta': 'a'}"),
            event("{'type': 'response.completed', 'response': "
                    + "{'usage': {'input_tokens': 12, 'output_tokens': 5}}}")
        };
        String[] anthropic = {
            "event: message_start\n"
                    + event(
                            "{'type': 'message_start', 'message': {'usage': {'input_tokens': 12, 'output_tokens': 1}}}"),
            event("{'type': 'content_block_delta', 'delta': {'type': 'thinking_delta', 'thinking': 'hm'}}"),
            event("{'type': 'content_block_delta', 'delta': {'type': 'text_delta', 'text': 'a'}}"),
            event("{'type': 'message_delta', 'delta': {'stop_reason': 'end_turn'}, 'usage': {'output_tokens': 5}}")
        };
        for (String[] events : List.of(responses, anthropic)) {
            for (ImportedRequest each : List.of(perfAnalyzer(events), aiperfRaw(events))) {
                assertChunks(each, 1, 2);
                assertParts(each, ChunkPart.REASONING, ChunkPart.OUTPUT);
                assertThat(each.usage().promptTokens()).isEqualTo(12);
                assertThat(each.usage().completionTokens()).isEqualTo(5);
                assertThat(each.finishReason()).isEqualTo("stop");
                assertThat(each.endNanos()).isEqualTo(ISSUED + at(2));
            }
        }
    }

    @Test
    void an_answer_without_content_that_is_known_has_no_first_token_and_says_so() throws Exception {
        for (ImportedRequest each :
                List.of(perfAnalyzer(event("{'foo': 1}"), DONE), aiperfRaw(event("{'foo': 1}"), DONE))) {
            assertThat(each.outcome()).isEqualTo(Outcome.SUCCEEDED);
            assertThat(each.chunks()).isZero();
            assertThat(each.endNanos()).isEqualTo(ISSUED + at(1));
        }
    }
}
