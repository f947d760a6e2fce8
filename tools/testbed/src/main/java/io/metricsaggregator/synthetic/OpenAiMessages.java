package io.metricsaggregator.synthetic;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The JSON messages of the OpenAI protocol for one request, in the form that vLLM sends: null where vLLM sends null, keys in its order.
 * Used by the thread that answers the request.
 *
 * @param id of the answer
 * @param model name that the client asked for
 * @param created time of arrival, in seconds since the epoch
 */
record OpenAiMessages(CompletionRequest request, String id, String model, long created, double cachedShare) {

    /** A chunk with the role of the answer, which a stream of chat begins with. */
    Map<String, Object> role() {
        Map<String, @Nullable Object> delta = new LinkedHashMap<>();
        delta.put("role", "assistant");
        delta.put("content", "");
        return chunk(delta("delta", delta, null));
    }

    /** A chunk of text; the finish reason is null unless it is the last one. */
    Map<String, Object> text(String text, boolean reasoning, @Nullable String finishReason) {
        if (!request.chat()) {
            return chunk(delta("text", text, finishReason));
        }
        Map<String, @Nullable Object> delta = new LinkedHashMap<>();
        delta.put(reasoning ? "reasoning_content" : "content", text);
        return chunk(delta("delta", delta, finishReason));
    }

    /**
     * A chunk of a call's arguments.
     *
     * @param first whether it begins the call, with its id and the name of the function
     */
    Map<String, Object> call(String arguments, boolean first, @Nullable String finishReason) {
        Map<String, Object> function = new LinkedHashMap<>();
        String name = request.tool();
        if (first && name != null) {
            function.put("name", name);
        }
        function.put("arguments", arguments);
        Map<String, Object> call = new LinkedHashMap<>();
        if (first) {
            call.put("id", "call-" + id);
            call.put("type", "function");
        }
        call.put("index", 0L);
        call.put("function", function);
        Map<String, @Nullable Object> delta = new LinkedHashMap<>();
        delta.put("tool_calls", List.of(call));
        return chunk(delta("delta", delta, finishReason));
    }

    /** The chunk without choices that carries the usage. */
    Map<String, Object> usageChunk(Map<String, @Nullable Object> usage) {
        Map<String, Object> chunk = chunk(null);
        chunk.put("usage", usage);
        return chunk;
    }

    private Map<String, Object> chunk(@Nullable Map<String, @Nullable Object> choice) {
        Map<String, Object> chunk = new LinkedHashMap<>();
        chunk.put("id", id);
        chunk.put("object", request.chat() ? "chat.completion.chunk" : "text_completion");
        chunk.put("created", created);
        chunk.put("model", model);
        chunk.put("choices", choice == null ? List.of() : List.of(choice));
        return chunk;
    }

    private static Map<String, @Nullable Object> delta(String key, Object value, @Nullable String finishReason) {
        Map<String, @Nullable Object> choice = new LinkedHashMap<>();
        choice.put("index", 0L);
        choice.put(key, value);
        choice.put("logprobs", null);
        choice.put("finish_reason", finishReason);
        return choice;
    }

    /**
     * The whole answer of a request without streaming.
     *
     * @param reasoning empty if there is none
     * @param text the answer, or the arguments if the request's tool is called
     */
    Map<String, Object> whole(String reasoning, String text, String finishReason, Map<String, @Nullable Object> usage) {
        Map<String, Object> answer;
        if (request.chat()) {
            Map<String, @Nullable Object> message = new LinkedHashMap<>();
            message.put("role", "assistant");
            String tool = request.tool();
            message.put("content", tool == null ? text : null);
            if (tool != null) {
                Map<String, Object> call = new LinkedHashMap<>();
                call.put("id", "call-" + id);
                call.put("type", "function");
                call.put("function", Map.of("name", tool, "arguments", text));
                message.put("tool_calls", List.of(call));
            }
            if (!reasoning.isEmpty()) {
                message.put("reasoning_content", reasoning);
            }
            answer = chunk(delta("message", message, finishReason));
            answer.put("object", "chat.completion");
        } else {
            answer = chunk(delta("text", text, finishReason));
        }
        answer.put("usage", usage);
        return answer;
    }

    /** The usage after a number of tokens, of which {@code reasoning} were reasoning. */
    Map<String, @Nullable Object> usage(int tokens, int reasoning) {
        Map<String, @Nullable Object> usage = new LinkedHashMap<>();
        usage.put("prompt_tokens", (long) request.promptTokens());
        usage.put("total_tokens", (long) request.promptTokens() + tokens);
        usage.put("completion_tokens", (long) tokens);
        usage.put(
                "prompt_tokens_details",
                cachedShare == 0 ? null : Map.of("cached_tokens", (long) (request.promptTokens() * cachedShare)));
        if (reasoning > 0) {
            usage.put("completion_tokens_details", Map.of("reasoning_tokens", (long) reasoning));
        }
        return usage;
    }

    /** The body of an answer with an error status. */
    static Map<String, Object> error(int status, String message) {
        Map<String, @Nullable Object> error = new LinkedHashMap<>();
        error.put("message", message);
        error.put("type", status >= 500 ? "InternalServerError" : "BadRequestError");
        error.put("param", null);
        error.put("code", (long) status);
        return Map.of("error", error);
    }

    /** The body of {@code /v1/models}. */
    static Map<String, Object> models(String model, long created) {
        Map<String, @Nullable Object> one = new LinkedHashMap<>();
        one.put("id", model);
        one.put("object", "model");
        one.put("created", created);
        one.put("owned_by", "metrics-aggregator");
        one.put("root", model);
        one.put("parent", null);
        one.put("max_model_len", (long) ServerBehaviour.TOKENS_MAX);
        Map<String, Object> list = new LinkedHashMap<>();
        list.put("object", "list");
        list.put("data", List.of(one));
        return list;
    }
}
