package io.metricsaggregator.registry.raw;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Provides the slabs that packed values of series are kept in, in memory or elsewhere, within a bound. All methods belong to the thread
 * that owns the registry, except {@link Slab#read}.
 */
public interface SlabStore {
    /** Size of a slab in bytes. */
    int SLAB_BYTES = 256 << 10;

    /** Takes memory from the bound; returns false if there is not enough. {@link #giveBack} returns it. */
    boolean take(long bytes);

    /**
     * Takes memory in which a series stages its values until they are packed, at most 32 KiB a series. A store with room beyond its bound grants
     * it there too: without it, a series that begins late could not be kept at all.
     *
     * @return false if there is not enough
     */
    default boolean takeStaging(long bytes) {
        return take(bytes);
    }

    /** Returns memory to the bound. */
    void giveBack(long bytes);

    /** Returns an empty slab; null if there is no room for one. */
    @Nullable
    Slab newSlab();

    /** Memory for some values of one series. */
    interface Slab {
        /** Returns its memory until it is sealed: little-endian, {@link #SLAB_BYTES} long. */
        ByteBuffer buffer();

        /** Ends filling: from now on the slab is only read. */
        void seal();

        /**
         * Returns the content of the slab. Safe from any thread.
         *
         * @param scratch as long as a slab, little-endian; takes the content if it is not in memory
         * @return the content; null if it cannot be read
         */
        @Nullable
        ByteBuffer read(ByteBuffer scratch);

        /** Frees the slab; it must not be used afterwards. */
        void release();
    }
}
