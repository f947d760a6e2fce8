package io.metricsaggregator.registry;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Where values are kept once they are packed: in slabs, of memory or elsewhere. Taking and sealing belong to the registry's owner. */
public interface SlabStore {
    /** Bytes of a slab. */
    int SLAB_BYTES = 256 << 10;

    /** Takes memory that does not come back but for {@link #giveBack}; false if there is none. */
    boolean take(long bytes);

    /** Gives memory back. */
    void giveBack(long bytes);

    /** A slab to be filled; null if there is no room for another. */
    @Nullable
    Slab newSlab();

    /** A piece of a series' values. */
    interface Slab {
        /** Its memory while it is filled: little-endian, {@link #SLAB_BYTES} long. */
        ByteBuffer buffer();

        /** It is full: from now on it is only read. */
        void seal();

        /**
         * What was written, from any thread.
         *
         * @param scratch as long as a slab, little-endian; used if the content is not in memory
         * @return the content; null if it cannot be had any more
         */
        @Nullable
        ByteBuffer read(ByteBuffer scratch);

        /** Nobody will read it again. */
        void release();
    }
}
