package io.metricsaggregator.tokens;

import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * Blocks of memory, made before they are needed. The first touch of new memory costs several times what it costs to copy a text
 * there, so it is paid by a thread of its own, {@code text-memory}, rather than by the one that receives events. Blocks are cut
 * from slabs so large that no garbage collector copies them.
 */
final class BlockSupply {
    private static final int BLOCKS_OF_A_SLAB = 32;
    /** Blocks that wait to be taken: enough to last while the next slab is made. */
    private static final int AHEAD = 2 * BLOCKS_OF_A_SLAB;

    private final ArrayBlockingQueue<ByteBuffer> ready = new ArrayBlockingQueue<>(AHEAD);

    /** Starts the thread, which ends with the process. */
    BlockSupply() {
        Thread thread = new Thread(this::run, "text-memory");
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            while (true) {
                ByteBuffer slab = ByteBuffer.allocate(BLOCKS_OF_A_SLAB * TextBatch.BLOCK_BYTES);
                for (int i = 0; i < BLOCKS_OF_A_SLAB; i++) {
                    ready.put(slab.slice(i * TextBatch.BLOCK_BYTES, TextBatch.BLOCK_BYTES));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A block of {@link TextBatch#BLOCK_BYTES}; never waits. */
    ByteBuffer take() {
        ByteBuffer block = ready.poll();
        return block == null ? ByteBuffer.allocate(TextBatch.BLOCK_BYTES) : block;
    }
}
