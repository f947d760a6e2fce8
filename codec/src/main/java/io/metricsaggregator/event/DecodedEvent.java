package io.metricsaggregator.event;

import io.metricsaggregator.codec.Utf8;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One decoded record as the fold needs it: numbers as values, rarely used texts as places in the received bytes. {@link EventDecoder} fills
 * and reuses it; it is valid only as long as the buffer it was decoded from.
 */
public final class DecodedEvent extends DecodedFields {

    /** The type of a record's {@code data}. */
    public enum DataKind {
        NONE,
        TEXT_MODEL_OUTPUT,
        PROMPT_DATA,
        ERROR_DATA,
        PHASE_DATA
    }

    /** The value of {@link #life} for a record without one. */
    public static final long NO_LIFE = -1;

    /** The largest {@code tokens} of a chunk: each token is a value of a series. */
    public static final int CHUNK_TOKENS_MAX = 4096;

    // States of an optional key.
    static final byte ABSENT = 0;
    static final byte PRESENT = 1;
    static final byte REJECTED = 2;

    @Nullable
    EventType type;

    long timestampNanos;
    boolean hasTimestamp;

    final DecodedConversation conversation = new DecodedConversation(this);
    /** Whether the record has a conversation, a turn or an optional key, whose fields are cleared only then. */
    boolean hasOptional;

    @Nullable
    ChunkPart part;

    byte partState;
    byte tokensState;
    int chunkTokens;
    byte labelsState;
    final DecodedLabels labels = new DecodedLabels(this);
    byte usageState;
    final DecodedTrace trace = new DecodedTrace(this);
    final DecodedUsage usage = new DecodedUsage();

    void clear(ByteBuffer bytes, int start) {
        buffer = bytes;
        recordStart = start;
        type = null;
        timestampNanos = 0;
        hasTimestamp = false;
        clearId();
        clearExtension();
        if (hasOptional) {
            clearOptional();
        }
        clearData();
    }

    /** Begins a record whose id has been read already; clears what follows the id. */
    @SuppressWarnings("ReferenceEquality") // A store of the same reference would still mark a card of the heap.
    void begin(ByteBuffer bytes, int start, EventType eventType, long eventNanos) {
        if (buffer != bytes) {
            buffer = bytes;
        }
        recordStart = start;
        type = eventType;
        timestampNanos = eventNanos;
        hasTimestamp = true;
        if (hasExtension) {
            clearExtension();
        }
        if (hasOptional) {
            clearOptional();
        }
        if (hasData) {
            clearData();
        }
    }

    private void clearOptional() {
        hasOptional = false;
        conversation.clear();
        trace.clear();
        usageState = ABSENT;
        usage.clear();
        server.clear();
        job.clear();
        labelsState = ABSENT;
        labels.clear();
        partState = ABSENT;
        part = null;
        tokensState = ABSENT;
        chunkTokens = 0;
        handle = NO_HANDLE;
    }

    /**
     * Makes this a {@code sample.recv_non_first} of a frame of chunks, without an id.
     *
     * @param bytes holds the text of the source, and of an id that is set; not to change while this event is used
     * @param tokens tokens of the chunk; {@link #NO_CHUNK_KEY} for none, and one that breaks the rule of the key is rejected
     * @param partCode ordinal of the {@link ChunkPart} plus 1, 0 for none; any other is rejected
     */
    public void beginChunk(ByteBuffer bytes, long nanos, int tokens, int partCode) {
        begin(bytes, 0, EventType.SAMPLE_RECV_NON_FIRST, nanos);
        clearId();
        nextKeys(nanos, tokens, partCode);
    }

    /** Replaces the time and the keys of a chunk that {@link #beginChunk} began. */
    public void nextKeys(long nanos, int tokens, int partCode) {
        timestampNanos = nanos;
        hasOptional |= tokens != NO_CHUNK_KEY || partCode != 0;
        part = ChunkPart.ofCode(partCode);
        partState = partCode == 0 ? ABSENT : part == null ? REJECTED : PRESENT;
        tokensState = tokens == NO_CHUNK_KEY ? ABSENT : tokens > CHUNK_TOKENS_MAX ? REJECTED : PRESENT;
        chunkTokens = tokensState == PRESENT ? tokens : 0;
    }

    /** Clears the id or the data, which turned out to be invalid. */
    void clear(boolean id, boolean data) {
        if (id) {
            clearId();
        }
        if (data) {
            clearData();
        }
    }

    /** The event's type; null for one this daemon does not know. */
    public @Nullable EventType type() {
        return type;
    }

    /** The producer's monotonic clock, in nanoseconds; the receiver's after {@link #stamp}. */
    public long timestampNanos() {
        return timestampNanos;
    }

    /** Whether the record has the scheduled time of its sample. */
    public boolean hasScheduled() {
        return hasScheduled;
    }

    /** The scheduled time of the sample, on the clock of {@link #timestampNanos}. */
    public long scheduledNanos() {
        return scheduledNanos;
    }

    /** Whether the record has a time of its own. */
    public boolean hasTimestamp() {
        return hasTimestamp;
    }

    /** Sets the timestamp of a record that has none to the time of its receipt. */
    public void stamp(long nowNanos) {
        timestampNanos = nowNanos;
    }

    /** The length of the id's text in bytes. */
    public int idLength() {
        return idLength;
    }

    /** Whether the id's text equals {@code bytes}. */
    public boolean idTextEquals(byte[] bytes) {
        return prefixEquals(idStart, idLength, bytes, Integer.MAX_VALUE);
    }

    /** A copy of the id's text. Allocates. */
    public byte[] copyIdText() {
        return copyOf(idStart, idLength, Integer.MAX_VALUE);
    }

    /** A copy of the id's text, as far as its first {@code maxBytes} bytes. Allocates. */
    public byte[] copyIdText(int maxBytes) {
        return copyOf(idStart, idLength, maxBytes);
    }

    /** The finish reason; null if the record has none. */
    public @Nullable FinishReason finishReason() {
        return finishReason;
    }

    /** Whether the record names the worker that sent it. */
    public boolean hasWorkerId() {
        return hasWorkerId;
    }

    /** The worker's number; one above 2^63 − 1 reads as 2^63 − 1. */
    public long workerId() {
        return workerId;
    }

    /** Whether the record has a sequence number of its source. */
    public boolean hasSequence() {
        return hasSequence;
    }

    /** The sequence number of the record within its source, increasing by 1. */
    public long sequence() {
        return sequence;
    }

    /** The life of the source, at least 0 and another after each start; {@link #NO_LIFE} if the record has none. */
    public long life() {
        return life;
    }

    /** Whether the record names its source by text rather than by worker number. */
    public boolean hasSourceId() {
        return sourceLength > 0;
    }

    /** A copy of the source's name, as far as its first {@code maxBytes} bytes. Allocates. */
    public byte[] copySource(int maxBytes) {
        return copyOf(sourceStart, sourceLength, maxBytes);
    }

    /** Whether the source's name, as far as its first {@code maxBytes} bytes, equals {@code bytes}. */
    public boolean sourceEquals(byte[] bytes, int maxBytes) {
        return prefixEquals(sourceStart, sourceLength, bytes, maxBytes);
    }

    /** A hash of the source's name, as far as its first {@code maxBytes} bytes. */
    public int sourceHash(int maxBytes) {
        int hash = 1;
        int size = Utf8.prefixLength(buffer, sourceStart, sourceLength, maxBytes);
        for (int i = 0; i < size; i++) {
            hash = 31 * hash + buffer.get(sourceStart + i);
        }
        return hash;
    }

    /** What the record says of the same request elsewhere. */
    public DecodedTrace trace() {
        return trace;
    }

    /** The conversation of the record's sample. */
    public DecodedConversation conversation() {
        return conversation;
    }

    /** The type of the record's {@code data}. */
    public DataKind dataKind() {
        return dataKind;
    }

    /** Number of prompt token ids; −1 if the record carries none. */
    public int tokenIdCount() {
        return tokenIdCount;
    }

    /** Samples in one pass over the dataset, above 0, if the record starts a performance phase that announces them; −1 if not. */
    public long announcedSuperPassSize() {
        return announcedTurns;
    }

    /** Length of the encoded {@code data} in bytes; 0 if the record has none. */
    public int dataLength() {
        return dataLength;
    }

    /** Copies all of the encoded {@code data} to {@code at} in a buffer, which must have room for it. */
    public void copyData(ByteBuffer into, int at) {
        if (dataLength > 0) {
            // A record without the field has no place of it.
            into.put(at, buffer, dataStart, dataLength);
        }
    }

    /** Whether the error's type, as far as its first {@code maxBytes} bytes, equals {@code bytes}. */
    public boolean errorTypeEquals(byte[] bytes, int maxBytes) {
        return prefixEquals(errorTypeStart, errorTypeLength, bytes, maxBytes);
    }

    /** A copy of the error's type, as far as its first {@code maxBytes} bytes; empty if the record has none. Allocates. */
    public byte[] copyErrorType(int maxBytes) {
        return copyOf(errorTypeStart, errorTypeLength, maxBytes);
    }

    /** The first {@code maxBytes} bytes of the error's message; empty if the record has none. Allocates. */
    public String errorMessage(int maxBytes) {
        return textOf(errorMessageStart, errorMessageLength, maxBytes);
    }

    /** Whether the record has an output, {@link DataKind#TEXT_MODEL_OUTPUT}, with reasoning. */
    public boolean hasReasoning() {
        return hasReasoning;
    }

    /** Whether the record has a valid {@code part} or {@code tokens}. */
    public boolean hasChunkKeys() {
        return partState == PRESENT || tokensState == PRESENT;
    }

    /** Whether {@code part} or {@code tokens} breaks a rule; that key is ignored. */
    public boolean areChunkKeysRejected() {
        return partState == REJECTED || tokensState == REJECTED;
    }

    /** The part of the answer that a chunk belongs to; null if the record does not have it. */
    public @Nullable ChunkPart part() {
        return partState == PRESENT ? part : null;
    }

    /** Whether the record has the number of tokens of its chunk. */
    public boolean hasChunkTokens() {
        return tokensState == PRESENT;
    }

    /** Tokens of the chunk, 0 to {@link #CHUNK_TOKENS_MAX}; 0 unless {@link #hasChunkTokens()}. */
    public int chunkTokens() {
        return chunkTokens;
    }

    /** Whether the record has valid {@code labels}, at least one. */
    public boolean hasLabels() {
        return labelsState == PRESENT;
    }

    /** Whether the record has {@code labels} that break a rule; they are ignored as a whole. */
    public boolean areLabelsRejected() {
        return labelsState == REJECTED;
    }

    /** The labels of the record; valid only if {@link #hasLabels()}. */
    public DecodedLabels labels() {
        return labels;
    }

    boolean equalsAt(int start, int length, byte[] bytes) {
        return prefixEquals(start, length, bytes, Integer.MAX_VALUE);
    }

    String textAt(int start, int length) {
        return Utf8.read(buffer, start, length);
    }

    /** Whether the record has a valid {@code usage} with at least one count. */
    public boolean hasUsage() {
        return usageState == PRESENT;
    }

    /** Whether the record has a {@code usage} that breaks a rule; it is ignored as a whole. */
    public boolean isUsageRejected() {
        return usageState == REJECTED;
    }

    /** The tokens that the request used; valid only if {@link #hasUsage()}. */
    public DecodedUsage usage() {
        return usage;
    }

    private String textOf(int start, int length, int maxBytes) {
        return length == 0 ? "" : Utf8.read(buffer, start, Utf8.prefixLength(buffer, start, length, maxBytes));
    }

    private byte[] copyOf(int start, int length, int maxBytes) {
        byte[] bytes = new byte[Utf8.prefixLength(buffer, start, length, maxBytes)];
        if (bytes.length > 0) {
            // A record without the field has no place of it.
            buffer.get(start, bytes);
        }
        return bytes;
    }

    private boolean prefixEquals(int start, int length, byte[] bytes, int maxBytes) {
        if (Utf8.prefixLength(buffer, start, length, maxBytes) != bytes.length) {
            return false;
        }
        int last = bytes.length - Long.BYTES;
        for (int i = 0; i < last; i += Long.BYTES) {
            if (buffer.getLong(start + i) != OrderedKeysDecoder.word(bytes, i)) {
                return false;
            }
        }
        if (last >= 0) {
            return buffer.getLong(start + last) == OrderedKeysDecoder.word(bytes, last);
        }
        for (int i = 0; i < bytes.length; i++) {
            if (buffer.get(start + i) != bytes[i]) {
                return false;
            }
        }
        return true;
    }
}
