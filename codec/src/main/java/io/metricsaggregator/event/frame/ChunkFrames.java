package io.metricsaggregator.event.frame;

import io.metricsaggregator.codec.MsgpackCursor;
import io.metricsaggregator.codec.MsgpackType;
import io.metricsaggregator.codec.Utf8;
import io.metricsaggregator.event.DecodedEvent;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Reads frames of chunks: later chunks of many samples of one producer, as columns. Each of them stands for one {@code sample.recv_non_first}, and the frame for
 * these records in its order; docs/protocol.md has the bytes. {@link #bind} takes the handles by which a frame names its samples from the records of first
 * chunks, so it must see every record before the frame. Any bytes are allowed. One owner at a time; reading a frame allocates nothing.
 */
public final class ChunkFrames {
    /** Largest number of chunks that are read ahead. */
    public static final int AHEAD_MAX = 256;

    /** The value of {@link #producer} for none. */
    public static final int NO_PRODUCER = -1;

    private static final int VERSION = 1;
    private static final int ELEMENTS = 9;
    private static final long OFFSET_BITS = 0xffffffffL;
    private static final int NO_COLUMN = -1;
    private static final VarHandle SHORTS =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private final MsgpackCursor in = new MsgpackCursor();
    private final ChunkHandles handles = new ChunkHandles();
    private final DecodedEvent header = new DecodedEvent();

    // Columns of the chunks read ahead, copied because a buffer chooses its byte order with each read.
    private final byte[] handlesAhead = new byte[Integer.BYTES * AHEAD_MAX];
    private final byte[] offsetsAhead = new byte[Integer.BYTES * AHEAD_MAX];
    private int aheadStart;
    private int aheadEnd;

    private ByteBuffer buffer = ByteBuffer.allocate(0);
    private ChunkHandles.@Nullable Producer producer;
    private int sourceStart;
    private int sourceLength;
    private long worker;
    private long life;
    private long firstSequence;
    private long baseNanos;
    private int count;
    private int index;
    private int handlesAt;
    private boolean wideHandles;
    private int offsetsAt;
    /** {@link #NO_COLUMN} without the column. */
    private int tokensAt;
    /** {@link #NO_COLUMN} without the column. */
    private int partsAt;

    /**
     * Takes the handle of a decoded record, if it has one.
     *
     * @return false if it has one that is rejected; the record itself counts
     */
    public boolean bind(DecodedEvent event) {
        return handles.bind(event);
    }

    /**
     * Checks a frame and moves before its first chunk.
     *
     * @param start start of the payload, behind the topic
     * @return false if it is malformed, and then it has no chunk
     */
    public boolean open(ByteBuffer bytes, int start, int length) {
        buffer = bytes;
        index = 0;
        aheadEnd = 0;
        count = 0;
        in.reset(bytes, start, length);
        if (!in.readArrayHeader() || in.count() < ELEMENTS) {
            return false;
        }
        int elements = in.count();
        int chunks = readHeader() ? readColumns() : 0;
        if (chunks == 0) {
            return false;
        }
        for (int further = elements - ELEMENTS; further > 0; further--) {
            if (!in.skip(1)) {
                return false;
            }
        }
        if (in.remaining() > 0 || firstSequence > Long.MAX_VALUE - chunks) {
            return false;
        }
        header.beginChunk(bytes, 0, DecodedEvent.NO_CHUNK_KEY, 0);
        header.setSource(sourceStart, sourceLength, worker, life, 0);
        producer = handles.find(header);
        count = chunks;
        return true;
    }

    private boolean readHeader() {
        if (!readInteger(VERSION, VERSION) || !readSource() || !readInteger(0, Long.MAX_VALUE)) {
            return false;
        }
        life = in.integer();
        if (!readInteger(0, Long.MAX_VALUE)) {
            return false;
        }
        firstSequence = in.integer();
        if (!readInteger(Long.MIN_VALUE, Long.MAX_VALUE - OFFSET_BITS)) {
            return false;
        }
        baseNanos = in.integer();
        return true;
    }

    private boolean readInteger(long min, long max) {
        return in.readLong() && in.integer() >= min && in.integer() <= max;
    }

    private boolean readSource() {
        sourceStart = 0;
        sourceLength = 0;
        if (in.peek() == MsgpackType.STRING) {
            if (!in.readString() || in.length() == 0 || in.length() > ChunkHandles.NAME_MAX_BYTES) {
                return false;
            }
            sourceStart = in.start();
            sourceLength = in.length();
            return Utf8.isValid(buffer, sourceStart, sourceLength);
        }
        boolean read = in.readInteger();
        worker = read && in.integerExceedsLong() ? Long.MAX_VALUE : in.integer();
        return read;
    }

    /** Finds the columns; returns their number of chunks, or 0 if they do not match. */
    private int readColumns() {
        if (!in.readBinary()) {
            return 0;
        }
        handlesAt = in.start();
        int handleBytes = in.length();
        if (!in.readBinary() || in.length() % Integer.BYTES != 0) {
            return 0;
        }
        offsetsAt = in.start();
        int chunks = in.length() / Integer.BYTES;
        wideHandles = handleBytes == Integer.BYTES * chunks;
        tokensAt = readColumn(Short.BYTES * chunks);
        partsAt = tokensAt == 0 ? 0 : readColumn(chunks);
        boolean matches = (wideHandles || handleBytes == Short.BYTES * chunks) && tokensAt != 0 && partsAt != 0;
        return matches ? chunks : 0;
    }

    /** Finds a column that may be missing; returns {@link #NO_COLUMN} without it, and 0, which is no place behind a header, if it has another length. */
    private int readColumn(int bytes) {
        if (in.atNil()) {
            in.skipNil();
            return NO_COLUMN;
        }
        return in.readBinary() && in.length() == bytes ? in.start() : 0;
    }

    /** Whether chunks of the frame may have tokens or a part. */
    public boolean hasKeys() {
        return tokensAt != NO_COLUMN || partsAt != NO_COLUMN;
    }

    /** Replaces time, tokens and part of an event of this frame by those of a chunk that was read ahead, the next one being 0. */
    public void readKeys(int ahead, DecodedEvent into) {
        into.nextKeys(nanosAhead(ahead), tokens(index + ahead), part(index + ahead));
    }

    private int tokens(int i) {
        return tokensAt == NO_COLUMN
                ? DecodedEvent.NO_CHUNK_KEY
                : Short.reverseBytes(buffer.getShort(tokensAt + Short.BYTES * i)) & 0xffff;
    }

    private int part(int i) {
        return partsAt == NO_COLUMN ? 0 : buffer.get(partsAt + i) & 0xff;
    }

    /** Whether chunks are left. */
    public boolean hasNext() {
        return index < count;
    }

    /**
     * Reads the handles and times of the next chunks, at most {@value #AHEAD_MAX}, for {@link #handleAhead} and {@link #nanosAhead}.
     *
     * @return how many chunks were read, at least one if {@link #hasNext}; none is skipped
     */
    public int readAhead() {
        if (index >= aheadEnd) {
            int size = Math.min(AHEAD_MAX, count - index);
            int handleBytes = wideHandles ? Integer.BYTES : Short.BYTES;
            buffer.get(handlesAt + handleBytes * index, handlesAhead, 0, handleBytes * size);
            buffer.get(offsetsAt + Integer.BYTES * index, offsetsAhead, 0, Integer.BYTES * size);
            aheadStart = index;
            aheadEnd = index + size;
        }
        return aheadEnd - index;
    }

    /** The handle of a chunk that was read ahead, the next one being 0; {@link DecodedEvent#HANDLE_MAX} + 1 for any number that is no handle. */
    public int handleAhead(int i) {
        int at = index - aheadStart + i;
        if (!wideHandles) {
            return (short) SHORTS.get(handlesAhead, Short.BYTES * at) & 0xffff;
        }
        int handle = (int) INTS.get(handlesAhead, Integer.BYTES * at);
        return (handle & ~DecodedEvent.HANDLE_MAX) == 0 ? handle : DecodedEvent.HANDLE_MAX + 1;
    }

    /** The time of a chunk that was read ahead, the next one being 0. */
    public long nanosAhead(int i) {
        int at = index - aheadStart + i;
        return baseNanos + ((int) INTS.get(offsetsAhead, Integer.BYTES * at) & OFFSET_BITS);
    }

    private long nanos(int i) {
        return baseNanos + (Integer.reverseBytes(buffer.getInt(offsetsAt + Integer.BYTES * i)) & OFFSET_BITS);
    }

    /** Moves behind the next chunks. */
    public void skip(int chunks) {
        index += chunks;
    }

    /** The number of the next chunk among the records of its producer. */
    public long sequence() {
        return firstSequence + index;
    }

    /** The life of the producer. */
    public long life() {
        return life;
    }

    /** The number of the frame's producer among those that gave handles; {@link #NO_PRODUCER} if it gave none. */
    public int producer() {
        return producer == null ? NO_PRODUCER : producer.number;
    }

    /** The number of the producer that sent an event, as {@link #producer()} has it. */
    public int producer(DecodedEvent event) {
        ChunkHandles.Producer sender = handles.find(event);
        return sender == null ? NO_PRODUCER : sender.number;
    }

    private int handle(int i) {
        return wideHandles
                ? Integer.reverseBytes(buffer.getInt(handlesAt + Integer.BYTES * i))
                : Short.reverseBytes(buffer.getShort(handlesAt + Short.BYTES * i)) & 0xffff;
    }

    /** Number of chunks in the frame. */
    public int count() {
        return count;
    }

    /**
     * Reads the next chunk into an event, which is valid as long as the buffer of the frame.
     *
     * @return false at the end of the frame
     */
    public boolean next(DecodedEvent into) {
        if (index == count) {
            return false;
        }
        read(into);
        skip(1);
        return true;
    }

    /** Reads the next chunk, of which there must be one, as {@link #next} does, without moving behind it. */
    @SuppressWarnings("ReferenceEquality") // the buffer of the frame, or that of the producer's ids
    public void read(DecodedEvent into) {
        int i = index;
        int named = handle(i);
        ByteBuffer bytes = ChunkHandles.bytes(producer, named, buffer);
        into.beginChunk(bytes, nanos(i), tokens(i), part(i));
        into.setSource(bytes == buffer ? sourceStart : 0, sourceLength, worker, life, firstSequence + i);
        ChunkHandles.setId(producer, named, into);
    }
}
