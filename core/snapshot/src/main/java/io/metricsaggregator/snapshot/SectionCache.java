package io.metricsaggregator.snapshot;

import io.metricsaggregator.codec.MsgpackOutput;
import java.util.ArrayList;
import java.util.List;

/**
 * The parts of the snapshot that was encoded last, by their place, and its bytes. A part of the next snapshot whose source is the same object as that in
 * its place is copied from there rather than encoded, together with its neighbours. One owner at a time.
 */
final class SectionCache {
    /** A part and the range of its bytes; {@code source} is immutable. */
    private record Part(String key, Object source, int start, int end) {
        /** The same object, not an equal one: the JVM first has to link {@code equals} of each record, which takes longer than a short run encodes. */
        @SuppressWarnings("ReferenceEquality")
        boolean isOf(String otherKey, Object otherSource) {
            return source == otherSource && key.equals(otherKey);
        }
    }

    private final MsgpackOutput out;
    private List<Part> last = new ArrayList<>();
    private List<Part> present = new ArrayList<>();
    private byte[] lastBytes = new byte[0];
    private int copied;
    /** Range of the last bytes that follows what the output has; empty if both are equal. */
    private int pendingStart;

    private int pendingEnd;

    /** Without a last snapshot: the first one is encoded in full. */
    SectionCache(MsgpackOutput out) {
        this.out = out;
    }

    /** Starts a snapshot in an empty output. A snapshot that was started and not ended is forgotten. */
    void start() {
        present.clear();
        copied = 0;
        pendingStart = 0;
        pendingEnd = 0;
    }

    /**
     * Copies the part in the next place from the last snapshot, if it is the same.
     *
     * @param key tells parts of one source with different bytes apart
     * @return whether it was copied; if not, the part has to be written after {@link #flush} and then to be {@link #put}
     */
    boolean copy(String key, Object source) {
        int place = present.size();
        Part known = place < last.size() ? last.get(place) : null;
        if (known == null || !known.isOf(key, source)) {
            return false;
        }
        if (known.start != pendingEnd) {
            flush();
            pendingStart = known.start;
            pendingEnd = known.start;
        }
        int start = out.size() + pendingEnd - pendingStart;
        pendingEnd = known.end;
        present.add(
                start == known.start
                        ? known
                        : new Part(known.key, known.source, start, start + known.end - known.start));
        copied++;
        return true;
    }

    /** Writes the parts that were copied, and returns the place of what follows them. */
    int flush() {
        if (pendingEnd > pendingStart) {
            out.raw(lastBytes, pendingStart, pendingEnd - pendingStart);
        }
        pendingStart = 0;
        pendingEnd = 0;
        return out.size();
    }

    /** Notes that a part was written from {@code start} to the present end of the output. */
    void put(String key, Object source, int start) {
        present.add(new Part(key, source, start, out.size()));
    }

    /**
     * Ends a snapshot.
     *
     * @param bytes what the output holds; nobody changes them
     */
    void end(byte[] bytes) {
        List<Part> forgotten = last;
        last = present;
        present = forgotten;
        lastBytes = bytes;
    }

    /** Parts of the last snapshot that were encoded rather than copied. */
    int encoded() {
        return last.size() - copied;
    }
}
