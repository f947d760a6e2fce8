package io.metricsaggregator.event;

import io.metricsaggregator.event.server.ServerTimes;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One event as an object, for producers and tools. The event path reads {@link DecodedEvent} instead.
 *
 * @param type the type of the event
 * @param timestampNanos the producer's monotonic clock, nanoseconds; comparable only within one producer host
 * @param sampleUuid the id of the sample; empty for none
 * @param conversationId the conversation the sample belongs to; empty for none
 * @param turn the sample's place in its conversation
 * @param data the payload of the event; null for none
 * @param finishReason why the output ended; only on {@link EventType#SAMPLE_COMPLETE}
 * @param workerId the number of the worker that sent the record; null for none
 * @param sequence the number of the record among its worker's, from 0 and increasing by 1; lets a receiver count losses. An older peer
 *     ignores it.
 * @param scheduledNanos the scheduled time of the sample, on the same clock; only on {@link EventType#SAMPLE_ISSUED}. An older peer
 *     ignores it.
 * @param life a number that differs between two starts of the worker; {@code sequence} begins at 0 in each life. An older peer
 *     ignores it.
 * @param optional further keys of this project, such as {@code usage}; an older peer ignores them
 */
public record EventRecord(
        EventType type,
        long timestampNanos,
        String sampleUuid,
        String conversationId,
        @Nullable Long turn,
        @Nullable EventData data,
        @Nullable String finishReason,
        @Nullable Long workerId,
        @Nullable Long sequence,
        @Nullable Long scheduledNanos,
        @Nullable Long life,
        OptionalKeys optional) {

    public EventRecord {
        if (life != null && life < 0) {
            throw new IllegalArgumentException("life " + life + " is negative");
        }
        if (sequence != null && sequence < 0) {
            throw new IllegalArgumentException("sequence " + sequence + " is negative");
        }
    }

    /** Creates an event of a worker that sends no {@link #life}. */
    public EventRecord(
            EventType type,
            long timestampNanos,
            String sampleUuid,
            String conversationId,
            @Nullable Long turn,
            @Nullable EventData data,
            @Nullable String finishReason,
            @Nullable Long workerId,
            @Nullable Long sequence,
            @Nullable Long scheduledNanos) {
        this(
                type,
                timestampNanos,
                sampleUuid,
                conversationId,
                turn,
                data,
                finishReason,
                workerId,
                sequence,
                scheduledNanos,
                null,
                OptionalKeys.NONE);
    }

    /** Creates an event without {@link #optional} keys. */
    public EventRecord(
            EventType type,
            long timestampNanos,
            String sampleUuid,
            String conversationId,
            @Nullable Long turn,
            @Nullable EventData data,
            @Nullable String finishReason,
            @Nullable Long workerId,
            @Nullable Long sequence,
            @Nullable Long scheduledNanos,
            @Nullable Long life) {
        this(
                type,
                timestampNanos,
                sampleUuid,
                conversationId,
                turn,
                data,
                finishReason,
                workerId,
                sequence,
                scheduledNanos,
                life,
                OptionalKeys.NONE);
    }

    /** Creates an event of the session, without sample and data. */
    public static EventRecord session(EventType type, long timestampNanos) {
        return new EventRecord(type, timestampNanos, "", "", null, null, null, null, null, null);
    }

    /** Creates an event of a sample, without data. */
    public static EventRecord sample(EventType type, long timestampNanos, String sampleUuid) {
        return new EventRecord(type, timestampNanos, sampleUuid, "", null, null, null, null, null, null);
    }

    /** Returns a copy with {@code data}. */
    public EventRecord withData(EventData newData) {
        return with(newData, finishReason, workerId, sequence, scheduledNanos, life, optional);
    }

    /** Returns a copy with {@code finish_reason}. */
    public EventRecord withFinishReason(String reason) {
        return with(data, reason, workerId, sequence, scheduledNanos, life, optional);
    }

    /** Returns a copy with the number of its worker and its sequence number there. */
    public EventRecord from(long worker, long number) {
        return with(data, finishReason, worker, number, scheduledNanos, life, optional);
    }

    /** Returns a copy with the scheduled time of its sample, in nanoseconds. */
    public EventRecord scheduledAt(long nanos) {
        return with(data, finishReason, workerId, sequence, nanos, life, optional);
    }

    /** Returns a copy with the life of its worker. */
    public EventRecord inLife(long number) {
        return with(data, finishReason, workerId, sequence, scheduledNanos, number, optional);
    }

    /** Returns a copy with the tokens that the request used; for {@link EventType#SAMPLE_COMPLETE}. */
    public EventRecord withUsage(Usage usage) {
        return with(optional.withUsage(usage));
    }

    /** Returns a copy with the part of the answer that a chunk belongs to; for receives. */
    public EventRecord withPart(ChunkPart part) {
        return with(optional.withPart(part));
    }

    /**
     * Returns a copy with the number of tokens in a chunk; for receives.
     *
     * @throws IllegalArgumentException if it is not 0 to {@link DecodedEvent#CHUNK_TOKENS_MAX}
     */
    public EventRecord withTokens(int tokens) {
        return with(optional.withTokens(tokens));
    }

    /**
     * Returns a copy with the labels of the sample, such as {@code endpoint} or {@code tenant}; for {@link EventType#SAMPLE_ISSUED}.
     *
     * @throws IllegalArgumentException if they are more or longer than {@link DecodedLabels} allows
     */
    public EventRecord withLabels(Map<String, String> labels) {
        return with(optional.withLabels(labels));
    }

    /**
     * Returns a copy that belongs to a conversation.
     *
     * @param conversation its id; empty for none
     * @param place the sample's place in the conversation as the producer counts; null if it does not
     */
    public EventRecord inConversation(String conversation, @Nullable Long place) {
        return new EventRecord(
                type,
                timestampNanos,
                sampleUuid,
                conversation,
                place,
                data,
                finishReason,
                workerId,
                sequence,
                scheduledNanos,
                life,
                optional);
    }

    /** Returns a copy that ends its conversation: no further turn is issued; for {@link EventType#SAMPLE_ISSUED}. */
    public EventRecord withLastTurn() {
        return with(optional.withLastTurn());
    }

    /**
     * Returns a copy that names the trace of its request; for {@link EventType#SAMPLE_ISSUED}. A span of that trace that covers the request is then not
     * a second sample.
     *
     * @param traceparent the request's header of that name, as it stands; one that is not of W3C Trace Context is ignored
     */
    public EventRecord withTraceparent(String traceparent) {
        return with(optional.withTraceparent(traceparent));
    }

    /**
     * Returns a copy with the id that the server gave its answer, such as {@code chatcmpl-…}; for {@link EventType#SAMPLE_COMPLETE}. A span with the same
     * {@code gen_ai.response.id} is then not a second sample.
     */
    public EventRecord withResponseId(String id) {
        return with(optional.withResponseId(id));
    }

    /** Returns a copy with the times in the server; for {@link EventType#SAMPLE_COMPLETE}. */
    public EventRecord withServer(ServerTimes times) {
        return with(optional.withServer(times));
    }

    /** Returns a copy with its place in the job of an agent; for {@link EventType#SAMPLE_ISSUED}. */
    public EventRecord withJob(OptionalKeys.Job keys) {
        return with(optional.withJob(keys));
    }

    private EventRecord with(OptionalKeys keys) {
        return with(data, finishReason, workerId, sequence, scheduledNanos, life, keys);
    }

    private EventRecord with(
            @Nullable EventData newData,
            @Nullable String reason,
            @Nullable Long worker,
            @Nullable Long number,
            @Nullable Long scheduled,
            @Nullable Long inLife,
            OptionalKeys keys) {
        return new EventRecord(
                type,
                timestampNanos,
                sampleUuid,
                conversationId,
                turn,
                newData,
                reason,
                worker,
                number,
                scheduled,
                inLife,
                keys);
    }
}
