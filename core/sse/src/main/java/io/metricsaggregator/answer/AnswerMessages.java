package io.metricsaggregator.answer;

import io.metricsaggregator.event.ChunkPart;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads one message of a server by the API it belongs to. Stateless. */
final class AnswerMessages {
    /** Part of the content in {@code delta}, by the type of an event of the responses API. */
    private static final Map<String, ChunkPart> RESPONSES = Map.of(
            "response.output_text.delta", ChunkPart.OUTPUT,
            "response.refusal.delta", ChunkPart.OUTPUT,
            "response.reasoning_text.delta", ChunkPart.REASONING,
            "response.reasoning.delta", ChunkPart.REASONING,
            "response.reasoning_summary_text.delta", ChunkPart.REASONING,
            "response.function_call_arguments.delta", ChunkPart.TOOL_CALLS,
            "response.custom_tool_call_input.delta", ChunkPart.TOOL_CALLS,
            "response.mcp_call_arguments.delta", ChunkPart.TOOL_CALLS,
            "response.code_interpreter_call_code.delta", ChunkPart.TOOL_CALLS);

    private static final Map<String, String> FINISH_REASONS = Map.of(
            "end_turn", "stop",
            "stop_sequence", "stop",
            "max_tokens", "length",
            "max_output_tokens", "length",
            "model_context_window_exceeded", "length",
            "tool_use", "tool_calls",
            "refusal", "content_filter");

    /** Items of a response that the client has to answer; calls of the server's own tools do not end the response. */
    private static final Set<String> CALLS = Set.of("function_call", "custom_tool_call");

    private AnswerMessages() {}

    /** Adds a message to the answer; returns the part of its content, null if it has none. */
    static @Nullable ChunkPart read(Map<String, @Nullable Object> message, AnswerReader answer) {
        Object error = error(message);
        if (error != null) {
            answer.failed(error);
        }
        answer.used(message.get("usage"));
        answer.answeredBy(message.get("model"));
        answer.named(message.get("id"));
        Object type = message.get("type");
        if (message.get("choices") instanceof List<?> choices) {
            return choices(choices, answer);
        }
        if ("error".equals(message.get("object")) || "error".equals(type)) {
            answer.failed(error == null ? message : error);
            return null;
        }
        if (type instanceof String name && name.startsWith("response.")) {
            return response(name, message, answer);
        }
        if ("response".equals(message.get("object"))) {
            return wholeResponse(message, answer);
        }
        if (message.get("meta_info") instanceof Map<?, ?> meta) {
            return generated(message, meta, answer);
        }
        return type instanceof String name ? anthropic(name, message, answer) : answer.text(message.get("text_output"));
    }

    /** SGLang's own API: a text that grows from message to message, or token ids without one, and what was counted so far. */
    private static @Nullable ChunkPart generated(
            Map<String, @Nullable Object> message, Map<?, ?> meta, AnswerReader answer) {
        Long before = answer.usage().completionTokens();
        answer.used(meta);
        if (meta.get("finish_reason") instanceof Map<?, ?> reason && reason.get("type") instanceof String type) {
            if (type.equals("abort")) {
                Object text = reason.get("message");
                answer.failed(Map.of("type", type, "message", text == null ? "" : text));
            } else {
                answer.finished(type);
            }
        }
        if (message.get("text") instanceof String text) {
            return answer.generated(text);
        }
        Long after = answer.usage().completionTokens();
        return message.get("output_ids") instanceof List<?> ids && !ids.isEmpty() && !Objects.equals(before, after)
                ? ChunkPart.OUTPUT
                : null;
    }

    /** The error of a message; null if it has none, also where a server writes the field empty. */
    private static @Nullable Object error(Map<String, @Nullable Object> message) {
        Object error = message.get("error");
        return error == null || error.equals("") || error.equals(false) || error.equals(Map.of()) ? null : error;
    }

    private static @Nullable ChunkPart choices(List<?> choices, AnswerReader answer) {
        ChunkPart part = null;
        for (Object each : choices) {
            if (each instanceof Map<?, ?> choice) {
                if (choice.get("finish_reason") instanceof String reason) {
                    answer.finished(reason);
                }
                part = AnswerReader.later(part, answer.text(choice.get("text")));
                Object body = choice.get("delta") instanceof Map ? choice.get("delta") : choice.get("message");
                part = body instanceof Map<?, ?> delta ? AnswerReader.later(part, delta(delta, answer)) : part;
            }
        }
        return part;
    }

    private static @Nullable ChunkPart delta(Map<?, ?> delta, AnswerReader answer) {
        // Servers that write every field send null or an empty string in those that they do not use.
        ChunkPart part = answer.reasoning(delta.get("reasoning_content"));
        part = part == null ? answer.reasoning(delta.get("reasoning")) : part;
        part = part == null && delta.get("reasoning_details") instanceof List<?> details
                ? blocks(details, answer, ChunkPart.REASONING)
                : part;
        part = AnswerReader.later(part, calls(delta.get("tool_calls"), answer));
        part = AnswerReader.later(part, calls(delta.get("function_call"), answer));
        ChunkPart text = delta.get("content") instanceof List<?> blocks
                ? blocks(blocks, answer, ChunkPart.OUTPUT)
                : answer.text(delta.get("content"));
        return AnswerReader.later(part, text == null ? answer.text(delta.get("refusal")) : text);
    }

    private static @Nullable ChunkPart calls(@Nullable Object calls, AnswerReader answer) {
        if (calls instanceof Map<?, ?> call && !call.isEmpty()) {
            return answer.toolCalls(List.of(call));
        }
        return calls instanceof List<?> list && !list.isEmpty() ? answer.toolCalls(list) : null;
    }

    /**
     * Adds typed blocks of content, such as {@code {"type": "text", "text": "a"}}.
     *
     * @param part what a block is unless its type says otherwise
     */
    private static @Nullable ChunkPart blocks(List<?> blocks, AnswerReader answer, ChunkPart part) {
        ChunkPart any = null;
        for (Object each : blocks) {
            if (!(each instanceof Map<?, ?> block)) {
                continue;
            }
            String type = String.valueOf(block.get("type"));
            boolean reasoning = part == ChunkPart.REASONING || type.contains("thinking") || type.contains("reasoning");
            if (type.equals("tool_use") || CALLS.contains(type)) {
                any = AnswerReader.later(any, answer.toolCalls(List.of(block)));
                continue;
            }
            for (String name : new String[] {"text", "thinking", "summary", "content", "data", "refusal"}) {
                Object value = block.get(name);
                ChunkPart found = value instanceof List<?> nested
                        ? blocks(nested, answer, reasoning ? ChunkPart.REASONING : ChunkPart.OUTPUT)
                        : reasoning ? answer.reasoning(value) : answer.text(value);
                any = AnswerReader.later(any, found);
            }
        }
        return any;
    }

    private static @Nullable ChunkPart response(
            String type, Map<String, @Nullable Object> message, AnswerReader answer) {
        ChunkPart part = RESPONSES.get(type);
        if (part != null) {
            return part(part, message.get("delta"), answer);
        }
        if (message.get("response") instanceof Map<?, ?> response) {
            answer.used(response.get("usage"));
            answer.answeredBy(response.get("model"));
            answer.named(response.get("id"));
            boolean ended = type.equals("response.completed") || type.equals("response.incomplete");
            if (type.equals("response.failed")) {
                Object error = response.get("error");
                answer.failed(error == null ? type : error);
            } else if (ended) {
                ended(response, answer);
            }
        } else if (type.equals("response.failed")) {
            answer.failed(type);
        }
        return null;
    }

    private static void ended(Map<?, ?> response, AnswerReader answer) {
        Object reason = response.get("incomplete_details") instanceof Map<?, ?> details ? details.get("reason") : null;
        if (reason instanceof String text) {
            answer.finished(finishReason(text));
            return;
        }
        boolean called = response.get("output") instanceof List<?> output
                && output.stream()
                        .anyMatch(each ->
                                each instanceof Map<?, ?> item && CALLS.contains(String.valueOf(item.get("type"))));
        answer.finished(called ? "tool_calls" : "stop");
    }

    private static @Nullable ChunkPart wholeResponse(Map<String, @Nullable Object> response, AnswerReader answer) {
        if ("failed".equals(response.get("status"))) {
            answer.failed("the status of the response is failed");
            return null;
        }
        ended(response, answer);
        return response.get("output") instanceof List<?> output ? blocks(output, answer, ChunkPart.OUTPUT) : null;
    }

    private static @Nullable ChunkPart anthropic(
            String type, Map<String, @Nullable Object> message, AnswerReader answer) {
        Object delta = message.get("delta");
        switch (type) {
            case "content_block_delta" -> {
                return delta instanceof Map<?, ?> fields ? blockDelta(fields, answer) : null;
            }
            case "message_start" -> {
                if (message.get("message") instanceof Map<?, ?> start) {
                    answer.used(start.get("usage"));
                    answer.answeredBy(start.get("model"));
                    answer.named(start.get("id"));
                }
            }
            case "message_delta" -> {
                if (delta instanceof Map<?, ?> fields && fields.get("stop_reason") instanceof String reason) {
                    answer.finished(finishReason(reason));
                }
            }
            case "message" -> {
                if (message.get("stop_reason") instanceof String reason) {
                    answer.finished(finishReason(reason));
                }
                return message.get("content") instanceof List<?> content
                        ? blocks(content, answer, ChunkPart.OUTPUT)
                        : null;
            }
            default -> {
                // Pings and the bounds of blocks bring nothing.
            }
        }
        return null;
    }

    private static @Nullable ChunkPart blockDelta(Map<?, ?> delta, AnswerReader answer) {
        return switch (String.valueOf(delta.get("type"))) {
            case "text_delta" -> part(ChunkPart.OUTPUT, delta.get("text"), answer);
            case "thinking_delta" -> part(ChunkPart.REASONING, delta.get("thinking"), answer);
            case "input_json_delta" -> part(ChunkPart.TOOL_CALLS, delta.get("partial_json"), answer);
            default -> null;
        };
    }

    private static @Nullable ChunkPart part(ChunkPart part, @Nullable Object text, AnswerReader answer) {
        return switch (part) {
            case OUTPUT -> answer.text(text);
            case REASONING -> answer.reasoning(text);
            case TOOL_CALLS ->
                text instanceof String piece && !piece.isEmpty() ? answer.toolCalls(List.of(piece)) : null;
        };
    }

    private static String finishReason(String reason) {
        return FINISH_REASONS.getOrDefault(reason, reason);
    }
}
