package io.metricsaggregator.synthetic;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.codec.MalformedMessageException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request for a completion.
 *
 * @param chat whether it came to {@code /v1/chat/completions}
 * @param model the model's name as the client wrote it, any text up to 200 characters; null if absent
 * @param stream whether the answer is to be streamed
 * @param includeUsage whether the stream is to end with a chunk of usage
 * @param usageInEveryChunk whether each chunk is to carry the usage so far, an extension of vLLM
 * @param messages number of messages of a chat, 1 for a completion
 * @param promptTokens tokens of the prompt, estimated by {@link PromptTokens}, or the number of token ids given
 * @param tokensMin least number of tokens to answer with, 0 if not given
 * @param tokensMax limit of tokens to answer with; null if not given
 * @param ignoreEnd whether to answer with as many tokens as the limit allows
 * @param tool name of the function to call instead of answering with text: the first of a chat that offers some, unless its last message is the
 *     result of one; null if none
 */
record CompletionRequest(
        boolean chat,
        @Nullable String model,
        boolean stream,
        boolean includeUsage,
        boolean usageInEveryChunk,
        int messages,
        int promptTokens,
        int tokensMin,
        @Nullable Integer tokensMax,
        boolean ignoreEnd,
        @Nullable String tool) {

    private static final int MODEL_MAX_CHARS = 200;

    /**
     * Reads the body of a request.
     *
     * @throws RequestRejected with status 400 if it is not a request that the server can answer
     */
    static CompletionRequest read(byte[] body, boolean chat) throws RequestRejected {
        Map<String, @Nullable Object> json;
        try {
            json = JsonTree.read(body);
        } catch (MalformedMessageException e) {
            throw new RequestRejected(400, "the request body is not a JSON object: " + e.getMessage());
        }
        if (json.get("n") instanceof Long n && n != 1) {
            throw new RequestRejected(400, "n: " + n + " answers to one prompt are not supported, only 1");
        }
        if (json.get("model") instanceof String name && name.length() > MODEL_MAX_CHARS) {
            throw new RequestRejected(400, "model: the name has " + name.length() + " characters, more than 200");
        }
        Integer limit = limit(json, "max_completion_tokens");
        if (limit == null) {
            limit = limit(json, "max_tokens");
        }
        Integer least = limit(json, "min_tokens");
        if (least != null && limit != null && least > limit) {
            throw new RequestRejected(400, "min_tokens: " + least + " is above the limit of " + limit + " tokens");
        }
        Map<?, ?> streaming = json.get("stream_options") instanceof Map<?, ?> options ? options : Map.of();
        return new CompletionRequest(
                chat,
                json.get("model") instanceof String name ? name : null,
                Boolean.TRUE.equals(json.get("stream")),
                Boolean.TRUE.equals(streaming.get("include_usage")),
                Boolean.TRUE.equals(streaming.get("continuous_usage_stats")),
                chat && json.get("messages") instanceof List<?> list ? list.size() : 1,
                chat ? chatTokens(json.get("messages")) : promptTokens(json.get("prompt")),
                least == null ? 0 : least,
                limit,
                Boolean.TRUE.equals(json.get("ignore_eos")),
                chat ? tool(json) : null);
    }

    /** The function to call; a list of tools that is none, or whose first element names no function, counts as absent. */
    private static @Nullable String tool(Map<String, @Nullable Object> json) {
        if (!(json.get("tools") instanceof List<?> tools)
                || tools.isEmpty()
                || "none".equals(json.get("tool_choice"))) {
            return null;
        }
        boolean isResult = json.get("messages") instanceof List<?> messages
                && messages.get(messages.size() - 1) instanceof Map<?, ?> last
                && "tool".equals(last.get("role"));
        return !isResult
                        && tools.get(0) instanceof Map<?, ?> first
                        && first.get("function") instanceof Map<?, ?> function
                        && function.get("name") instanceof String name
                ? name
                : null;
    }

    private static @Nullable Integer limit(Map<String, @Nullable Object> json, String key) throws RequestRejected {
        Object value = json.get(key);
        if (value == null) {
            return null;
        }
        if (value instanceof Long number && number >= 0 && number <= ServerBehaviour.TOKENS_MAX) {
            return number.intValue() == 0 ? null : Integer.valueOf(number.intValue());
        }
        throw new RequestRejected(
                400, key + ": " + value + " is not an integer between 1 and " + ServerBehaviour.TOKENS_MAX);
    }

    private static int chatTokens(@Nullable Object messages) throws RequestRejected {
        if (!(messages instanceof List<?> list) || list.isEmpty()) {
            throw new RequestRejected(400, "messages: a list of at least one message is required");
        }
        int tokens = 0;
        for (Object each : list) {
            if (!(each instanceof Map<?, ?> message)) {
                throw new RequestRejected(400, "messages: an element is not an object");
            }
            tokens += PromptTokens.ofMessage(message.get("content"));
        }
        return tokens;
    }

    private static int promptTokens(@Nullable Object prompt) throws RequestRejected {
        Object one = prompt;
        if (prompt instanceof List<?> list && !list.isEmpty() && !(list.get(0) instanceof Long)) {
            if (list.size() > 1) {
                throw new RequestRejected(
                        400, "prompt: " + list.size() + " prompts in one request, only 1 is supported");
            }
            one = list.get(0);
        }
        if (one instanceof String text) {
            return PromptTokens.ofText(text);
        }
        if (one instanceof List<?> ids && !ids.isEmpty() && ids.stream().allMatch(Long.class::isInstance)) {
            return ids.size();
        }
        throw new RequestRejected(400, "prompt: a text or a list of token ids is required");
    }
}
