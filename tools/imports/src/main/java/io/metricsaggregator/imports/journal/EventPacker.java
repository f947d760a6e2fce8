package io.metricsaggregator.imports.journal;

import io.metricsaggregator.event.ChunkPart;
import io.metricsaggregator.event.ErrorData;
import io.metricsaggregator.event.EventData;
import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.OptionalKeys;
import io.metricsaggregator.event.server.ServerTimes;
import io.metricsaggregator.imports.ImportedRequest;
import io.metricsaggregator.imports.ImportedUsage;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Encodes the events of requests as records of the protocol. Holds a buffer: one owner at a time. */
final class EventPacker {
    private final EventEncoder encoder = new EventEncoder();

    /** Encodes the issue of a request under {@code id}. */
    byte[] issued(long nanos, ImportedRequest request, String id, boolean withText) {
        EventRecord issue = of(EventType.SAMPLE_ISSUED, nanos, request, id, withText ? request.prompt() : null);
        Long scheduled = request.scheduledNanos();
        return encode(scheduled == null ? issue : issue.scheduledAt(scheduled), request);
    }

    /** Encodes the receipt of chunk {@code index}. */
    byte[] chunk(int index, long nanos, ImportedRequest request, String id) {
        EventType type = index == 0 ? EventType.SAMPLE_RECV_FIRST : EventType.SAMPLE_RECV_NON_FIRST;
        EventRecord chunk = of(type, nanos, request, id, null);
        ChunkPart part = request.chunkPart(index);
        return encode(part == null ? chunk : chunk.withPart(part), request);
    }

    /** Encodes the error of a request. */
    byte[] error(long nanos, ImportedRequest request, String id) {
        ErrorData error = request.error();
        EventData data = error == null ? new ErrorData("", "") : error;
        return encode(of(EventType.ERROR_GENERIC, nanos, request, id, data), request);
    }

    /** Encodes the completion of a request; without data if it failed. */
    byte[] complete(long nanos, ImportedRequest request, String id, boolean withText) {
        boolean succeeded = request.outcome() == ImportedRequest.Outcome.SUCCEEDED;
        EventRecord end =
                of(EventType.SAMPLE_COMPLETE, nanos, request, id, withText && succeeded ? request.output() : null);
        String reason = request.finishReason();
        ImportedUsage usage = succeeded ? request.usage() : null;
        ServerTimes server = succeeded ? request.server() : null;
        end = server == null ? end : end.withServer(server);
        return encoder.encodePresent(
                reason == null ? end : end.withFinishReason(reason),
                request.sourceId(),
                usage == null ? null : tree(usage));
    }

    /** Encodes an event of the session. */
    byte[] session(EventType type, long nanos) {
        return encoder.encodePresent(EventRecord.session(type, nanos), null, null);
    }

    private byte[] encode(EventRecord event, ImportedRequest request) {
        return encoder.encodePresent(event, request.sourceId(), null);
    }

    private static EventRecord of(
            EventType type, long nanos, ImportedRequest request, String id, @Nullable EventData data) {
        return new EventRecord(
                type,
                nanos,
                id,
                request.conversationId(),
                request.turn(),
                data,
                null,
                null,
                null,
                null,
                null,
                OptionalKeys.NONE);
    }

    private static Map<String, Object> tree(ImportedUsage usage) {
        Map<String, Object> tree = new LinkedHashMap<>();
        put(tree, "prompt_tokens", usage.promptTokens());
        put(tree, "completion_tokens", usage.completionTokens());
        put(tree, "cached_tokens", usage.cachedTokens());
        put(tree, "reasoning_tokens", usage.reasoningTokens());
        tree.putAll(usage.speculationKeys());
        if (usage.byClient()) {
            tree.put("by", "client");
        }
        return tree;
    }

    private static void put(Map<String, Object> tree, String name, @Nullable Long tokens) {
        if (tokens != null) {
            tree.put(name, tokens);
        }
    }
}
