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

/** Fsyncs the journal periodically on the thread {@code journal}, if anything was written. */
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
     * @param intervalNanos time between calls of fdatasync; 0 or less for no thread
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
        } else {
            // Without a thread, segments are synced after each burst or never.
            segment.close();
        }
    }

    /** Fsyncs and closes full segments. */
    void finishRetired() {
        for (FileChannel segment = retired.poll(); segment != null; segment = retired.poll()) {
            force(segment);
            try {
                segment.close();
            } catch (IOException e) {
                LOG.debug("full segment not closed", e);
            }
        }
    }

    /** Requests an fsync of the written bytes. */
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
