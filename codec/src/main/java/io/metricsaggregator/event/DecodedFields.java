package io.metricsaggregator.event;

import io.metricsaggregator.event.DecodedEvent.DataKind;
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
    /** Valid only for {@link DataKind#PHASE_DATA}. */
    long announcedTurns;

    boolean hasReasoning;

    final void clearExtension() {
        hasExtension = false;
        finishReason = null;
        hasWorkerId = false;
        hasSequence = false;
        life = DecodedEvent.NO_LIFE;
        hasScheduled = false;
        sourceLength = 0;
    }

    final void clearData() {
        hasData = false;
        dataKind = DataKind.NONE;
        tokenIdCount = -1;
        dataStart = recordStart;
        dataLength = 0;
        errorTypeStart = recordStart;
        errorTypeLength = 0;
        errorMessageStart = recordStart;
        errorMessageLength = 0;
    }
}
