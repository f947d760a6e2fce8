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
    /** The value of {@link #handle} for a record without one. */
    public static final int NO_HANDLE = -1;

    /** The value of {@link #handle} for one that is not an integer from 0 to {@link #HANDLE_MAX}. */
    public static final int REJECTED_HANDLE = -2;

    /** The largest handle of a sample in frames of chunks. */
    public static final int HANDLE_MAX = (1 << 20) - 1;

    /** In a frame of chunks, the {@code tokens} of a chunk that has none. */
    public static final int NO_CHUNK_KEY = 0xffff;

    static final ByteBuffer NO_BYTES = ByteBuffer.allocate(0);
    ByteBuffer buffer = NO_BYTES;
    int recordStart;
    IdKind idKind = IdKind.EMPTY;
    long idHigh;
    long idLow;
    int idStart;
    int idLength;

    /** Whether the record has an extension's key, the fields of which are cleared only then: those from finishReason to sourceRun. */
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
    long sourceRun;
    /** Who numbered the run; not cleared, since a record of no run has the number 0. */
    @Nullable
    Object sourceRunOf;

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

    int handle = NO_HANDLE;

    final DecodedServer server = new DecodedServer();
    final DecodedJob job = new DecodedJob();

    /** How the sample's id is packed; {@link IdKind#EMPTY} if the record has none. */
    public final IdKind idKind() {
        return idKind;
    }

    /** The first half of the packed id. */
    public final long idHigh() {
        return idHigh;
    }

    /** The second half of the packed id. */
    public final long idLow() {
        return idLow;
    }

    /** The handle by which frames of chunks name the record's sample from here on; {@link #NO_HANDLE} or {@link #REJECTED_HANDLE} for none. */
    public final int handle() {
        return handle;
    }

    /** Length of the name of the source in bytes; 0 without a name. */
    public final int sourceLength() {
        return sourceLength;
    }

    /** Number of the run of records that name the same source, by {@link #sourceRunOf}; 0 where that is not known. */
    public final long sourceRun() {
        return sourceRun;
    }

    /** Who gave {@link #sourceRun}, if that is above 0: numbers of others say nothing of the same source. */
    public final @Nullable Object sourceRunOf() {
        return sourceRunOf;
    }

    /** Sets the sender: the name in {@code length} bytes at {@code start} of the event's bytes, or a worker's number if there are none. */
    public final void setSource(int start, int length, long worker, long ofLife, long number) {
        hasExtension = true;
        sourceStart = start;
        sourceLength = length;
        sourceRun = 0;
        hasWorkerId = length == 0;
        workerId = hasWorkerId ? worker : 0;
        life = ofLife;
        sequence = number;
        hasSequence = true;
    }

    /** Sets the sample: its packed id, and its text in {@code length} bytes at {@code start} of the event's bytes, which may hold it only for a long id. */
    public final void setId(IdKind kind, long high, long low, int start, int length) {
        idKind = kind;
        idHigh = high;
        idLow = low;
        idStart = start;
        idLength = length;
    }

    /** Sets the id to that of a record without one. */
    final void clearId() {
        setId(IdKind.EMPTY, 0, 0, 0, 0);
    }

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
        sourceRun = 0;
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
