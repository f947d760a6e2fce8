package io.metricsaggregator.event;

import org.jspecify.annotations.Nullable;

/**
 * One event as an object, for producers and tools. The event path reads {@link DecodedEvent} instead.
 *
 * @param type what happened
 * @param timestampNanos the producer's monotonic clock, nanoseconds; comparable only within one producer host
 * @param sampleUuid the sample it happened to; empty for none
 * @param conversationId the conversation the sample belongs to; empty for none
 * @param turn the sample's place in its conversation
 * @param data what came with it
 * @param finishReason why the output ended; only on {@link EventType#SAMPLE_COMPLETE}
 * @param workerId the worker that sent it
 * @param sequence its number within its worker's records, from 0, one more for each; lets a receiver count losses. An older peer
 *     ignores it.
 * @param scheduledNanos when the sample was to be issued, on the same clock; only on {@link EventType#SAMPLE_ISSUED}. An older peer
 *     ignores it.
 * @param life a number that differs between two starts of the worker; {@code sequence} begins at 0 in each life. An older peer
 *     ignores it.
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
        @Nullable Long life) {

    public EventRecord {
        if (life != null && life < 0) {
            throw new IllegalArgumentException("life " + life + " is negative");
        }
        if (sequence != null && sequence < 0) {
            throw new IllegalArgumentException("sequence " + sequence + " is negative");
        }
    }

    /** An event of a worker that sends no {@link #life}. */
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
                null);
    }

    /** A session's event: no sample, no data. */
    public static EventRecord session(EventType type, long timestampNanos) {
        return new EventRecord(type, timestampNanos, "", "", null, null, null, null, null, null);
    }

    /** A sample's event without data. */
    public static EventRecord sample(EventType type, long timestampNanos, String sampleUuid) {
        return new EventRecord(type, timestampNanos, sampleUuid, "", null, null, null, null, null, null);
    }

    /** The same event with data. */
    public EventRecord withData(EventData newData) {
        return new EventRecord(
                type,
                timestampNanos,
                sampleUuid,
                conversationId,
                turn,
                newData,
                finishReason,
                workerId,
                sequence,
                scheduledNanos,
                life);
    }

    /** The same event with a reason for its end. */
    public EventRecord withFinishReason(String reason) {
        return new EventRecord(
                type,
                timestampNanos,
                sampleUuid,
                conversationId,
                turn,
                data,
                reason,
                workerId,
                sequence,
                scheduledNanos,
                life);
    }

    /** The same event as sent by a worker that numbers its records. */
    public EventRecord from(long worker, long number) {
        return new EventRecord(
                type,
                timestampNanos,
                sampleUuid,
                conversationId,
                turn,
                data,
                finishReason,
                worker,
                number,
                scheduledNanos,
                life);
    }

    /** The same event with the time its sample was to be issued. */
    public EventRecord scheduledAt(long nanos) {
        return new EventRecord(
                type,
                timestampNanos,
                sampleUuid,
                conversationId,
                turn,
                data,
                finishReason,
                workerId,
                sequence,
                nanos,
                life);
    }

    /** The same event as sent in a life of its worker. */
    public EventRecord inLife(long number) {
        return new EventRecord(
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
                number);
    }
}
