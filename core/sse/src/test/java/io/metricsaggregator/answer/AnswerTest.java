package io.metricsaggregator.answer;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.metricsaggregator.event.ChunkPart;
import io.metricsaggregator.event.ErrorData;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AnswerTest {
    private final Answer answer = new Answer();

    private List<@Nullable ChunkPart> parts(String... messages) {
        List<@Nullable ChunkPart> parts = new ArrayList<>();
        for (String message : messages) {
            parts.add(answer.message(message.replace('\'', '"')));
        }
        return parts;
    }

    private static String delta(String fields) {
        return "{'choices': [{'index': 0, 'delta': {" + fields + "}, 'finish_reason': null}]}";
    }

    private static Answer stream(String text) {
        return Answer.of(text.replace('\'', '"'));
    }

    private String text() {
        return answer.output(0) == null ? "" : answer.output(0).output().joined();
    }

    private String reasoning() {
        return answer.output(0).reasoning().joined();
    }

    @Test
    void reasoning_counts_beside_a_null_or_empty_reasoning_content() {
        assertThat(parts(
                        delta("'role': 'assistant', 'content': null, 'reasoning_content': null, 'reasoning': null"),
                        delta("'content': null, 'reasoning_content': null, 'reasoning': 'Okay'"),
                        delta("'content': '', 'reasoning_content': '', 'reasoning': ' so'"),
                        delta("'reasoning_content': ' it', 'reasoning': ' it'"),
                        delta("'reasoning': '', 'reasoning_details': [{'type': 'reasoning.text', 'text': ' is'}]"),
                        delta("'reasoning_details': [{'type': 'reasoning.summary', 'summary': '.'}]"),
                        delta("'content': 'yes', 'reasoning_content': null, 'reasoning_details': []")))
                .containsExactly(
                        null,
                        ChunkPart.REASONING,
                        ChunkPart.REASONING,
                        ChunkPart.REASONING,
                        ChunkPart.REASONING,
                        ChunkPart.REASONING,
                        ChunkPart.OUTPUT);
        assertThat(reasoning()).isEqualTo("Okay so it is.");
        assertThat(text()).isEqualTo("yes");
    }

    @Test
    void a_role_or_a_finish_reason_alone_is_no_content() {
        assertThat(parts(
                        delta("'role': 'assistant', 'content': ''"),
                        delta("'tool_calls': []"),
                        delta("'tool_calls': [{'id': 'c'}]"),
                        "{'choices': [{'delta': {}, 'finish_reason': 'stop'}]}",
                        "{'choices': [], 'usage': {'prompt_tokens': 12, 'completion_tokens': 5, "
                                + "'prompt_tokens_details': {'cached_tokens': 8}}}",
                        "[DONE]"))
                .containsExactly(null, null, ChunkPart.TOOL_CALLS, null, null, null);
        assertThat(answer.finishReason()).isEqualTo("stop");
        assertThat(answer.usage()).isEqualTo(new AnswerUsage(12L, 5L, 8L, null, SpecDecoding.NONE));
        assertThat(answer.unreadable()).isZero();
    }

    @Test
    void a_chunk_with_output_and_another_part_is_output() {
        assertThat(parts(delta("'content': 'a', 'reasoning': 'b', 'tool_calls': [{'id': 'c'}]")))
                .containsExactly(ChunkPart.OUTPUT);
    }

    @Test
    void completions_and_tritons_text_output_are_content() {
        assertThat(parts("{'choices': [{'text': 'a'}]}", "{'text_output': 'b'}"))
                .containsExactly(ChunkPart.OUTPUT, ChunkPart.OUTPUT);
        assertThat(text()).isEqualTo("ab");
    }

    @Test
    void the_responses_api_is_read() {
        assertThat(parts(
                        "{'type': 'response.created', 'response': {'id': 'r', 'error': null}}",
                        "{'type': 'response.reasoning_summary_text.delta', 'delta': 'hm'}",
                        "{'type': 'response.reasoning_text.delta', 'delta': '.'}",
                        "{'type': 'response.output_text.delta', 'delta': 'a'}",
                        "{'type': 'response.output_text.delta', 'delta': ''}",
                        "{'type': 'response.output_text.done', 'text': 'a'}",
                        "{'type': 'response.function_call_arguments.delta', 'delta': '{}'}",
                        "{'type': 'response.completed', 'response': {'output': [{'type': 'message'}], 'usage': "
                                + "{'input_tokens': 12, 'output_tokens': 5, "
                                + "'output_tokens_details': {'reasoning_tokens': 2}}}}"))
                .containsExactly(
                        null,
                        ChunkPart.REASONING,
                        ChunkPart.REASONING,
                        ChunkPart.OUTPUT,
                        null,
                        null,
                        ChunkPart.TOOL_CALLS,
                        null);
        assertThat(text()).isEqualTo("a");
        assertThat(answer.usage()).isEqualTo(new AnswerUsage(12L, 5L, null, 2L, SpecDecoding.NONE));
        assertThat(answer.finishReason()).isEqualTo("stop");
        assertThat(answer.error()).isNull();
    }

    @Test
    void a_failed_response_is_an_error_and_an_incomplete_one_says_why() {
        parts("{'type': 'response.incomplete', 'response': {'incomplete_details': {'reason': 'max_output_tokens'}}}");
        assertThat(answer.finishReason()).isEqualTo("length");
        parts("{'type': 'response.failed', 'response': {'error': {'code': 'server_error', 'message': 'boom'}}}");
        assertThat(answer.error()).isEqualTo(new ErrorData("server_error", "boom"));
    }

    @Test
    void anthropic_messages_are_read() {
        assertThat(parts(
                        "{'type': 'message_start', 'message': {'usage': {'input_tokens': 12, 'output_tokens': 1, "
                                + "'cache_read_input_tokens': 8}}}",
                        "{'type': 'ping'}",
                        "{'type': 'content_block_start', 'content_block': {'type': 'text', 'text': ''}}",
                        "{'type': 'content_block_delta', 'delta': {'type': 'thinking_delta', 'thinking': 'hm'}}",
                        "{'type': 'content_block_delta', 'delta': {'type': 'text_delta', 'text': 'a'}}",
                        "{'type': 'content_block_delta', 'delta': {'type': 'input_json_delta', 'partial_json': '{'}}",
                        "{'type': 'message_delta', 'delta': {'stop_reason': 'max_tokens'}, 'usage': {'output_tokens': 5}}",
                        "{'type': 'message_stop'}"))
                .containsExactly(
                        null, null, null, ChunkPart.REASONING, ChunkPart.OUTPUT, ChunkPart.TOOL_CALLS, null, null);
        assertThat(answer.usage()).isEqualTo(new AnswerUsage(20L, 5L, 8L, null, SpecDecoding.NONE));
        assertThat(answer.finishReason()).isEqualTo("length");
        parts("{'type': 'error', 'error': {'type': 'overloaded_error', 'message': 'Overloaded'}}");
        assertThat(answer.error()).isEqualTo(new ErrorData("overloaded_error", "Overloaded"));
    }

    @Test
    void whole_answers_of_all_apis_are_content() {
        for (String body : List.of(
                "{'choices': [{'message': {'content': 'a', 'reasoning': 'b'}, 'finish_reason': 'stop'}]}",
                "{'object': 'response', 'status': 'completed', 'output': [{'type': 'reasoning', 'summary': "
                        + "[{'type': 'summary_text', 'text': 'b'}]}, {'type': 'message', 'content': "
                        + "[{'type': 'output_text', 'text': 'a'}]}]}",
                "{'type': 'message', 'content': [{'type': 'thinking', 'thinking': 'b'}, "
                        + "{'type': 'text', 'text': 'a'}], 'stop_reason': 'end_turn'}")) {
            Answer whole = stream(body);
            assertThat(whole.output(0).output().joined()).as(body).isEqualTo("a");
            assertThat(whole.output(0).reasoning().joined()).as(body).isEqualTo("b");
            assertThat(whole.finishReason()).as(body).isEqualTo("stop");
        }
    }

    @Test
    void an_event_of_type_error_is_an_error_whatever_its_data() {
        assertThat(stream("event: error\ndata: {'message': 'boom', 'code': 500}\n\n")
                        .error())
                .isEqualTo(new ErrorData("500", "boom"));
        assertThat(stream("event: error\ndata: {'error': {'type': 'x', 'message': 'boom'}}\n\n")
                        .error())
                .isEqualTo(new ErrorData("x", "boom"));
        assertThat(stream("event: error\ndata: boom\n\n").error()).isEqualTo(new ErrorData("ServerError", "boom"));
        assertThat(stream("event: error\n: engine died\n\n").error())
                .isEqualTo(new ErrorData("ServerError", "engine died"));
        assertThat(stream("event:error\n\n").error()).isEqualTo(new ErrorData("ServerError", ""));
    }

    @Test
    void an_error_in_a_message_is_an_error_and_an_empty_one_is_none() {
        assertThat(stream("data: {'error': {'message': 'boom'}}\n\n").error())
                .isEqualTo(new ErrorData("ServerError", "boom"));
        assertThat(stream("{'object': 'error', 'message': 'boom', 'type': 'BadRequestError', 'code': 400}")
                        .error())
                .isEqualTo(new ErrorData("BadRequestError", "boom"));
        for (String none : List.of("null", "''", "false", "{}")) {
            assertThat(stream("data: {'error': " + none + ", 'choices': []}\n\n")
                            .error())
                    .as(none)
                    .isNull();
        }
    }

    @Test
    void an_event_over_several_data_lines_is_one_message() {
        Answer spread = stream("data: {\ndata:  'choices': [\ndata: {'delta': {'content': 'a'}}]}\n\n");
        assertThat(spread.output(0).output().joined()).isEqualTo("a");
        assertThat(spread.unreadable()).isZero();
    }

    @Test
    void messages_with_one_line_feed_between_them_are_read_one_by_one() {
        Answer glued = stream("data: {'text_output': 'a'}\ndata: {'text_output': 'b'}\ndata: [DONE]\n\n");
        assertThat(glued.output(0).output().joined()).isEqualTo("ab");
        assertThat(glued.unreadable()).isZero();
    }

    @Test
    void unreadable_messages_are_counted_and_an_answer_of_only_these_is_an_error() {
        Answer some = stream("data: {'text_output': 'a'}\n\ndata: {'text_out\n\ndata: text\n\ndata: [DONE]\n\n");
        assertThat(some.unreadable()).isEqualTo(2);
        assertThat(some.error()).isNull();
        Answer none = stream("data: {'choices':[{'delta':{'content':'a'\n\ndata: [DONE]\n\n");
        assertThat(none.error()).isNotNull();
        assertThat(none.error().errorType()).isEqualTo(AnswerReader.UNREADABLE);
        assertThat(stream("<html>busy</html>").error()).isNull();
        assertThat(stream("event: ping\ndata: now\n\n").unreadable()).isZero();
    }

    @Test
    void what_python_writes_and_standard_json_does_not_allow_is_read() {
        assertThat(parts("{'choices': [{'text': 'a', 'logprob': NaN, 'x': 1, 'x': 2}], 'y': -Infinity}"))
                .containsExactly(ChunkPart.OUTPUT);
    }

    @Test
    void an_event_of_countless_messages_is_read_no_further_than_sixty_four() {
        Answer glued = stream("data: {\n".repeat(10_000) + "\n");
        assertThat(glued.unreadable()).isEqualTo(64);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'id': 'a1', 'choices': []}",
                "{'id': '', 'choices': []} {'id': 'a1', 'choices': []} {'id': 'a2', 'choices': []}",
                "{'type': 'response.created', 'response': {'id': 'a1'}} {'type': 'response.output_item.added', 'item': {'id': 'i1'}}",
                "{'id': 'a1', 'object': 'response', 'output': []}",
                "{'type': 'message_start', 'message': {'id': 'a1'}} {'type': 'content_block_start', 'content_block': {'id': 't1'}}"
            })
    void the_first_id_that_the_server_gives_the_answer_is_its_id(String messages) {
        AnswerReader reader = new AnswerReader();
        assertThat(reader.id()).isNull();
        for (String message : messages.split("(?<=}) (?=\\{)")) {
            reader.message(message.replace('\'', '"'));
        }
        assertThat(reader.id()).isEqualTo("a1");
    }

    @Test
    void a_message_that_is_too_large_or_too_deep_is_counted_and_its_vectors_are_no_objects() {
        byte[] large = new byte[AnswerReader.MESSAGE_BYTES_MAX + 1];
        Arrays.fill(large, (byte) ' ');
        large[0] = '{';
        large[1] = '}';
        AnswerReader reader = new AnswerReader();
        reader.message(large, 0, large.length);
        String nested = "[".repeat(100_000);
        reader.message("{\"a\":" + nested);
        reader.message("{\"embedding\":" + nested);
        reader.message("{\"data\":[{\"embedding\":[0.5");
        assertThat(reader.unreadable()).isEqualTo(4);
        byte[] vectors = ("{\"model\":\"m\",\"data\":[{\"embedding\":[0" + ",0.123456789".repeat(100_000) + "]}]}")
                .getBytes(StandardCharsets.UTF_8);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        reader.message(vectors, 0, vectors.length);
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(vectors.length / 2);
        assertThat(reader.model()).isEqualTo("m");
    }

    @Test
    void arguments_of_a_tool_keep_a_field_that_has_the_name_of_a_vector() {
        Answer whole = stream("{'type': 'message', 'content': [{'type': 'tool_use', 'input': {'embedding': 1}}]}");
        assertThat(whole.output(0).toolCalls())
                .containsExactly(Map.of("type", "tool_use", "input", Map.of("embedding", 1L)));
    }
}
