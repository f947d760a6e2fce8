package io.metricsaggregator.registry.raw;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A slab that stays in memory for its whole life. */
public final class MemorySlab implements SlabStore.Slab {
    private final ByteBuffer buffer;
    private final SlabStore owner;

    /**
     * An empty slab.
     *
     * @param memory of {@link SlabStore#SLAB_BYTES} bytes
     * @param owner is given the bytes back when the slab is released
     */
    public MemorySlab(ByteBuffer memory, SlabStore owner) {
        this.buffer = memory.order(ByteOrder.LITTLE_ENDIAN);
        this.owner = owner;
    }

    @Override
    public ByteBuffer buffer() {
        return buffer;
    }

    @Override
    public void seal() {
        // Its content stays in memory.
    }

    @Override
    public ByteBuffer read(ByteBuffer scratch) {
        return buffer;
    }

    @Override
    public void release() {
        owner.giveBack(SlabStore.SLAB_BYTES);
    }
}
