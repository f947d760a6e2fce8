package io.metricsaggregator.event;

import io.metricsaggregator.codec.MsgpackCursor;
import io.metricsaggregator.codec.MsgpackType;
import io.metricsaggregator.codec.Utf8;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The place of a sample in the job of an agent, as places in the bytes of its record. A key of another type or range is absent and marked as rejected; it
 * never costs the record. Valid as long as the {@link DecodedEvent} it belongs to.
 */
public final class DecodedJob {
    /** Most {@code parents} of a sample or tool. */
    public static final int PARENTS_MAX = 8;
    /** Longest {@code agent}, in bytes of UTF-8. */
    public static final int AGENT_MAX_BYTES = 64;

    private static final byte MSGPACK_TRUE = (byte) 0xc3;

    // Places of the job, its parents and the agent.
    private static final int ID = PARENTS_MAX;
    private static final int AGENT = PARENTS_MAX + 1;

    private ByteBuffer buffer = DecodedFields.NO_BYTES;
    private final int[] starts = new int[AGENT + 1];
    private final int[] lengths = new int[AGENT + 1];
    private int parents;
    private boolean last;
    private boolean rejected;

    void clear() {
        lengths[ID] = 0;
        lengths[AGENT] = 0;
        parents = 0;
        last = false;
        rejected = false;
    }

    /**
     * Reads one of the keys and leaves the cursor behind its value; nil reads as absent.
     *
     * @return false if the value is not well-formed MessagePack, which makes the record malformed
     */
    boolean read(EventKey key, MsgpackCursor in) {
        buffer = in.buffer();
        int start = in.position();
        int end = in.endOfValue(1);
        if (end < 0) {
            return false;
        }
        boolean valid = switch (key) {
            case JOB_ID -> readText(in, ID, Integer.MAX_VALUE);
            case PARENTS -> readParents(in);
            case AGENT -> readText(in, AGENT, AGENT_MAX_BYTES);
            default -> {
                last = buffer.get(start) == MSGPACK_TRUE;
                yield in.peek() == MsgpackType.BOOLEAN;
            }
        };
        in.position(start);
        rejected |= !valid && !in.atNil();
        in.position(end);
        return true;
    }

    private boolean readText(MsgpackCursor in, int place, int bytesMax) {
        boolean valid = in.readText() && in.length() <= bytesMax;
        starts[place] = in.start();
        lengths[place] = valid ? in.length() : 0;
        return valid;
    }

    private boolean readParents(MsgpackCursor in) {
        parents = 0;
        if (!in.readArrayHeader() || in.count() > PARENTS_MAX) {
            return false;
        }
        int count = in.count();
        for (int i = 0; i < count; i++) {
            if (!readText(in, i, Integer.MAX_VALUE)) {
                return false;
            }
        }
        parents = count;
        return true;
    }

    /** Whether the record has a valid key of a job. */
    public boolean isPresent() {
        return hasId() || parents > 0 || lengths[AGENT] > 0 || last;
    }

    /** Whether a key of the record breaks a rule; that key is ignored. */
    public boolean isRejected() {
        return rejected;
    }

    /** Whether the record names its job; otherwise that is the one of its conversation. */
    public boolean hasId() {
        return lengths[ID] > 0;
    }

    /** Whether the job ends with the record's sample. */
    public boolean isLast() {
        return last;
    }

    /**
     * A hash of 64 bits of the job's id; that of an equal {@link DecodedConversation#hash} is equal. Valid if {@link #hasId}.
     *
     * @param seed secret, so that a producer cannot choose ids that collide
     */
    public long hash(long seed) {
        return SampleIds.hash(buffer, starts[ID], lengths[ID], seed);
    }

    /** Such hashes of the parents' ids. Allocates. */
    public long[] parents(long seed) {
        long[] hashes = new long[parents];
        for (int i = 0; i < parents; i++) {
            hashes[i] = SampleIds.hash(buffer, starts[i], lengths[i], seed);
        }
        return hashes;
    }

    /** Such a hash of the id of a record's sample. */
    public static long sample(DecodedEvent event, long seed) {
        return SampleIds.hash(event.buffer, event.idStart, event.idLength, seed);
    }

    /** Such a hash of an id in a record of another kind. Allocates. */
    public static long hash(String id, long seed) {
        byte[] bytes = id.getBytes(StandardCharsets.UTF_8);
        return SampleIds.hash(ByteBuffer.wrap(bytes), 0, bytes.length, seed);
    }

    /** The agent; empty if the record names none. Allocates. */
    public String agent() {
        return text(AGENT);
    }

    private String text(int place) {
        return lengths[place] == 0 ? "" : Utf8.read(buffer, starts[place], lengths[place]);
    }

    /** The valid keys as an object. Allocates. */
    OptionalKeys.Job toKeys() {
        List<String> ids = IntStream.range(0, parents).mapToObj(this::text).toList();
        return new OptionalKeys.Job(text(ID), ids, lengths[AGENT] == 0 ? null : agent(), last);
    }
}
