package io.metricsaggregator.storage;

import io.metricsaggregator.registry.raw.MemorySlab;
import io.metricsaggregator.registry.raw.RawBudget;
import io.metricsaggregator.registry.raw.SlabStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps values in memory outside the heap up to a bound, and beyond it in a file: the thread {@code spill} writes full slabs and returns
 * their memory to be filled again. When the disk is full or slower than the values arrive, there is no further slab, and the series that
 * needs one loses its exact percentiles. Apart from the work of that thread, memory is taken and given back by the threads that own registries, one at a
 * time, and all other methods belong to the thread that owns the run.
 */
public final class ValueStorage implements SlabStore, Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(ValueStorage.class);
    /** Slabs beyond the bound that may wait to be written or be filled at the same time: 16 MiB. */
    private static final int SPILLING_MAX = 64;

    private static final long PATIENCE_MILLIS = 60_000;

    private final BlockSupply memory = new BlockSupply("value-memory", SLAB_BYTES);
    private final RawBudget budget;
    private final @Nullable Path spillDirectory;
    private final ArrayBlockingQueue<ByteBuffer> written = new ArrayBlockingQueue<>(SPILLING_MAX);
    private final ArrayBlockingQueue<SpilledSlab> unwritten = new ArrayBlockingQueue<>(SPILLING_MAX);
    /** How long {@link #newSlab} waits for the disk. */
    private final long patienceMillis;

    private int spilling;
    private boolean saidFull;
    private @Nullable SpillFile file;
    private @Nullable Thread spillThread;

    /**
     * An empty storage.
     *
     * @param maxBytes bound on memory
     * @param spillDirectory directory of the file for values beyond the bound; null to keep none of them
     */
    public ValueStorage(long maxBytes, @Nullable Path spillDirectory) {
        this(maxBytes, spillDirectory, 0);
    }

    private ValueStorage(long maxBytes, @Nullable Path spillDirectory, long patienceMillis) {
        this.budget = new RawBudget(maxBytes);
        this.spillDirectory = spillDirectory;
        this.patienceMillis = patienceMillis;
    }

    /**
     * An empty storage that waits for the disk up to a minute, for values that are read rather than received.
     *
     * @param maxBytes bound on memory
     * @param spillDirectory directory of the file for values beyond the bound
     */
    public static ValueStorage patient(long maxBytes, Path spillDirectory) {
        return new ValueStorage(maxBytes, spillDirectory, PATIENCE_MILLIS);
    }

    @Override
    public synchronized boolean take(long bytes) {
        return budget.take(bytes);
    }

    @Override
    public synchronized boolean takeStaging(long bytes) {
        if (spillDirectory == null) {
            return take(bytes);
        }
        budget.takeAnyway(bytes);
        return true;
    }

    @Override
    public synchronized void giveBack(long bytes) {
        budget.giveBack(bytes);
    }

    @Override
    public synchronized @Nullable Slab newSlab() {
        if (take(SLAB_BYTES)) {
            return new MemorySlab(memory.take(), this);
        }
        if (!saidFull) {
            saidFull = true;
            LOG.warn(
                    "memory for values full bytes={}: {}",
                    budget.usedBytes(),
                    spillDirectory == null
                            ? "series that need more lose their exact percentiles. See --max-values-memory and --spill-dir"
                            : "later values are spilled to a file in " + spillDirectory);
        }
        return spillDirectory == null ? null : newSpilledSlab(spillDirectory);
    }

    private @Nullable Slab newSpilledSlab(Path directory) {
        try {
            if (file == null) {
                file = new SpillFile(directory);
                Thread thread = new Thread(this::spill, "spill");
                thread.setDaemon(true);
                spillThread = thread;
                thread.start();
            }
        } catch (IOException e) {
            LOG.warn("spill file not created directory={} cause={}", directory, e.toString());
            return null;
        }
        ByteBuffer buffer = written.poll();
        if (buffer == null && spilling < SPILLING_MAX) {
            spilling++;
            buffer = memory.take().order(ByteOrder.LITTLE_ENDIAN);
        }
        if (buffer == null && patienceMillis > 0 && !file.isBroken()) {
            buffer = awaitWritten();
        }
        if (buffer == null || file.isBroken()) {
            LOG.warn("values not spilled directory={}: the disk is too slow or full", directory);
            return null;
        }
        return new SpilledSlab(buffer, file);
    }

    private @Nullable ByteBuffer awaitWritten() {
        try {
            return written.poll(patienceMillis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    private void spill() {
        try {
            while (true) {
                SpilledSlab slab = unwritten.take();
                ByteBuffer free = slab.write();
                if (free != null) {
                    written.put(free);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Bytes of memory in use, without slabs that wait to be written to the file. */
    public long usedBytes() {
        return budget.usedBytes();
    }

    /** Bytes in the spill file; 0 without one. */
    public long spilledBytes() {
        return file == null ? 0 : file.size();
    }

    /** Frees the memory and the file; no slab must be used afterwards. Ends both threads. */
    @Override
    public void close() throws IOException {
        memory.close();
        if (file != null) {
            file.abandon();
        }
        Thread writer = spillThread;
        if (writer != null) {
            writer.interrupt();
        }
        if (file != null) {
            file.close();
        }
    }

    /** A slab that is in memory until it has been written to the file. */
    private final class SpilledSlab implements Slab {
        private final SpillFile into;
        private @Nullable ByteBuffer buffer;
        private long position = -1;

        SpilledSlab(ByteBuffer buffer, SpillFile into) {
            this.buffer = buffer;
            this.into = into;
        }

        @Override
        public synchronized ByteBuffer buffer() {
            if (buffer == null) {
                throw new IllegalStateException("the slab is sealed");
            }
            return buffer;
        }

        @Override
        public void seal() {
            // Cannot fail: there are no more such slabs than places in the queue.
            unwritten.add(this);
        }

        /** Writes the slab; returns its memory, or null if the slab has to stay in it. */
        @Nullable
        ByteBuffer write() {
            ByteBuffer content = buffer();
            long at = into.append(content);
            if (at < 0) {
                return null;
            }
            synchronized (this) {
                position = at;
                buffer = null;
            }
            return content;
        }

        @Override
        public @Nullable ByteBuffer read(ByteBuffer scratch) {
            synchronized (this) {
                if (buffer != null) {
                    return buffer;
                }
            }
            return into.read(position, scratch) ? scratch : null;
        }

        @Override
        public void release() {
            // Its part of the file is not reused.
        }
    }
}
