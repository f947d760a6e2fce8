package io.metricsaggregator.registry;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A slab that stays in memory, whoever's memory it is. */
public final class MemorySlab implements SlabStore.Slab {
    private final ByteBuffer buffer;
    private final SlabStore owner;

    /**
     * A slab.
     *
     * @param memory of {@link SlabStore#SLAB_BYTES}
     * @param owner gets as many bytes back when it is released
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
        // It stays where it is.
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
