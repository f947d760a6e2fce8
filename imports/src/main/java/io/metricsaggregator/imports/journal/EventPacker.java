package io.metricsaggregator.imports.journal;

import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.event.ChunkPart;
import io.metricsaggregator.event.ErrorData;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.ModelText;
import io.metricsaggregator.event.PromptData;
import io.metricsaggregator.event.TextModelOutput;
import io.metricsaggregator.imports.ImportedRequest;
import io.metricsaggregator.imports.ImportedUsage;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/** Encodes the events of requests as records of the protocol. Holds a buffer: one owner at a time. */
final class EventPacker {
    private final MessageBufferPacker packer = MessagePack.newDefaultBufferPacker();

    /** Encodes the issue of a request under {@code id}. */
    byte[] issued(long nanos, ImportedRequest request, String id, boolean withText) throws IOException {
        PromptData prompt = withText ? request.prompt() : null;
        boolean scheduled = request.scheduledNanos() != null;
        head(EventType.SAMPLE_ISSUED, nanos, request, id, (prompt == null ? 0 : 1) + (scheduled ? 1 : 0));
        if (prompt != null) {
            packer.packString("data");
            MsgpackTree.write(
                    Arrays.asList(
                            PromptData.TAG,
                            prompt.text(),
                            prompt.tokenIds(),
                            prompt.messages(),
                            prompt.tools(),
                            prompt.chatTemplateKwargs(),
                            prompt.chatTemplate(),
                            prompt.toolChoice()),
                    packer);
        }
        if (request.scheduledNanos() != null) {
            packer.packString("scheduled_ns").packLong(request.scheduledNanos());
        }
        return packer.toByteArray();
    }

    /** Encodes the receipt of chunk {@code index}. */
    byte[] chunk(int index, long nanos, ImportedRequest request, String id) throws IOException {
        ChunkPart part = request.chunkPart(index);
        EventType type = index == 0 ? EventType.SAMPLE_RECV_FIRST : EventType.SAMPLE_RECV_NON_FIRST;
        head(type, nanos, request, id, part == null ? 0 : 1);
        if (part != null) {
            packer.packString("part").packString(part.wireName());
        }
        return packer.toByteArray();
    }

    /** Encodes the error of a request. */
    byte[] error(long nanos, ImportedRequest request, String id) throws IOException {
        ErrorData error = request.error();
        head(EventType.ERROR_GENERIC, nanos, request, id, 1);
        packer.packString("data");
        MsgpackTree.write(
                List.of(
                        ErrorData.TAG,
                        error == null ? "" : error.errorType(),
                        error == null ? "" : error.errorMessage()),
                packer);
        return packer.toByteArray();
    }

    /** Encodes the completion of a request; without data if it failed. */
    byte[] complete(long nanos, ImportedRequest request, String id, boolean withText) throws IOException {
        boolean succeeded = request.outcome() == ImportedRequest.Outcome.SUCCEEDED;
        TextModelOutput output = withText && succeeded ? request.output() : null;
        String reason = request.finishReason();
        ImportedUsage usage = succeeded ? request.usage() : null;
        int optional = (output == null ? 0 : 1) + (reason == null ? 0 : 1) + (usage == null ? 0 : 1);
        head(EventType.SAMPLE_COMPLETE, nanos, request, id, optional);
        if (output != null) {
            packer.packString("data");
            MsgpackTree.write(
                    Arrays.asList(
                            TextModelOutput.TAG, text(output.output()), text(output.reasoning()), output.toolCalls()),
                    packer);
        }
        if (reason != null) {
            packer.packString("finish_reason").packString(reason);
        }
        if (usage != null) {
            packer.packString("usage");
            MsgpackTree.write(tree(usage), packer);
        }
        return packer.toByteArray();
    }

    /** Encodes an event of the session. */
    byte[] session(EventType type, long nanos) throws IOException {
        packer.clear();
        packer.packMapHeader(2);
        packer.packString("event_type").packString(type.wireName());
        packer.packString("timestamp_ns").packLong(nanos);
        return packer.toByteArray();
    }

    private void head(EventType type, long nanos, ImportedRequest request, String id, int further) throws IOException {
        String source = request.sourceId();
        boolean conversation = !request.conversationId().isEmpty();
        boolean turn = request.turn() != null;
        packer.clear();
        packer.packMapHeader(3 + (source == null ? 0 : 1) + (conversation ? 1 : 0) + (turn ? 1 : 0) + further);
        packer.packString("event_type").packString(type.wireName());
        packer.packString("timestamp_ns").packLong(nanos);
        packer.packString("sample_uuid").packString(id);
        if (conversation) {
            packer.packString("conversation_id").packString(request.conversationId());
        }
        if (request.turn() != null) {
            packer.packString("turn").packLong(request.turn());
        }
        if (source != null) {
            packer.packString("source_id").packString(source);
        }
    }

    private static @Nullable Object text(@Nullable ModelText text) {
        if (text == null) {
            return null;
        }
        return text instanceof ModelText.Chunks chunks ? chunks.chunks() : text.joined();
    }

    private static Map<String, Object> tree(ImportedUsage usage) {
        Map<String, Object> tree = new LinkedHashMap<>();
        put(tree, "prompt_tokens", usage.promptTokens());
        put(tree, "completion_tokens", usage.completionTokens());
        put(tree, "cached_tokens", usage.cachedTokens());
        put(tree, "reasoning_tokens", usage.reasoningTokens());
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
