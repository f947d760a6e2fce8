package io.metricsaggregator.journal;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Blocks of direct memory aligned to {@link BlockWriter#PAGE}. The receiving thread takes them, any thread gives them back. The block given back last is
 * taken first, while it is in the processor's cache; memory grows only while a disk falls behind, and stays.
 */
final class BlockPool {
    private final int blockBytes;
    private final int most;
    private final AtomicReference<@Nullable Block> free = new AtomicReference<>();
    private int made;

    /** A block: {@code bytes} of the thread that fills it, {@code source} the same memory for the thread that writes it to disk. */
    static final class Block {
        final ByteBuffer bytes;
        final ByteBuffer source;
        /** Place in the file where the first entry begins that does so here, or behind this block if none does. */
        long firstEntry;

        private @Nullable Block next;

        private Block(int size) {
            bytes = ByteBuffer.allocateDirect(size + BlockWriter.PAGE)
                    .alignedSlice(BlockWriter.PAGE)
                    .limit(size)
                    .slice();
            source = bytes.duplicate();
        }
    }

    /**
     * An empty pool, which has no memory yet.
     *
     * @param blockBytes size of a block, a multiple of {@link BlockWriter#PAGE}
     * @param most largest number of blocks, at least 2
     */
    BlockPool(int blockBytes, int most) {
        this.blockBytes = blockBytes;
        this.most = most;
    }

    int blockBytes() {
        return blockBytes;
    }

    /** Largest number of blocks in use at a time. */
    int most() {
        return most;
    }

    /** Returns a block with arbitrary content; null if all are in use. Only the receiving thread takes blocks, so none can be taken and given back meanwhile. */
    @Nullable
    Block take() {
        Block top = free.get();
        while (top != null && !free.compareAndSet(top, top.next)) {
            top = free.get();
        }
        if (top == null && made < most) {
            made++;
            return new Block(blockBytes);
        }
        return top;
    }

    /** Gives a block back, which its giver does not touch afterwards. */
    void give(Block block) {
        Block top;
        do {
            top = free.get();
            block.next = top;
        } while (!free.compareAndSet(top, block));
    }
}
