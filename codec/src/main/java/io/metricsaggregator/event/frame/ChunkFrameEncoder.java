package io.metricsaggregator.event.frame;

import io.metricsaggregator.codec.MsgpackOutput;
import io.metricsaggregator.event.ChunkPart;
import io.metricsaggregator.event.DecodedEvent;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Collects later chunks of one producer into the payload of a frame that {@link ChunkFrames} reads. Grows with the largest frame. One owner at a time.
 */
public final class ChunkFrameEncoder {
    private static final long OFFSET_MAX = 0xffffffffL;
    private static final int FRAME_BYTES_MAX = 1 << 26;

    private final MsgpackOutput out = new MsgpackOutput();
    private final @Nullable String source;
    private final long worker;
    private final long life;
    private ByteBuffer columns = ByteBuffer.allocate(1 << 12).order(ByteOrder.LITTLE_ENDIAN);
    private long baseNanos;
    private long lowestNanos;
    private boolean hasLowest;
    private boolean hasTokens;
    private boolean hasParts;
    private boolean wide;

    /** An encoder for a source in one of its lives. */
    public ChunkFrameEncoder(String source, long life) {
        this.source = source;
        this.worker = 0;
        this.life = life;
    }

    /** An encoder for a numbered worker in one of its lives. */
    public ChunkFrameEncoder(long worker, long life) {
        this.source = null;
        this.worker = worker;
        this.life = life;
    }

    private static final int ROW_BYTES = 11;

    /** Number of chunks added. */
    public int count() {
        return columns.position() / ROW_BYTES;
    }

    /** Lets the next frame take chunks from a time on, although its first chunk may be up to 4.29 s later; else only chunks from its first one's time on. */
    public void from(long nanos) {
        lowestNanos = nanos;
        hasLowest = true;
    }

    /**
     * Adds a chunk.
     *
     * @param handle 0 to {@link DecodedEvent#HANDLE_MAX}
     * @param nanos time of its arrival
     * @param tokens null if unknown
     * @param part null if unknown
     * @return false, with nothing added, if the time is before that of the first chunk (or {@link #from}) or more than 4.29 s behind it: begin another
     *     frame. The first chunk of a frame is always taken
     */
    public boolean add(int handle, long nanos, @Nullable Integer tokens, @Nullable ChunkPart part) {
        if (handle < 0 || handle > DecodedEvent.HANDLE_MAX) {
            throw new IllegalArgumentException("handle " + handle + " is not 0 to " + DecodedEvent.HANDLE_MAX);
        }
        if (columns.position() == 0) {
            baseNanos = hasLowest && fits(nanos, lowestNanos) ? lowestNanos : nanos;
        }
        if (!fits(nanos, baseNanos)) {
            return false;
        }
        if (columns.remaining() < ROW_BYTES) {
            columns = ByteBuffer.allocate(2 * columns.capacity())
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .put(columns.flip());
        }
        columns.putInt(handle).putInt((int) (nanos - baseNanos));
        columns.putShort((short) (tokens == null ? DecodedEvent.NO_CHUNK_KEY : tokens));
        columns.put((byte) (part == null ? 0 : part.ordinal() + 1));
        hasTokens |= tokens != null;
        hasParts |= part != null;
        wide |= handle > 0xffff;
        return true;
    }

    private static boolean fits(long nanos, long base) {
        return nanos >= base && Long.compareUnsigned(nanos - base, OFFSET_MAX) <= 0;
    }

    /**
     * Returns the payload of the chunks added, at least one, and forgets them.
     *
     * @param sequence number of the first chunk among the producer's records; each further one has the next
     */
    public byte[] take(long sequence) {
        int count = count();
        out.reset(FRAME_BYTES_MAX);
        out.arrayHeader(9);
        out.integer(1);
        if (source == null) {
            out.integer(worker);
        } else {
            out.text(source);
        }
        out.integer(life);
        out.integer(sequence);
        out.integer(baseNanos);
        out.binary(column(count, 0, wide ? Integer.BYTES : Short.BYTES));
        out.binary(column(count, 4, Integer.BYTES));
        optional(hasTokens, count, 8, Short.BYTES);
        optional(hasParts, count, 10, 1);
        columns.clear();
        hasLowest = false;
        hasTokens = false;
        hasParts = false;
        wide = false;
        return out.toByteArray();
    }

    private void optional(boolean present, int count, int place, int width) {
        if (present) {
            out.binary(column(count, place, width));
        } else {
            out.nil();
        }
    }

    /** Copies a column of the rows; the numbers are little-endian, so that a narrower one is the start of a wider. */
    private byte[] column(int count, int place, int width) {
        byte[] column = new byte[count * width];
        for (int i = 0; i < count; i++) {
            columns.get(i * ROW_BYTES + place, column, i * width, width);
        }
        return column;
    }
}
