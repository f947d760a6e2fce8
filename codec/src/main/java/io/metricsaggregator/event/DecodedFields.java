package io.metricsaggregator.event;

import io.metricsaggregator.event.DecodedEvent.DataKind;
import io.metricsaggregator.event.server.DecodedServer;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a {@link DecodedEvent} that most records leave as they are: those of {@code data} and of extensions, each with a flag so that a record clears only what
 * the one before it has set. One owner at a time.
 */
abstract sealed class DecodedFields permits DecodedEvent {
    static final ByteBuffer NO_BYTES = ByteBuffer.allocate(0);
    ByteBuffer buffer = NO_BYTES;
    int recordStart;
    int recordLength;

    /** Whether the record has an extension's key, the fields of which are cleared only then: those from finishReason to sourceLength. */
    boolean hasExtension;

    @Nullable
    FinishReason finishReason;

    long workerId;
    boolean hasWorkerId;
    long sequence;
    boolean hasSequence;
    long life = DecodedEvent.NO_LIFE;
    long scheduledNanos;
    boolean hasScheduled;
    int sourceStart;
    int sourceLength;

    /** Whether the record has {@code data} other than nil, whose fields are cleared only then. */
    boolean hasData;

    DataKind dataKind = DataKind.NONE;
    int dataStart;
    int dataLength;
    int tokenIdCount = -1;
    int errorTypeStart;
    int errorTypeLength;
    int errorMessageStart;
    int errorMessageLength;
    /** −1 for another kind than {@link DataKind#PHASE_DATA}. */
    long announcedTurns = -1;

    boolean hasReasoning;

    final DecodedServer server = new DecodedServer();
    final DecodedJob job = new DecodedJob();

    /** Where the request spent its time in the server. */
    public final DecodedServer server() {
        return server;
    }

    /** The place of the record's sample in the job of an agent. */
    public final DecodedJob job() {
        return job;
    }

    /** Sets the fields of extensions to those of a record without one. */
    final void clearExtension() {
        hasExtension = false;
        finishReason = null;
        workerId = 0;
        hasWorkerId = false;
        sequence = 0;
        hasSequence = false;
        life = DecodedEvent.NO_LIFE;
        scheduledNanos = 0;
        hasScheduled = false;
        sourceStart = 0;
        sourceLength = 0;
    }

    /** Sets the fields of {@code data} to those of a record without it. */
    final void clearData() {
        hasData = false;
        dataKind = DataKind.NONE;
        dataStart = 0;
        dataLength = 0;
        tokenIdCount = -1;
        errorTypeStart = 0;
        errorTypeLength = 0;
        errorMessageStart = 0;
        errorMessageLength = 0;
        announcedTurns = -1;
        hasReasoning = false;
    }
}
