package io.metricsaggregator.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A ring between the receiving thread, which appends, and the thread {@code journal-writer}, which writes whole pages of it to a file at a time, and the
 * last page, padded with zeros, when nothing more has been published. Positions count the bytes of the file. All methods belong to the receiving thread;
 * it waits when the ring is full. Appending allocates nothing and takes no lock.
 */
final class BlockWriter {
    /** Unit of direct I/O; a multiple of the block size of every file system that is accepted. */
    static final int PAGE = 4096;

    private static final int RING_BYTES = 4 << 20;
    /** Largest single write: the receiving thread gets room that often. */
    private static final int WRITE_BYTES = 1 << 20;
    /** Longest wait before a thread looks again although nothing woke it. */
    private static final long LOOK_NANOS = 10_000_000;

    private final int capacity;
    private final ByteBuffer ring;
    /** Of the thread {@code journal-writer}: the same memory, and the padded last page. */
    private final ByteBuffer source;

    private final ByteBuffer tail = ByteBuffer.allocateDirect(2 * PAGE).alignedSlice(PAGE);
    private final ByteBuffer head = ByteBuffer.allocate(Entries.HEAD_BYTES + 1);
    private final Thread thread;

    private long appended;
    private long waitedNanos;
    private volatile @Nullable Target target;
    private volatile @Nullable Thread waiting;
    private volatile boolean parked;
    private volatile boolean ended;

    /** A file and how far it is: a new one for each file, so that the writing thread never takes the positions of one for those of another. */
    private static final class Target {
        final FileChannel file;
        volatile long published;
        volatile long written;
        volatile @Nullable IOException failure;

        Target(FileChannel file) {
            this.file = file;
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

    /** A writer without a file, whose thread has started. */
    BlockWriter() {
        this(RING_BYTES);
    }

    /**
     * A writer with a smaller ring.
     *
     * @param ringBytes a multiple of {@link #PAGE}, two pages at least
     */
    BlockWriter(int ringBytes) {
        capacity = ringBytes;
        ring = ByteBuffer.allocateDirect(ringBytes + PAGE).alignedSlice(PAGE);
        source = ring.duplicate();
        thread = new Thread(this::run, "journal-writer");
        thread.setDaemon(true);
        thread.start();
    }

    /** Begins with an empty file; all of the one before must be settled, or have failed. */
    void start(FileChannel next) {
        appended = 0;
        waitedNanos = 0;
        target = new Target(next);
    }

    private Target current() throws IOException {
        Target current = target;
        if (current == null) {
            throw new IOException("no segment is open");
        }
        return current;
    }

    /**
     * Appends an entry.
     *
     * @param rest the payload behind the kind; consumed
     * @throws IOException if earlier bytes could not be written
     */
    void append(int length, int checksum, long sequence, byte kind, ByteBuffer rest) throws IOException {
        head.clear().putInt(length).putInt(checksum).putLong(sequence).put(kind).flip();
        append(head);
        append(rest);
    }

    private void append(ByteBuffer bytes) throws IOException {
        Target current = current();
        while (bytes.hasRemaining()) {
            int at = (int) (appended % capacity);
            // The last page that was written stays in the ring: with more bytes it is written again.
            int room = (int) Math.min(capacity - (appended - pageOf(current.written)), capacity - at);
            if (room == 0) {
                publish();
                await(current, appended - capacity + PAGE);
                continue;
            }
            int count = Math.min(room, bytes.remaining());
            ring.put(at, bytes, bytes.position(), count);
            bytes.position(bytes.position() + count);
            appended += count;
        }
    }

    private static long pageOf(long position) {
        return position & -PAGE;
    }

    /**
     * Makes what was appended visible to the writing thread.
     *
     * @throws IOException if earlier bytes could not be written
     */
    void publish() throws IOException {
        Target current = current();
        current.published = appended;
        if (parked) {
            LockSupport.unpark(thread);
        }
        current.throwFailure();
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
        return current == null || (current.written == appended && current.failure == null);
    }

    /** Time that the receiving thread has waited for room or for a write, for the current file. */
    long waitedNanos() {
        return waitedNanos;
    }

    private void await(Target current, long position) throws IOException {
        if (current.written < position) {
            long start = System.nanoTime();
            waiting = Thread.currentThread();
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
            Target current = target;
            if (current == null || current.isIdle()) {
                park();
                continue;
            }
            try {
                write(current);
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

    private void park() {
        parked = true;
        Target current = target;
        if (!ended && (current == null || current.isIdle())) {
            LockSupport.park(this);
        }
        parked = false;
    }

    /** Writes some or all of what is published, and notes how far it came. */
    private void write(Target current) throws IOException {
        long to = current.published;
        long page = pageOf(current.written);
        long whole = pageOf(to);
        int at = (int) (page % capacity);
        if (whole > page) {
            int count = (int) Math.min(Math.min(whole - page, WRITE_BYTES), capacity - at);
            writeFully(current.file, source.clear().position(at).limit(at + count), page);
            current.written = page + count;
        } else {
            int count = (int) (to - page);
            tail.clear();
            tail.put(0, source.clear(), at, count);
            for (int i = count; i < PAGE; i++) {
                tail.put(i, (byte) 0);
            }
            writeFully(current.file, tail.limit(PAGE), page);
            current.written = to;
        }
    }

    private static void writeFully(FileChannel into, ByteBuffer pages, long position) throws IOException {
        long at = position;
        while (pages.hasRemaining()) {
            int count = into.write(pages, at);
            at += count;
            if (pages.hasRemaining() && at % PAGE != 0) {
                // Direct I/O cannot go on within a page; a disk that is full ends a write there.
                throw new IOException("the file took " + count + " bytes only: no space left on device?");
            }
        }
    }
}
