package io.metricsaggregator.event;

import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.event.server.ServerKey;
import io.metricsaggregator.event.server.ServerTimes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/** Encodes event records, their keys in the order every known encoder uses. Holds a buffer: one owner at a time. */
public final class EventEncoder {
    private final MessageBufferPacker packer = MessagePack.newDefaultBufferPacker();
    private final DataPacker dataPacker = new DataPacker();

    /** Encodes one record as a payload, without topic. */
    public byte[] encode(EventRecord event) {
        return encode(event, DecodedEvent.NO_HANDLE);
    }

    /**
     * Encodes one record as a payload, without topic.
     *
     * @param handle stands for the sample in frames of chunks, 0 to {@link DecodedEvent#HANDLE_MAX}; only on {@link EventType#SAMPLE_RECV_FIRST};
     *     {@link DecodedEvent#NO_HANDLE} for none
     */
    public byte[] encode(EventRecord event, int handle) {
        packer.clear();
        try {
            packer.packMapHeader(
                    6 + further(event) + event.optional().count() + count(handle != DecodedEvent.NO_HANDLE));
            packHead(event);
            packer.packString("sample_uuid").packString(event.sampleUuid());
            packer.packString("conversation_id").packString(event.conversationId());
            packer.packString("turn");
            packLong(event.turn());
            packer.packString("data");
            packData(event.data());
            packFurther(event);
            if (handle != DecodedEvent.NO_HANDLE) {
                packer.packString("handle").packInt(handle);
            }
            return packer.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException("packing into memory", e);
        }
    }

    /**
     * Encodes one record without the keys that it does not have; {@link #encode} writes six keys in any case. For journals.
     *
     * @param source the key {@code source_id}; null for none
     * @param usage the key {@code usage} with unchecked counts, in place of the record's; null for none
     */
    public byte[] encodePresent(EventRecord event, @Nullable String source, @Nullable Map<String, ?> usage) {
        boolean hasSample = !event.sampleUuid().isEmpty();
        boolean hasConversation = !event.conversationId().isEmpty();
        packer.clear();
        try {
            packer.packMapHeader(2
                    + count(hasSample, hasConversation, event.turn() != null, source != null, event.data() != null)
                    + further(event)
                    + event.optional().count()
                    + count(usage != null));
            packHead(event);
            if (hasSample) {
                packer.packString("sample_uuid").packString(event.sampleUuid());
            }
            if (hasConversation) {
                packer.packString("conversation_id").packString(event.conversationId());
            }
            packIfPresent("turn", event.turn());
            if (source != null) {
                packer.packString("source_id").packString(source);
            }
            if (event.data() != null) {
                packer.packString("data");
                packData(event.data());
            }
            packFurther(event);
            if (usage != null) {
                packer.packString("usage");
                MsgpackTree.write(usage, packer);
            }
            return packer.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException("packing into memory", e);
        }
    }

    /** Encodes payloads as a batch: an array of binaries, one per record. */
    public byte[] encodeBatch(List<byte[]> payloads) {
        packer.clear();
        try {
            packer.packArrayHeader(payloads.size());
            for (byte[] payload : payloads) {
                packer.packBinaryHeader(payload.length);
                packer.addPayload(payload);
            }
            return packer.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException("packing into memory", e);
        }
    }

    private static int further(EventRecord event) {
        return count(
                event.finishReason() != null,
                event.workerId() != null,
                event.sequence() != null,
                event.scheduledNanos() != null,
                event.life() != null);
    }

    private static int count(boolean... present) {
        int count = 0;
        for (boolean each : present) {
            count += each ? 1 : 0;
        }
        return count;
    }

    private void packHead(EventRecord event) throws IOException {
        packer.packString("event_type").packString(event.type().wireName());
        packer.packString("timestamp_ns").packLong(event.timestampNanos());
    }

    private void packFurther(EventRecord event) throws IOException {
        if (event.finishReason() != null) {
            packer.packString("finish_reason").packString(event.finishReason());
        }
        packIfPresent("worker_id", event.workerId());
        packIfPresent("seq", event.sequence());
        packIfPresent("scheduled_ns", event.scheduledNanos());
        packIfPresent("life", event.life());
        packOptional(event.optional());
    }

    private void packIfPresent(String key, @Nullable Long value) throws IOException {
        if (value != null) {
            packer.packString(key).packLong(value);
        }
    }

    private void packIfPresent(String key, @Nullable String value) throws IOException {
        if (value != null) {
            packer.packString(key).packString(value);
        }
    }

    private void packOptional(OptionalKeys keys) throws IOException {
        if (keys.part() != null) {
            packer.packString("part").packString(keys.part().wireName());
        }
        if (keys.tokens() != null) {
            packer.packString("tokens").packInt(keys.tokens());
        }
        if (!keys.labels().isEmpty()) {
            packer.packString("labels").packMapHeader(keys.labels().size());
            for (Map.Entry<String, String> each : keys.labels().entrySet()) {
                packer.packString(each.getKey()).packString(each.getValue());
            }
        }
        if (keys.lastTurn()) {
            packer.packString("last_turn").packBoolean(true);
        }
        packIfPresent("traceparent", keys.traceparent());
        packIfPresent("response_id", keys.responseId());
        Usage usage = keys.usage();
        if (usage != null) {
            packer.packString("usage");
            packUsage(usage);
        }
        ServerTimes server = keys.server();
        if (server != null) {
            packer.packString("server");
            packServer(server);
        }
        OptionalKeys.Job job = keys.job();
        if (job != null) {
            packJob(job);
        }
    }

    private void packJob(OptionalKeys.Job job) throws IOException {
        packIfPresent("job_id", job.id().isEmpty() ? null : job.id());
        if (!job.parents().isEmpty()) {
            packer.packString("parents");
            MsgpackTree.write(job.parents(), packer);
        }
        packIfPresent("agent", job.agent());
        if (job.last()) {
            packer.packString("last_of_job").packBoolean(true);
        }
    }

    private void packServer(ServerTimes server) throws IOException {
        ServerTimes.Source source = server.source();
        packer.packMapHeader(server.numbers().size()
                + count(source != null, server.prefillNode() != null, server.decodeNode() != null));
        for (Map.Entry<ServerKey, Long> each : server.numbers().entrySet()) {
            packer.packString(each.getKey().wireName()).packLong(each.getValue());
        }
        packIfPresent("source", source == null ? null : source.wireName());
        packIfPresent("prefill_node", server.prefillNode());
        packIfPresent("decode_node", server.decodeNode());
    }

    private void packUsage(Usage usage) throws IOException {
        boolean hasHistogram = !usage.specHistogram().isEmpty();
        packer.packMapHeader(usage.counts().size() + count(usage.byClient(), hasHistogram));
        for (Map.Entry<UsageKey, Long> each : usage.counts().entrySet()) {
            packer.packString(each.getKey().wireName()).packLong(each.getValue());
        }
        if (usage.byClient()) {
            packer.packString("by").packString("client");
        }
        if (hasHistogram) {
            packer.packString(Usage.SPEC_HISTOGRAM)
                    .packArrayHeader(usage.specHistogram().size());
            for (Long steps : usage.specHistogram()) {
                packer.packLong(steps);
            }
        }
    }

    private void packLong(@Nullable Long value) throws IOException {
        if (value == null) {
            packer.packNil();
        } else {
            packer.packLong(value);
        }
    }

    private void packData(@Nullable EventData data) throws IOException {
        if (data == null) {
            packer.packNil();
            return;
        }
        data.accept(dataPacker);
    }

    private final class DataPacker implements EventData.Visitor<IOException> {
        @Override
        public void output(TextModelOutput output) throws IOException {
            packer.packArrayHeader(4).packString(TextModelOutput.TAG);
            packText(output.output());
            packText(output.reasoning());
            MsgpackTree.write(output.toolCalls(), packer);
        }

        @Override
        public void prompt(PromptData prompt) throws IOException {
            packer.packArrayHeader(8).packString(PromptData.TAG);
            MsgpackTree.write(prompt.text(), packer);
            MsgpackTree.write(prompt.tokenIds(), packer);
            MsgpackTree.write(prompt.messages(), packer);
            MsgpackTree.write(prompt.tools(), packer);
            MsgpackTree.write(prompt.chatTemplateKwargs(), packer);
            MsgpackTree.write(prompt.chatTemplate(), packer);
            MsgpackTree.write(prompt.toolChoice(), packer);
        }

        @Override
        public void error(ErrorData error) throws IOException {
            packer.packArrayHeader(3).packString(ErrorData.TAG);
            packer.packString(error.errorType()).packString(error.errorMessage());
        }

        @Override
        public void phase(PhaseData phase) throws IOException {
            packer.packArrayHeader(4).packString(PhaseData.TAG);
            packer.packString(phase.phaseType()).packBoolean(phase.drainAfter());
            packLong(phase.turns());
        }
    }

    private void packText(@Nullable ModelText text) throws IOException {
        if (text instanceof ModelText.Chunks chunks) {
            MsgpackTree.write(chunks.chunks(), packer);
        } else {
            MsgpackTree.write(text instanceof ModelText.Whole whole ? whole.text() : null, packer);
        }
    }
}
