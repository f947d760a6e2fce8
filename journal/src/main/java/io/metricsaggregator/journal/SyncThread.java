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

/** The thread {@code journal}: brings what was written to the disk, every so often, if there is anything. */
final class SyncThread {
    private static final Logger LOG = LoggerFactory.getLogger(SyncThread.class);

    private final ConcurrentLinkedQueue<FileChannel> retired = new ConcurrentLinkedQueue<>();
    private final AtomicReference<@Nullable FileChannel> dirty = new AtomicReference<>();
    private final AtomicLong errors = new AtomicLong();
    private final long intervalNanos;
    private volatile boolean ended;

    /**
     * Starts the thread.
     *
     * @param intervalNanos time between calls; not above 0 for no thread
     */
    SyncThread(long intervalNanos) {
        this.intervalNanos = intervalNanos;
        if (intervalNanos > 0) {
            Thread thread = new Thread(this::run, "journal");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void run() {
        while (!ended) {
            LockSupport.parkNanos(this, intervalNanos);
            finishRetired();
            FileChannel segment = dirty.getAndSet(null);
            if (segment != null) {
                force(segment);
            }
        }
    }

    private void force(FileChannel segment) {
        try {
            segment.force(false);
        } catch (ClosedChannelException e) {
            // It was full, and synced when it was closed.
            LOG.trace("closed before it was synced", e);
        } catch (IOException e) {
            // What could not be brought to the disk may be gone even if the next call succeeds.
            if (errors.getAndIncrement() == 0) {
                LOG.error("fdatasync of the journal failed: {}", e.toString());
            }
        }
    }

    /** A segment is full: it is brought to the disk and closed, by another thread, for that may take long. */
    void retire(FileChannel segment) throws IOException {
        dirty.set(null);
        if (intervalNanos > 0) {
            retired.add(segment);
        } else {
            // Synced after each burst, or never.
            segment.close();
        }
    }

    /** Brings full segments to the disk and closes them. */
    void finishRetired() {
        for (FileChannel segment = retired.poll(); segment != null; segment = retired.poll()) {
            force(segment);
            try {
                segment.close();
            } catch (IOException e) {
                LOG.debug("closing a full segment", e);
            }
        }
    }

    /** There is something to be brought to the disk. */
    void dirty(@Nullable FileChannel segment) {
        dirty.set(segment);
    }

    long errors() {
        return errors.get();
    }

    void end() {
        ended = true;
    }
}
