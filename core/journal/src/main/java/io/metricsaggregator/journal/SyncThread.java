package io.metricsaggregator.journal;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fsyncs the journal on the thread {@code journal}: an interval after something was written, and again each interval while more is. */
final class SyncThread {
    private static final Logger LOG = LoggerFactory.getLogger(SyncThread.class);

    private final ConcurrentLinkedQueue<FileChannel> retired = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<FileChannel> folders = new ConcurrentLinkedQueue<>();
    final AtomicReference<@Nullable Dirty> dirty = new AtomicReference<>();
    private final AtomicLong errors = new AtomicLong();
    private final long intervalNanos;
    private final @Nullable Thread thread;
    /** Whether the thread waits for something to fsync, so that it has to be woken. */
    private volatile boolean idle;

    private volatile boolean ended;

    /** A file that has bytes to be fsynced. */
    interface Dirty {
        FileChannel channel();

        /** Whether an fsync that begins now covers all that was appended before. Any thread. */
        boolean isWritten();
    }

    /**
     * Starts the thread.
     *
     * @param intervalNanos time between calls of fdatasync; 0 or less for no thread
     */
    SyncThread(long intervalNanos) {
        this.intervalNanos = intervalNanos;
        this.thread = intervalNanos > 0 ? new Thread(this::run, "journal") : null;
        if (thread != null) {
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void run() {
        while (!ended) {
            idle = true;
            while (idle && !ended && dirty.get() == null && retired.isEmpty() && folders.isEmpty()) {
                LockSupport.park(this);
            }
            idle = false;
            // What ended the wait for work may have been the end, whose permit is then used up.
            if (!ended) {
                LockSupport.parkNanos(this, intervalNanos);
            }
            if (!ended) {
                sync();
            }
        }
    }

    private void sync() {
        finishRetired();
        Dirty segment = dirty.getAndSet(null);
        if (segment != null) {
            boolean written = segment.isWritten();
            force(segment.channel(), false);
            if (!written) {
                dirty.compareAndSet(null, segment);
            }
        }
    }

    /** Ends the thread's wait for something to fsync, which it then does an interval later. */
    private void wake() {
        if (idle) {
            idle = false;
            LockSupport.unpark(thread);
        }
    }

    private void force(FileChannel segment, boolean metadata) {
        try {
            segment.force(metadata);
        } catch (ClosedChannelException e) {
            // The segment was full, and was synced when it was closed.
            LOG.trace("segment closed before it was synced", e);
        } catch (IOException e) {
            // The kernel may have dropped the dirty pages, even if the next call succeeds.
            if (errors.getAndIncrement() == 0) {
                LOG.error("journal fdatasync failed cause={}", e.toString());
            }
        }
    }

    /** Hands a full segment over to be fsynced and closed on the thread {@code journal}, because that may take long. */
    void retire(FileChannel segment) throws IOException {
        dirty.set(null);
        if (intervalNanos > 0) {
            retired.add(segment);
            wake();
        } else {
            // Without a thread, segments are synced after each burst or never.
            segment.close();
        }
    }

    /**
     * Hands a folder over to be fsynced and closed on the thread {@code journal}, before the new segment in it is; without that thread at once.
     *
     * @throws IOException if it is fsynced at once, and that fails
     */
    void folder(FileChannel folder) throws IOException {
        if (intervalNanos > 0) {
            folders.add(folder);
            wake();
        } else {
            try (folder) {
                folder.force(true);
            }
        }
    }

    /** Fsyncs and closes full segments, and the folders of new ones. */
    void finishRetired() {
        finish(folders, true);
        finish(retired, false);
    }

    private void finish(ConcurrentLinkedQueue<FileChannel> files, boolean metadata) {
        for (FileChannel file = files.poll(); file != null; file = files.poll()) {
            force(file, metadata);
            try {
                file.close();
            } catch (IOException e) {
                LOG.debug("full segment or its folder not closed", e);
            }
        }
    }

    /** Requests an fsync of the bytes appended: one more after each that came before they were written. */
    void dirty(Dirty segment) {
        dirty.set(segment);
        wake();
    }

    long errors() {
        return errors.get();
    }

    /** Ends the thread, and waits for the fsync that it may be at. */
    void end() {
        ended = true;
        if (thread != null) {
            LockSupport.unpark(thread);
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
