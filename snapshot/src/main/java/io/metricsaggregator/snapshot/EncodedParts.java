package io.metricsaggregator.snapshot;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of the parts of the snapshot that was encoded last, by their place. A part of the next snapshot that is equal to the one in its place is
 * copied from here rather than encoded. Holds as many bytes as that snapshot. One owner at a time.
 */
final class EncodedParts {
    /** A part as it was encoded; {@code source} is immutable. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Part(String key, Object source, byte[] bytes) {}

    private final List<Part> parts = new ArrayList<>();
    private int place;
    private int copied;

    /** Starts a snapshot. */
    void start() {
        place = 0;
        copied = 0;
    }

    /**
     * The bytes of the part in the next place, which is passed; null if that part is another one, which then has to be {@link #put}.
     *
     * @param key tells parts with equal sources and different bytes apart
     */
    byte @Nullable [] next(String key, Object source) {
        if (place < parts.size()) {
            Part known = parts.get(place);
            if (known.source.equals(source) && known.key.equals(key)) {
                place++;
                copied++;
                return known.bytes;
            }
        }
        return null;
    }

    /** Keeps a part that was encoded, in the next place. */
    void put(String key, Object source, byte[] bytes) {
        Part part = new Part(key, source, bytes);
        if (place < parts.size()) {
            parts.set(place, part);
        } else {
            parts.add(part);
        }
        place++;
    }

    /** Ends a snapshot: parts of longer ones before it are dropped. */
    void end() {
        parts.subList(place, parts.size()).clear();
    }

    /** Parts of the present snapshot that were encoded rather than copied. */
    int encoded() {
        return place - copied;
    }
}
