package io.metricsaggregator.answer;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.event.ChunkPart;
import io.metricsaggregator.event.ErrorData;
import io.metricsaggregator.event.ModelText;
import io.metricsaggregator.event.TextModelOutput;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a server answers to one request, read from its messages: chat completions, completions and responses of the OpenAI API, messages of
 * the Anthropic API, and Triton's {@code text_output}. A message of another kind says nothing; one that is no JSON object is counted as
 * unreadable. Mutable while messages are added; one owner.
 *
 * <pre>{@code
 * Answer answer = new Answer();
 * EventStream decoder = new EventStream(event -> {
 *     if (answer.event(event) != null) {
 *         chunks.add(now);
 *     }
 * });
 * }</pre>
 */
public final class Answer {
    /** Type of an error for which the server gave none. */
    public static final String SERVER_ERROR = "ServerError";
    /** Type of {@link #error()} of an answer that has only unreadable messages. */
    public static final String UNREADABLE = "UnreadableAnswer";

    private static final String DONE = "[DONE]";
    private static final Set<String> KEEP_ALIVE = Set.of("ping", "heartbeat", "keep-alive", "keepalive");

    private final List<String> contents = new ArrayList<>();
    private final List<String> reasonings = new ArrayList<>();
    private @Nullable List<@Nullable Object> toolCalls;
    private @Nullable String finishReason;
    private AnswerUsage usage = AnswerUsage.NONE;
    private @Nullable ErrorData error;
    private long readable;
    private long unreadable;

    /** Reads a whole body: server-sent events, or one JSON object. Another text has no messages. */
    public static Answer of(@Nullable String body) {
        Answer answer = new Answer();
        if (body == null) {
            return answer;
        }
        if (isJson(body)) {
            answer.message(body);
        } else {
            EventStream decoder = new EventStream(answer::event);
            decoder.feed(body);
            decoder.end();
        }
        return answer;
    }

    /** Whether a body is one JSON object rather than server-sent events. */
    public static boolean isJson(String body) {
        return body.stripLeading().startsWith("{");
    }

    /**
     * Adds an event of a stream. An event of the type {@code error} is the error of the answer, whatever its data.
     *
     * @return which part of the answer it brings; null if it brings no content
     */
    public @Nullable ChunkPart event(ServerSentEvent event) {
        String data = event.data();
        if (event.type().equals("error")) {
            errorEvent(data == null ? event.comment() : data);
            return null;
        }
        if (data == null || data.isBlank() || data.strip().startsWith(DONE)) {
            return null;
        }
        Map<String, @Nullable Object> message = parse(data);
        if (message != null) {
            return read(message);
        }
        if (KEEP_ALIVE.contains(event.type())) {
            return null;
        }
        if (data.indexOf('\n') < 0) {
            unreadable++;
            return null;
        }
        // Servers that send one line feed between messages make one event of several messages.
        ChunkPart part = null;
        for (String line : data.split("\n", -1)) {
            part = later(part, message(line));
        }
        return part;
    }

    /**
     * Adds the JSON text of a message, or of a whole answer.
     *
     * @return which part of the answer it brings; null if it brings no content
     */
    public @Nullable ChunkPart message(String json) {
        if (json.isBlank() || json.strip().startsWith(DONE)) {
            return null;
        }
        Map<String, @Nullable Object> message = parse(json);
        if (message == null) {
            unreadable++;
            return null;
        }
        return read(message);
    }

    private @Nullable ChunkPart read(Map<String, @Nullable Object> message) {
        readable++;
        return AnswerMessages.read(message, this);
    }

    private void errorEvent(@Nullable String text) {
        Map<String, @Nullable Object> problem = text == null ? null : parse(text);
        if (problem == null) {
            failed(SERVER_ERROR, text == null ? "" : text.strip());
        } else {
            Object within = problem.get("error");
            failed(within == null ? problem : within);
        }
    }

    private static @Nullable Map<String, @Nullable Object> parse(String json) {
        if (!isJson(json)) {
            return null;
        }
        try {
            return JsonTree.readLenient(json.strip().getBytes(StandardCharsets.UTF_8));
        } catch (MalformedMessageException e) {
            return null;
        }
    }

    /** The part of a chunk that has two: a chunk with output counts as output. */
    static @Nullable ChunkPart later(@Nullable ChunkPart one, @Nullable ChunkPart other) {
        return other == null || one == ChunkPart.OUTPUT ? one : one == null || other == ChunkPart.OUTPUT ? other : one;
    }

    @Nullable
    ChunkPart text(@Nullable Object value) {
        return add(value, contents) ? ChunkPart.OUTPUT : null;
    }

    @Nullable
    ChunkPart reasoning(@Nullable Object value) {
        return add(value, reasonings) ? ChunkPart.REASONING : null;
    }

    private static boolean add(@Nullable Object value, List<String> into) {
        if (value instanceof String text && !text.isEmpty()) {
            into.add(text);
            return true;
        }
        return false;
    }

    ChunkPart toolCalls(List<?> calls) {
        if (toolCalls == null) {
            toolCalls = new ArrayList<>();
        }
        toolCalls.addAll(calls);
        return ChunkPart.TOOL_CALLS;
    }

    void finished(String reason) {
        finishReason = reason;
    }

    void used(@Nullable Object counts) {
        usage = usage.and(AnswerUsage.of(counts));
    }

    /** Takes an error object or its text; the first error of an answer counts. */
    void failed(Object problem) {
        if (!(problem instanceof Map<?, ?> fields)) {
            failed(SERVER_ERROR, String.valueOf(problem));
            return;
        }
        String type = SERVER_ERROR;
        for (String name : new String[] {"type", "code"}) {
            String value = fields.get(name) instanceof String || fields.get(name) instanceof Number
                    ? String.valueOf(fields.get(name))
                    : "";
            if (!value.isEmpty() && !value.equals("error")) {
                type = value;
                break;
            }
        }
        Object message = fields.get("message");
        failed(type, message == null ? String.valueOf(fields) : String.valueOf(message));
    }

    private void failed(String type, String message) {
        if (error == null) {
            error = new ErrorData(type, message);
        }
    }

    boolean hasContent() {
        return !contents.isEmpty() || !reasonings.isEmpty() || toolCalls != null;
    }

    /**
     * The answer; null if there was no content.
     *
     * @param chunks number of chunks whose times are known: the text is kept in pieces if there are as many
     */
    public @Nullable TextModelOutput output(int chunks) {
        if (!hasContent()) {
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

    /** Why the output ended, in the words of the OpenAI API; null if unknown. */
    public @Nullable String finishReason() {
        return finishReason;
    }

    /** The token counts that the server reported. */
    public AnswerUsage usage() {
        return usage;
    }

    /**
     * Why the answer is none: an error that came instead of it or within it, or that none of its messages can be read; null if it can be a
     * success.
     */
    public @Nullable ErrorData error() {
        if (error == null && readable == 0 && unreadable > 0) {
            return new ErrorData(UNREADABLE, "none of " + unreadable + " messages of the answer is a JSON object");
        }
        return error;
    }

    /** Number of messages that are no JSON object. */
    public long unreadable() {
        return unreadable;
    }
}
