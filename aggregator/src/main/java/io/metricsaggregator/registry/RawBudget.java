package io.metricsaggregator.registry;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Slabs on the heap, within a bound for all series of a registry together. */
public final class RawBudget implements SlabStore {
    private final long maxBytes;
    private long usedBytes;

    /** At most {@code maxBytes} for all series together. */
    public RawBudget(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    @Override
    public boolean take(long bytes) {
        if (usedBytes + bytes > maxBytes) {
            return false;
        }
        usedBytes += bytes;
        return true;
    }

    @Override
    public void giveBack(long bytes) {
        usedBytes -= bytes;
    }

    @Override
    public @Nullable Slab newSlab() {
        return take(SLAB_BYTES) ? new HeapSlab() : null;
    }

    /** Bytes in use. */
    public long usedBytes() {
        return usedBytes;
    }

    private final class HeapSlab implements Slab {
        private final ByteBuffer buffer = ByteBuffer.allocate(SLAB_BYTES).order(ByteOrder.LITTLE_ENDIAN);

        @Override
        public ByteBuffer buffer() {
            return buffer;
        }

        @Override
        public void seal() {
            // It stays where it is.
        }

        @Override
        public ByteBuffer read(ByteBuffer scratch) {
            return buffer;
        }

        @Override
        public void release() {
            giveBack(SLAB_BYTES);
        }
    }
}
