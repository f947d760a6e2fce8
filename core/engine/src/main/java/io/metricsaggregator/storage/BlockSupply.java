package io.metricsaggregator.storage;

import java.io.Closeable;
import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Supplies blocks of zeroed memory outside the heap, made in advance. The first touch of new memory costs several times as much as copying
 * to it, so a thread of its own pays for it rather than the one that receives events. The thread starts with the first block taken, so
 * that a run that needs little memory takes little. Thread-safe.
 */
public final class BlockSupply implements Closeable {
    private static final int REGION_BYTES = 4 << 20;
    /** Memory made in advance at the start; each block taken adds another, up to two regions. */
    private static final int FIRST_AHEAD_BYTES = 1 << 19;

    private final String threadName;
    private final int blockBytes;
    private final int aheadMax;
    private final ArrayBlockingQueue<ByteBuffer> ready;
    /** Blocks that may be made now. */
    private final Semaphore room;
    /** Blocks that may be ready at a time. */
    private final AtomicInteger ahead;

    private final AtomicBoolean started = new AtomicBoolean();
    private volatile @Nullable Thread thread;

    /**
     * A supply that has made no block yet.
     *
     * @param threadName name of the thread that makes blocks; a daemon thread, which ends with the process
     * @param blockBytes size of a block; a divisor of 4 MiB
     */
    public BlockSupply(String threadName, int blockBytes) {
        if (REGION_BYTES % blockBytes != 0) {
            throw new IllegalArgumentException("a block of " + blockBytes + " bytes does not divide 4 MiB");
        }
        this.threadName = threadName;
        this.blockBytes = blockBytes;
        // Enough blocks to last while the next region is made.
        this.aheadMax = 2 * REGION_BYTES / blockBytes;
        this.ready = new ArrayBlockingQueue<>(aheadMax);
        int first = Math.max(2, Math.min(aheadMax, FIRST_AHEAD_BYTES / blockBytes));
        this.ahead = new AtomicInteger(first);
        this.room = new Semaphore(first);
    }

    private void run() {
        try {
            while (true) {
                int blocks = Math.max(1, Math.min(ahead.get(), aheadMax) / 2);
                room.acquire(blocks);
                ByteBuffer region = ByteBuffer.allocateDirect(blocks * blockBytes);
                for (int i = 0; i < blocks; i++) {
                    ready.put(region.slice(i * blockBytes, blockBytes));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns a block, big-endian; makes one if none is ready rather than wait. Safe from any thread. */
    public ByteBuffer take() {
        if (started.compareAndSet(false, true)) {
            Thread maker = new Thread(this::run, threadName);
            maker.setDaemon(true);
            thread = maker;
            maker.start();
        }
        ByteBuffer block = ready.poll();
        int released = block == null ? 0 : 1;
        if (ahead.get() < aheadMax && ahead.getAndIncrement() < aheadMax) {
            released++;
        }
        if (released > 0) {
            room.release(released);
        }
        return block == null ? ByteBuffer.allocateDirect(blockBytes) : block;
    }

    /** Number of blocks made in advance and not taken. */
    int ready() {
        return ready.size();
    }

    /** Ends the thread and frees the blocks that were not taken. */
    @Override
    public void close() {
        started.set(true);
        Thread maker = thread;
        if (maker != null) {
            maker.interrupt();
        }
        ready.clear();
    }
}
