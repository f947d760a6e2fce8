package io.metricsaggregator.samples;

import org.jspecify.annotations.Nullable;

/**
 * One exported record.
 *
 * @param timestampNanos the producer's clock; null for a malformed record or one without a timestamp
 * @param type its {@code event_type}, of the load generator, of telemetry, or one this version does not know; null if it is malformed
 * @param sampleUuid empty for a record without a sample; null if it is malformed
 * @param workerId null if it has none
 * @param tokens tokens of a chunk; null if the record does not tell
 * @param json the whole record as a JSON object
 */
@SuppressWarnings("ArrayRecordComponent") // handed on to one writer, never compared
record RecordRow(
        @Nullable Long timestampNanos,
        @Nullable String type,
        @Nullable String sampleUuid,
        @Nullable Long workerId,
        @Nullable Integer tokens,
        byte[] json) {}
