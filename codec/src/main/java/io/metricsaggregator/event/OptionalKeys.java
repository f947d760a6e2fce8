package io.metricsaggregator.event;

import org.jspecify.annotations.Nullable;

/**
 * Keys of a sample's record that peers of other projects skip, grouped so that a record without them is short to make. Immutable.
 *
 * @param usage tokens as the server reports them; only on {@link EventType#SAMPLE_COMPLETE}; null if it does not
 */
public record OptionalKeys(@Nullable Usage usage) {
    /** No optional key. */
    public static final OptionalKeys NONE = new OptionalKeys(null);

    /** Returns a copy with {@code usage}. */
    OptionalKeys withUsage(Usage reported) {
        return new OptionalKeys(reported);
    }

    /** Number of keys that are present. */
    int count() {
        return usage == null ? 0 : 1;
    }
}
