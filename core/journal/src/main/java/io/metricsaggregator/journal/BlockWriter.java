package io.metricsaggregator.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Blocks between the receiving thread, which fills them, and the thread {@code journal-writer}, which writes them to a file. It writes whole blocks: each
 * write costs both threads an interrupt and a switch, whatever its size. A block that is not full is written {@link #LINGER_NANOS} after its first byte,
 * earlier if fsyncs are closer together, or at once when the receiving thread waits; its last page is then padded with zeros, and written again with the
 * bytes that follow. Positions count the bytes of the file. All methods belong to the receiving thread; it waits when all blocks are full. Appending takes
 * no lock, and allocates nothing but blocks.
 */
final class BlockWriter {
    /** Unit of direct I/O; a multiple of the block size of every file system that is accepted. */
    static final int PAGE = 4096;

    private static final int BLOCK_BYTES = 1 << 20;
    /** What a disk that pauses for some 15 ms leaves behind at 2 GB/s; less in a small heap, at least 4. */
    private static final int BLOCKS_MAX = 32;
    /** One block for so many bytes of the heap. */
    private static final long HEAP_BYTES = 16 << 20;
    /** Longest time that a written burst waits for its block to fill. */
    static final long LINGER_NANOS = 5_000_000;
    /** Longest wait of the receiving thread before it looks again although nothing woke it. */
    private static final long LOOK_NANOS = 10_000_000;

    private final BlockPool pool;
    private final int blockBytes;
    private final long lingerNanos;
    /** The block of a position in the file, at {@code position / blockBytes} modulo the length. */
    private final BlockPool.@Nullable Block[] slots;

    /** Of the thread {@code journal-writer}: the padded last page. */
    private final ByteBuffer tail = ByteBuffer.allocateDirect(2 * PAGE).alignedSlice(PAGE);

    private final CRC32C crc = new CRC32C();
    private @Nullable ByteBuffer pages;

    private final ByteBuffer head = ByteBuffer.allocate(Entries.HEAD_BYTES + 1);
    final Thread thread;

    /** The block at {@link #appended}; null where a new one begins. */
    private BlockPool.@Nullable Block filling;

    private long appended;
    /** Place of the latest entry in the file, and of what follows it. */
    private long entryStart;

    private long entryEnd;
    private long waitedNanos;
    private volatile @Nullable Target target;
    private volatile @Nullable Thread waiting;
    private volatile boolean idle;
    private volatile boolean lingering;
    private volatile boolean ended;

    /** A file and how far it is: a new one for each file, so that the writing thread never takes the positions of one for those of another. */
    private static final class Target {
        final FileChannel file;
        final @Nullable PackedEntries packed;
        volatile long published;
        volatile long written;
        volatile @Nullable IOException failure;
        /** Of the writing thread: what is published up to here has waited for its block to fill. */
        long lingered;
        /** Of the writing thread: up to here the entries that lie within a block have their checksums. */
        long sealed;

        Target(FileChannel file, @Nullable PackedEntries packed) {
            this.file = file;
            this.packed = packed;
        }

        boolean isIdle() {
            return written == published || failure != null;
        }

        void throwFailure() throws IOException {
            IOException cause = failure;
            if (cause != null) {
                throw new IOException(cause.getMessage(), cause);
            }
        }
    }

    /**
     * A writer without a file, whose thread has started.
     *
     * @param syncNanos time between fsyncs; 0 or less if no time is kept
     */
    BlockWriter(long syncNanos) {
        this(
                new BlockPool(BLOCK_BYTES, (int)
                        Math.max(4, Math.min(BLOCKS_MAX, Runtime.getRuntime().maxMemory() / HEAP_BYTES))),
                syncNanos);
    }

    /** A writer with blocks of its own. */
    BlockWriter(BlockPool pool, long syncNanos) {
        this.pool = pool;
        blockBytes = pool.blockBytes();
        lingerNanos = syncNanos > 0 ? Math.min(LINGER_NANOS, syncNanos) : LINGER_NANOS;
        slots = new BlockPool.@Nullable Block[pool.most()];
        thread = new Thread(this::run, "journal-writer");
        thread.setDaemon(true);
        thread.start();
    }

    /** Memory for what packs the next file; nobody uses it for those before, which are settled or have failed. */
    ByteBuffer pages() {
        ByteBuffer made = pages;
        if (made == null) {
            made = PagedFile.pages();
            pages = made;
        }
        return made;
    }

    /**
     * Begins with an empty file; all of the one before must be settled, or have failed.
     *
     * @param packed packs what is appended, and writes the file; null to write it as it is
     */
    void start(FileChannel next, @Nullable PackedEntries packed) {
        Target before = target;
        if (before != null) {
            for (long block = before.written / blockBytes; block * blockBytes < appended; block++) {
                pool.give(blockAt(block * blockBytes));
            }
        }
        filling = null;
        appended = 0;
        waitedNanos = 0;
        target = new Target(next, packed);
    }

    private int slot(long position) {
        return (int) (position / blockBytes % slots.length);
    }

    private BlockPool.Block blockAt(long position) {
        return Objects.requireNonNull(slots[slot(position)], "no block holds the position");
    }

    private Target current() throws IOException {
        Target current = target;
        if (current == null) {
            throw new IOException("no segment is open");
        }
        return current;
    }

    /** Whether an entry that comes next does not lie within a block. */
    boolean crosses(int length) {
        return appended % blockBytes + Entries.HEAD_BYTES + length > blockBytes;
    }

    /**
     * Appends an entry.
     *
     * @param checksum written as it is, but that of an entry within a block of a file that is not packed, which the writing thread computes
     * @param rest the payload behind the kind; consumed
     * @throws IOException if earlier bytes could not be written
     */
    void append(int length, int checksum, long sequence, byte kind, ByteBuffer rest) throws IOException {
        entryStart = appended;
        entryEnd = appended + Entries.HEAD_BYTES + length;
        head.clear().putInt(length).putInt(checksum).putLong(sequence).put(kind).flip();
        append(head);
        append(rest);
    }

    private void append(ByteBuffer bytes) throws IOException {
        Target current = current();
        while (bytes.hasRemaining()) {
            BlockPool.Block block = filling == null ? nextBlock(current) : filling;
            int at = (int) (appended % blockBytes);
            int count = Math.min(blockBytes - at, bytes.remaining());
            block.bytes.put(at, bytes, bytes.position(), count);
            bytes.position(bytes.position() + count);
            appended += count;
            if (at + count == blockBytes) {
                filling = null;
                current.published = appended;
                wake();
            }
        }
    }

    private BlockPool.Block nextBlock(Target current) throws IOException {
        BlockPool.Block block = pool.take();
        while (block == null) {
            await(current, appended - (slots.length - 1L) * blockBytes);
            block = pool.take();
        }
        block.firstEntry = entryStart == appended ? appended : entryEnd;
        slots[slot(appended)] = block;
        filling = block;
        return block;
    }

    /**
     * Makes what was appended visible to the writing thread.
     *
     * @throws IOException if earlier bytes could not be written
     */
    void publish() throws IOException {
        Target current = current();
        current.published = appended;
        if (idle) {
            LockSupport.unpark(thread);
        }
        current.throwFailure();
    }

    private void wake() {
        if (idle || lingering) {
            LockSupport.unpark(thread);
        }
    }

    /**
     * Waits until all that was appended is written.
     *
     * @throws IOException if it could not be written
     */
    void settle() throws IOException {
        publish();
        await(current(), appended);
    }

    boolean isSettled() {
        Target current = target;
        // After a failure some of what was appended is not written.
        return current == null || current.written == appended;
    }

    /** Whether all that was published is written. Any thread. */
    boolean isWritten() {
        return withWork() == null;
    }

    /** Time that the receiving thread has waited for a block or for a write, for the current file. */
    long waitedNanos() {
        return waitedNanos;
    }

    private void await(Target current, long position) throws IOException {
        if (current.written < position) {
            long start = System.nanoTime();
            waiting = Thread.currentThread();
            wake();
            while (current.written < position && current.failure == null) {
                LockSupport.parkNanos(this, LOOK_NANOS);
            }
            waiting = null;
            waitedNanos += System.nanoTime() - start;
        }
        current.throwFailure();
    }

    /** Ends the thread; the last file must be settled, or have failed. */
    void end() {
        ended = true;
        LockSupport.unpark(thread);
    }

    private void run() {
        while (!ended) {
            Target current = withWork();
            if (current == null) {
                idle = true;
                if (withWork() == null) {
                    LockSupport.park(this);
                }
                idle = false;
                continue;
            }
            linger(current);
            try {
                if (current.packed == null) {
                    write(current);
                } else {
                    pack(current, current.packed);
                }
            } catch (IOException e) {
                current.failure = e;
            } catch (RuntimeException e) {
                current.failure = new IOException(e);
            }
            Thread waiter = waiting;
            if (waiter != null) {
                LockSupport.unpark(waiter);
            }
        }
    }

    /** The file, if there is something to be written to it; else null. */
    private @Nullable Target withWork() {
        Target current = target;
        return current == null || current.isIdle() ? null : current;
    }

    /** Waits until a block is full, the receiving thread waits, or the time is over; not again for the last page of what has waited. */
    private void linger(Target current) {
        if (current.written < current.lingered) {
            return;
        }
        long start = System.nanoTime();
        long left = lingerNanos;
        lingering = true;
        while (left > 0 && !isBlockFull(current) && waiting == null) {
            LockSupport.parkNanos(this, left);
            left = lingerNanos - (System.nanoTime() - start);
        }
        lingering = false;
        current.lingered = Math.min(current.published, (current.written / blockBytes + 1) * blockBytes);
    }

    private boolean isBlockFull(Target current) {
        return current.published / blockBytes > current.written / blockBytes;
    }

    /** Writes some or all of what is published, up to the end of a block, and notes how far it came. */
    private void write(Target current) throws IOException {
        long written = current.written;
        long page = pageOf(written);
        int at = (int) (page % blockBytes);
        int count = (int) Math.min(current.published - page, blockBytes - at);
        int whole = count & -PAGE;
        BlockPool.Block block = blockAt(page);
        long start = page - at;
        int unsealed = (int) (Math.max(current.sealed, block.firstEntry) - start);
        current.sealed = start + Entries.seal(crc, block.source, unsealed, at + count);
        if (whole > 0) {
            PagedFile.writeFully(current.file, block.source.clear().position(at).limit(at + whole), page);
        } else {
            tail.clear().put(0, block.source.clear(), at, count);
            for (int i = count; i < PAGE; i++) {
                tail.put(i, (byte) 0);
            }
            PagedFile.writeFully(current.file, tail.limit(PAGE), page);
        }
        if (at + whole == blockBytes) {
            pool.give(block);
        }
        current.written = page + (whole > 0 ? whole : count);
    }

    /** Packs what is published, up to the end of a block, and notes how far it came. */
    private void pack(Target current, PackedEntries packed) throws IOException {
        long written = current.written;
        int at = (int) (written % blockBytes);
        int count = (int) Math.min(current.published - written, blockBytes - at);
        BlockPool.Block block = blockAt(written);
        packed.hurry(current.published - written > (long) slots.length / 4 * blockBytes);
        packed.take(block.source.clear().position(at).limit(at + count));
        packed.flush();
        if (at + count == blockBytes) {
            pool.give(block);
        }
        current.written = written + count;
    }

    private static long pageOf(long position) {
        return position & -PAGE;
    }
}
