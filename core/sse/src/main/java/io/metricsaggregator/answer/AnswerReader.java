package io.metricsaggregator.answer;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.event.ChunkPart;
import io.metricsaggregator.event.ErrorData;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the answer to one request, message by message: chat completions, completions, responses and embeddings of the OpenAI API, messages
 * of the Anthropic API, {@code /generate} of SGLang, and Triton's {@code text_output}. Each call says which part of the answer a message
 * brings; the getters say what is known so far. A message of another kind says nothing. One that is no JSON object, is nested deeper than
 * 500 values or has more than {@value #MESSAGE_BYTES_MAX} bytes is counted as unreadable. Nothing a server sends throws. One owner.
 *
 * <pre>{@code
 * AnswerReader reader = new AnswerReader();
 * EventStream stream = new EventStream((event, feed) -> {
 *     ChunkPart part = reader.event(event);
 *     if (part != null) {
 *         chunk(part, now);
 *     }
 * });
 * }</pre>
 */
public final class AnswerReader {
    /** Type of an error for which the server gave none. */
    public static final String SERVER_ERROR = "ServerError";
    /** Type of {@link #error()} of an answer that has only unreadable messages. */
    public static final String UNREADABLE = "UnreadableAnswer";
    /** Bytes of a message, or of a whole body, that are read. */
    public static final int MESSAGE_BYTES_MAX = 16 << 20;

    private static final String DONE = "[DONE]";
    /** Types of the events after which the APIs of messages and responses send nothing. */
    private static final Set<String> LAST =
            Set.of("message_stop", "response.completed", "response.incomplete", "response.failed");
    /** Messages of one event that are read one by one; the others together are one that cannot be read. */
    private static final int LINES_MAX = 64;

    private static final Set<String> KEEP_ALIVE = Set.of("ping", "heartbeat", "keep-alive", "keepalive");
    /** Large values that say nothing here: no objects are made of them. */
    private static final Set<String> NOT_READ = Set.of(
            "embedding",
            "logprobs",
            "prompt_logprobs",
            "token_ids",
            "prompt_token_ids",
            "input_token_logprobs",
            "output_token_logprobs",
            "input_top_logprobs",
            "output_top_logprobs",
            "hidden_states");

    private static final Texts NO_TEXTS = new Texts() {
        @Override
        public void output(String piece) {}

        @Override
        public void reasoning(String piece) {}

        @Override
        public void toolCalls(List<?> calls) {}
    };

    private final Texts texts;
    private @Nullable String finishReason;
    private @Nullable String model;
    private @Nullable String id;
    private AnswerUsage usage = AnswerUsage.NONE;
    private final ServerClock server = new ServerClock();
    private @Nullable ErrorData error;
    private long readable;
    private long unreadable;
    private String generated = "";
    private boolean incremental;
    private boolean done;

    /** Receives the texts of an answer, piece by piece, on the thread that reads. */
    public interface Texts {
        /** Takes a piece of the visible text; not empty. */
        void output(String piece);

        /** Takes a piece of the reasoning; not empty. */
        void reasoning(String piece);

        /** Takes tool calls, or pieces of them: maps, or strings of arguments; at least one. */
        void toolCalls(List<?> calls);
    }

    /** Starts before the first message; the texts are not kept. */
    public AnswerReader() {
        this(NO_TEXTS);
    }

    /** Starts before the first message. */
    public AnswerReader(Texts texts) {
        this.texts = texts;
    }

    /** Whether a body is one JSON object rather than server-sent events. */
    public static boolean isJson(String body) {
        return body.stripLeading().startsWith("{");
    }

    /**
     * Reads an event of a stream. An event of the type {@code error} is the error of the answer, whatever its data.
     *
     * @return which part of the answer it brings; null if it brings no content
     */
    public @Nullable ChunkPart event(ServerSentEvent event) {
        String data = event.data();
        if (event.type().equals("error")) {
            errorEvent(data == null ? event.comment() : data);
            return null;
        }
        done |= LAST.contains(event.type());
        if (data == null || isNoMessage(data)) {
            done |= data != null && !data.isBlank();
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
        for (String line : data.split("\n", LINES_MAX)) {
            part = later(part, message(line));
        }
        return part;
    }

    /**
     * Reads the JSON text of a message, or of a whole answer.
     *
     * @return which part of the answer it brings; null if it brings no content
     */
    public @Nullable ChunkPart message(String json) {
        return isNoMessage(json) ? null : readOrCount(parse(json));
    }

    /**
     * Reads the UTF-8 bytes of a message, or of a whole answer, during the call only.
     *
     * @return which part of the answer it brings; null if it brings no content
     * @throws IndexOutOfBoundsException if the range is not within the array
     */
    public @Nullable ChunkPart message(byte[] json, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, json.length);
        return readOrCount(parse(json, offset, count));
    }

    private static boolean isNoMessage(String data) {
        return data.isBlank() || data.strip().startsWith(DONE);
    }

    private @Nullable ChunkPart readOrCount(@Nullable Map<String, @Nullable Object> message) {
        if (message == null) {
            unreadable++;
            return null;
        }
        return read(message);
    }

    private @Nullable ChunkPart read(Map<String, @Nullable Object> message) {
        readable++;
        server.message(message);
        if (message.get("timings") instanceof Map<?, ?> llamaCpp) {
            usage = usage.andCached(llamaCpp.get("cache_n"));
        }
        Map<?, ?> within = message.get("response") instanceof Map<?, ?> response ? response : message;
        if (within.get("metrics") instanceof Map<?, ?> vllm) {
            usage = usage.andSpeculation(vllm);
        }
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
        if (!isJson(json) || json.length() > MESSAGE_BYTES_MAX) {
            return null;
        }
        byte[] bytes = json.strip().getBytes(StandardCharsets.UTF_8);
        return parse(bytes, 0, bytes.length);
    }

    private static @Nullable Map<String, @Nullable Object> parse(byte[] json, int offset, int count) {
        try {
            return count > MESSAGE_BYTES_MAX ? null : JsonTree.readLenient(json, offset, count, NOT_READ);
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
        if (value instanceof String text && !text.isEmpty()) {
            texts.output(text);
            return ChunkPart.OUTPUT;
        }
        return null;
    }

    @Nullable
    ChunkPart reasoning(@Nullable Object value) {
        if (value instanceof String text && !text.isEmpty()) {
            texts.reasoning(text);
            return ChunkPart.REASONING;
        }
        return null;
    }

    ChunkPart toolCalls(List<?> calls) {
        texts.toolCalls(calls);
        return ChunkPart.TOOL_CALLS;
    }

    /** Takes a text that holds all before it, or from the first one on that does not, only what is new. */
    @Nullable
    ChunkPart generated(String text) {
        incremental |= !text.startsWith(generated);
        String piece = incremental ? text : text.substring(generated.length());
        generated = text;
        return text(piece);
    }

    /** Whether an event said that it was the last one: a client may leave then, before the end of the HTTP message. */
    public boolean isDone() {
        return done;
    }

    void finished(String reason) {
        if (!reason.isEmpty()) {
            finishReason = reason;
        }
    }

    void used(@Nullable Object counts) {
        usage = usage.and(AnswerUsage.of(counts));
    }

    void answeredBy(@Nullable Object name) {
        if (model == null && name instanceof String text && !text.isEmpty()) {
            model = text;
        }
    }

    void named(@Nullable Object name) {
        if (id == null && name instanceof String text && !text.isEmpty()) {
            id = text;
        }
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

    /** Why the output ended, in the words of the OpenAI API; null if unknown. */
    public @Nullable String finishReason() {
        return finishReason;
    }

    /** The first name of the model that the server gave; null if unknown. */
    public @Nullable String model() {
        return model;
    }

    /** The first id that the server gave its answer, such as {@code chatcmpl-…}; null if unknown. */
    public @Nullable String id() {
        return id;
    }

    /** The token counts that the server reported so far; of several counts of one kind the last. */
    public AnswerUsage usage() {
        return usage;
    }

    /** The times that the server reported so far, in the messages and in headers that the owner adds. */
    public ServerClock server() {
        return server;
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

    /** Number of messages that are no JSON object or are above a limit. */
    public long unreadable() {
        return unreadable;
    }

    /** Counts further messages as unreadable, such as the events that a stream skipped. */
    public void addUnreadable(long messages) {
        unreadable += messages;
    }
}
