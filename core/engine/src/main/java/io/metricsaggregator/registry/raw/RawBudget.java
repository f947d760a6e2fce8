package io.metricsaggregator.registry.raw;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Slabs on the heap, within one memory bound for all series of a registry. Belongs to the thread that owns the registry. */
public final class RawBudget implements SlabStore {
    private final long maxBytes;
    private long usedBytes;

    /** An unused budget of {@code maxBytes} bytes for all series together. */
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

    /** Takes memory whether or not there is enough. */
    public void takeAnyway(long bytes) {
        usedBytes += bytes;
    }

    @Override
    public void giveBack(long bytes) {
        usedBytes -= bytes;
    }

    @Override
    public @Nullable Slab newSlab() {
        return take(SLAB_BYTES) ? new MemorySlab(ByteBuffer.allocate(SLAB_BYTES), this) : null;
    }

    /** Bytes taken and not given back. */
    public long usedBytes() {
        return usedBytes;
    }
}
