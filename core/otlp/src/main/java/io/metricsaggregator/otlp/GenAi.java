package io.metricsaggregator.otlp;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Names of the GenAI semantic conventions for spans (open-telemetry/semantic-conventions-genai; status: development). A renamed attribute
 * is also read under its old name, which loses to the new one. {@code gen_ai.client.inference} is a type of spans and a prefix of
 * metrics, not of attributes.
 */
final class GenAi {
    static final String OPERATION = "gen_ai.operation.name";
    static final String PROVIDER = "gen_ai.provider.name";
    static final String REQUEST_MODEL = "gen_ai.request.model";
    static final String RESPONSE_MODEL = "gen_ai.response.model";
    static final String RESPONSE_ID = "gen_ai.response.id";
    static final String FINISH_REASONS = "gen_ai.response.finish_reasons";
    /** Seconds from the start of the span to the first chunk of the answer. */
    static final String TIME_TO_FIRST_CHUNK = "gen_ai.response.time_to_first_chunk";

    static final String CONVERSATION = "gen_ai.conversation.id";
    static final String INPUT_TOKENS = "gen_ai.usage.input_tokens";
    static final String OUTPUT_TOKENS = "gen_ai.usage.output_tokens";
    static final String REASONING_TOKENS = "gen_ai.usage.reasoning.output_tokens";
    static final String CACHE_READ_TOKENS = "gen_ai.usage.cache_read.input_tokens";
    static final String CACHE_WRITE_TOKENS = "gen_ai.usage.cache_write.input_tokens";
    static final String ERROR_TYPE = "error.type";
    static final String SERVER_ADDRESS = "server.address";
    static final String SERVER_PORT = "server.port";
    // Seconds that vLLM's own span of a request has; its prefill begins with the scheduling and ends with the first
    // token.
    static final String TIME_IN_QUEUE = "gen_ai.latency.time_in_queue";
    static final String TIME_IN_PREFILL = "gen_ai.latency.time_in_model_prefill";
    static final String TIME_IN_DECODE = "gen_ai.latency.time_in_model_decode";
    static final String TIME_IN_SERVER = "gen_ai.latency.e2e";

    /** Old names by new name. */
    private static final Map<String, String> RENAMED = Map.of(
            CACHE_WRITE_TOKENS,
            "gen_ai.usage.cache_creation.input_tokens",
            PROVIDER,
            "gen_ai.system",
            INPUT_TOKENS,
            "gen_ai.usage.prompt_tokens",
            OUTPUT_TOKENS,
            "gen_ai.usage.completion_tokens");

    private static final Set<String> ATTRIBUTES = Set.of(
            OPERATION,
            PROVIDER,
            REQUEST_MODEL,
            RESPONSE_MODEL,
            RESPONSE_ID,
            FINISH_REASONS,
            TIME_TO_FIRST_CHUNK,
            CONVERSATION,
            INPUT_TOKENS,
            OUTPUT_TOKENS,
            REASONING_TOKENS,
            CACHE_READ_TOKENS,
            CACHE_WRITE_TOKENS,
            ERROR_TYPE,
            SERVER_ADDRESS,
            SERVER_PORT,
            TIME_IN_QUEUE,
            TIME_IN_PREFILL,
            TIME_IN_DECODE,
            TIME_IN_SERVER);

    /** Operations that are a request to a model with an answer; agents, tools, embeddings and retrievals are not. */
    private static final Set<String> OPERATIONS = Set.of("chat", "generate_content", "text_completion");

    /** Events that OpenLLMetry (opentelemetry-instrumentation-openai and others) adds to a span for each chunk. */
    private static final Set<String> CHUNK_EVENTS = Set.of("llm.content.completion.chunk");

    /** What is kept of a span. */
    static final Wanted WANTED =
            new Wanted(name -> ATTRIBUTES.contains(name) || RENAMED.containsValue(name), CHUNK_EVENTS::contains);

    private GenAi() {}

    /** Whether a span is a client's request to a model. A server's span of the same request is not a second one. */
    static boolean isRequest(Span span) {
        return OPERATIONS.contains(String.valueOf(span.attributes().get(OPERATION)))
                && span.kind() != Span.SERVER
                && span.kind() != Span.CONSUMER;
    }

    /** The value of an attribute under its name or its old one; null without it. */
    static @Nullable Object value(Span span, String name) {
        Object value = span.attributes().get(name);
        String old = RENAMED.get(name);
        return value == null && old != null ? span.attributes().get(old) : value;
    }

    /** The value of an attribute if it is a string that is not empty, or the first of a list; otherwise null. */
    static @Nullable String text(Span span, String name) {
        Object value = value(span, name);
        Object first = value instanceof List<?> list && !list.isEmpty() ? list.get(0) : value;
        return first instanceof String text && !text.isEmpty() ? text : null;
    }
}
