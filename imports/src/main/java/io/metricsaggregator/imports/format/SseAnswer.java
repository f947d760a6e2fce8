package io.metricsaggregator.imports.format;

import io.metricsaggregator.event.ModelText;
import io.metricsaggregator.event.TextModelOutput;
import io.metricsaggregator.imports.json.JsonFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a response of the OpenAI API says, read from its body: server-sent events, or one JSON object if it was not streamed. What is not
 * understood is left out. Mutable while messages are added; one owner.
 */
final class SseAnswer {
    private final List<String> contents = new ArrayList<>();
    private final List<String> reasonings = new ArrayList<>();
    private @Nullable List<@Nullable Object> toolCalls;
    private @Nullable String finishReason;
    private @Nullable JsonFields usage;
    private @Nullable String error;

    /** Reads a body; empty if it is null or in another form. */
    static SseAnswer of(@Nullable String body) {
        SseAnswer answer = new SseAnswer();
        if (body != null) {
            if (body.startsWith("{")) {
                answer.message(body);
            } else {
                body.lines().forEach(answer::line);
            }
        }
        return answer;
    }

    /**
     * Adds a line of an event stream.
     *
     * @return whether it brings content: text, reasoning or a tool call
     */
    boolean line(String line) {
        return line.startsWith("data:")
                && message(line.substring("data:".length()).strip());
    }

    /**
     * Adds the JSON text of an event, or of a whole response.
     *
     * @return whether it brings content
     */
    boolean message(String json) {
        JsonFields fields = json.startsWith("{") ? Payload.parse(json) : null;
        if (fields == null) {
            return false;
        }
        if (fields.any("usage") instanceof Map<?, ?> counts) {
            usage = fields(counts);
        }
        if (fields.any("error") != null) {
            Object problem = fields.any("error");
            Object message = problem instanceof Map<?, ?> object ? object.get("message") : problem;
            error = String.valueOf(message);
        }
        if (!(fields.any("choices") instanceof List<?> choices)
                || choices.isEmpty()
                || !(choices.get(0) instanceof Map<?, ?> first)) {
            return text(fields.any("text_output"), contents);
        }
        JsonFields choice = fields(first);
        if (choice.any("finish_reason") instanceof String reason) {
            finishReason = reason;
        }
        boolean any = text(choice.any("text"), contents);
        Object body = choice.any("delta") instanceof Map ? choice.any("delta") : choice.any("message");
        return body instanceof Map<?, ?> delta ? delta(fields(delta)) || any : any;
    }

    private boolean delta(JsonFields delta) {
        boolean any = text(delta.any("content"), contents);
        Object reasoning = delta.has("reasoning_content") ? delta.any("reasoning_content") : delta.any("reasoning");
        any |= text(reasoning, reasonings);
        if (delta.any("tool_calls") instanceof List<?> calls && !calls.isEmpty()) {
            if (toolCalls == null) {
                toolCalls = new ArrayList<>();
            }
            toolCalls.addAll(Payload.list(calls));
            any = true;
        }
        return any;
    }

    private static boolean text(@Nullable Object value, List<String> into) {
        if (value instanceof String text && !text.isEmpty()) {
            into.add(text);
            return true;
        }
        return false;
    }

    @SuppressWarnings("unchecked") // JsonCursor reads names as strings
    private static JsonFields fields(Map<?, ?> map) {
        return new JsonFields((Map<String, @Nullable Object>) map);
    }

    /**
     * The answer; null if there was no content.
     *
     * @param chunks number of chunks whose times are known: the text is kept in pieces if there are as many
     */
    @Nullable
    TextModelOutput output(int chunks) {
        if (contents.isEmpty() && reasonings.isEmpty() && toolCalls == null) {
            return null;
        }
        return new TextModelOutput(
                pieces(contents, chunks), reasonings.isEmpty() ? null : pieces(reasonings, chunks), toolCalls);
    }

    private static ModelText pieces(List<String> texts, int chunks) {
        return texts.size() > 1 && texts.size() <= chunks
                ? new ModelText.Chunks(texts)
                : new ModelText.Whole(String.join("", texts));
    }

    /** Why the output ended; null if unknown. */
    @Nullable
    String finishReason() {
        return finishReason;
    }

    /** The message of an error that came instead of an answer, or within it; null for none. */
    @Nullable
    String error() {
        return error;
    }

    /** The {@code usage} that came last; null if none came. */
    @Nullable
    JsonFields usage() {
        return usage;
    }
}
