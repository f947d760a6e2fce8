package io.metricsaggregator.producer;

import io.metricsaggregator.event.ChunkPart;
import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The chunks of one sample of a {@link Worker}, the later of which may wait for a frame. Thread-safe, as far as the order of its chunks is the caller's. */
public final class Sample {
    private static final int PARTS_BITS = 8;
    /** An id of so many characters is short enough for a handle in any script. */
    private static final int ID_MAX_CHARS = 85;

    private static final ChunkPart[] PARTS = ChunkPart.values();

    private final Worker worker;
    private final String id;

    // Guarded by the publisher's lock.
    int handle = DecodedEvent.NO_HANDLE;
    private boolean received;
    private String conversation = "";
    private @Nullable Long turn;
    /** Of each chunk that waits, its time, then its tokens and part. */
    private long[] chunks = new long[0];

    private int length;

    Sample(Worker worker, String id) {
        if (id.isEmpty()) {
            throw new IllegalArgumentException("the id of a sample is empty");
        }
        this.worker = worker;
        this.id = id;
    }

    /** Publishes a chunk with content: the first as {@code sample.recv_first}, later ones as {@code sample.recv_non_first}. */
    public void token(long nanos) throws IOException {
        worker.token(this, nanos, null, null);
    }

    /**
     * Publishes a chunk with content; blocks while the publisher's queue is full.
     *
     * @param nanos when it arrived, on the clock of {@link System#nanoTime}
     * @param part what it holds; null if unknown
     * @param tokens number of tokens in it, 0 to {@link DecodedEvent#CHUNK_TOKENS_MAX}; null if unknown
     * @throws IOException if the sockets failed or the publisher is closed
     */
    public void token(long nanos, @Nullable ChunkPart part, @Nullable Integer tokens) throws IOException {
        if (tokens != null && (tokens < 0 || tokens > DecodedEvent.CHUNK_TOKENS_MAX)) {
            throw new IllegalArgumentException(
                    "tokens " + tokens + " of a chunk are not 0 to " + DecodedEvent.CHUNK_TOKENS_MAX);
        }
        worker.token(this, nanos, part, tokens);
    }

    // -- For the worker, with the publisher's lock held
    // ----------------------------------------------------------------

    String id() {
        return id;
    }

    boolean mayHaveHandle() {
        return id.length() <= ID_MAX_CHARS;
    }

    void open(int given, EventRecord first) {
        handle = given;
        received = true;
        conversation = first.conversationId();
        turn = first.turn();
    }

    /** Whether a time can be in a frame, whose offsets have 32 bits. */
    static boolean isTime(long nanos) {
        return nanos <= Long.MAX_VALUE - (1L << 32);
    }

    /** Whether a chunk in a frame says all that a record of the sample says. */
    boolean holds(EventRecord event) {
        return event.type() == EventType.SAMPLE_RECV_NON_FIRST
                && event.data() == null
                && event.finishReason() == null
                && event.scheduledNanos() == null
                && event.optional().isOfChunk()
                && isTime(event.timestampNanos())
                && event.conversationId().equals(conversation)
                && Objects.equals(event.turn(), turn);
    }

    /** The record that a chunk is on its own. */
    EventRecord record(long nanos, @Nullable ChunkPart part, @Nullable Integer tokens) {
        EventType type = received ? EventType.SAMPLE_RECV_NON_FIRST : EventType.SAMPLE_RECV_FIRST;
        received = true;
        EventRecord record = EventRecord.sample(type, nanos, id).inConversation(conversation, turn);
        record = part == null ? record : record.withPart(part);
        return tokens == null ? record : record.withTokens(tokens);
    }

    void append(long nanos, @Nullable ChunkPart part, @Nullable Integer tokens) {
        if (length == chunks.length) {
            chunks = Arrays.copyOf(chunks, Math.max(8, 2 * length));
        }
        int count = tokens == null ? DecodedEvent.NO_CHUNK_KEY : tokens;
        chunks[length] = nanos;
        chunks[length + 1] = (long) count << PARTS_BITS | (part == null ? 0 : part.ordinal() + 1);
        length += 2;
    }

    int count() {
        return length / 2;
    }

    long nanos(int chunk) {
        return chunks[2 * chunk];
    }

    @Nullable
    Integer tokens(int chunk) {
        int tokens = (int) (chunks[2 * chunk + 1] >> PARTS_BITS);
        return tokens == DecodedEvent.NO_CHUNK_KEY ? null : (Integer) tokens;
    }

    @Nullable
    ChunkPart part(int chunk) {
        int part = (int) (chunks[2 * chunk + 1] & ((1 << PARTS_BITS) - 1));
        return part == 0 ? null : PARTS[part - 1];
    }

    long earliest() {
        long earliest = Long.MAX_VALUE;
        for (int i = 0; i < length; i += 2) {
            earliest = Math.min(earliest, chunks[i]);
        }
        return earliest;
    }

    void clear() {
        length = 0;
    }
}
