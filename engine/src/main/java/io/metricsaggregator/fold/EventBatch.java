package io.metricsaggregator.fold;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.event.Malformation;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Up to {@value #EVENTS} records of a run on their way through the threads of a {@link PartitionedFold}: their bytes, the decoded events, their stamps,
 * the lane of each, and what the lanes hand back. Recycled, so that a batch allocates nothing but room for unusually large records. One thread at a time
 * fills, decodes and stamps it; then every lane reads it and writes its own {@link LaneEffects}; then the first thread has it again.
 */
public final class EventBatch {
    /** Records of a batch at most. */
    public static final int EVENTS = 256;

    /** Bytes of a batch, unless its only record is larger. */
    public static final int BYTES = 96 << 10;

    /** Lane of a record that no lane takes. */
    static final byte NO_LANE = -1;
    /** Lane of an event of the session, which is not late. */
    static final byte SESSION = -2;

    final DecodedEvent[] events = new DecodedEvent[EVENTS];
    final SampleStamp[] stamps = new SampleStamp[EVENTS];
    final byte[] lanes = new byte[EVENTS];
    /** The numbers of each lane's events. */
    final int[][] places;

    final int[] sizes;
    final LaneEffects[] effects;

    private final @Nullable Malformation[] malformations = new @Nullable Malformation[EVENTS];
    private final int[] starts = new int[EVENTS];
    private final int[] lengths = new int[EVENTS];
    private final ByteBuffer usual = ByteBuffer.allocateDirect(BYTES);
    private ByteBuffer bytes = usual;
    private int used;
    private int size;
    private long receivedNanos;
    private @Nullable Throwable failure;

    /**
     * An empty batch.
     *
     * @param lanes number of lanes
     */
    public EventBatch(int lanes) {
        places = new int[lanes][EVENTS];
        sizes = new int[lanes];
        effects = new LaneEffects[lanes];
        for (int i = 0; i < lanes; i++) {
            effects[i] = new LaneEffects(i, lanes);
        }
        for (int i = 0; i < EVENTS; i++) {
            events[i] = new DecodedEvent();
            stamps[i] = new SampleStamp();
        }
    }

    /** Empties the batch for the next records. */
    public void clear() {
        used = 0;
        size = 0;
        failure = null;
        bytes = usual;
        for (int i = 0; i < sizes.length; i++) {
            sizes[i] = 0;
            effects[i].clear();
        }
    }

    /** Whether a record of {@code length} bytes fits; into an empty batch every record does. */
    public boolean hasRoom(int length) {
        return size == 0 || (size < EVENTS && used + length <= bytes.capacity());
    }

    /** Copies a record, which must fit. */
    public void add(ByteBuffer from, int start, int length) {
        if (length > bytes.capacity()) {
            bytes = ByteBuffer.allocateDirect(length);
        }
        bytes.put(used, from, start, length);
        starts[size] = used;
        lengths[size] = length;
        lanes[size] = NO_LANE;
        used += length;
        size++;
    }

    /** Number of records. */
    public int size() {
        return size;
    }

    /** Whether a record needed more room than a batch usually has. */
    @SuppressWarnings("ReferenceEquality") // which of two buffers, not what is in them
    public boolean isLarge() {
        return bytes != usual;
    }

    /** Sets the monotonic time at which the records were received. */
    public void received(long nanos) {
        receivedNanos = nanos;
    }

    /** Monotonic time at which the records were received. */
    public long receivedNanos() {
        return receivedNanos;
    }

    /** Decodes the records. Keeps what is thrown, for {@link #requireDecoded}. */
    public void decode(EventDecoder decoder) {
        try {
            for (int i = 0; i < size; i++) {
                malformations[i] = decoder.decode(bytes, starts[i], lengths[i], events[i]);
            }
        } catch (RuntimeException | Error e) {
            failure = e;
        }
    }

    /** Notes that the thread that was to decode the batch died. */
    public void breakBy(Throwable cause) {
        failure = cause;
    }

    /** Throws what {@link #decode} was broken by, if anything. */
    public void requireDecoded() {
        Throwable cause = failure;
        if (cause instanceof Error error) {
            throw error;
        }
        if (cause instanceof RuntimeException exception) {
            throw exception;
        }
    }

    /** The event of a record; undefined if it is malformed. */
    public DecodedEvent event(int i) {
        return events[i];
    }

    /** Why a record is malformed; null if it is not. */
    public @Nullable Malformation malformation(int i) {
        return malformations[i];
    }

    /** Holds the records. */
    public ByteBuffer bytes() {
        return bytes;
    }

    /** Where a record starts in {@link #bytes}. */
    public int start(int i) {
        return starts[i];
    }

    /** Length of a record in bytes. */
    public int length(int i) {
        return lengths[i];
    }

    /** Whether a lane takes any of the events. */
    public boolean isFor(int lane) {
        return sizes[lane] > 0;
    }

    void give(int i, int lane) {
        lanes[i] = (byte) lane;
        places[lane][sizes[lane]++] = i;
    }
}
