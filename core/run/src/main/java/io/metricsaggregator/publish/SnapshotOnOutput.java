package io.metricsaggregator.publish;

import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The terminal snapshot on standard output, as JSON and a line end: the last resort when no file could be written. Written on the thread
 * {@code stdout}, because a pipe without a reader would block the caller.
 */
public final class SnapshotOnOutput {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotOnOutput.class);

    private static final int BUFFER_BYTES = 64 << 10;

    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean written;

    private SnapshotOnOutput() {}

    /** Starts to write on the thread {@code stdout}. */
    @SuppressWarnings("resource") // the process owns standard output
    public static SnapshotOnOutput start(MetricsSnapshot snapshot) {
        return start(snapshot, new FileOutputStream(FileDescriptor.out));
    }

    static SnapshotOnOutput start(MetricsSnapshot snapshot, OutputStream stdout) {
        SnapshotOnOutput output = new SnapshotOnOutput();
        Thread thread =
                new Thread(() -> output.write(snapshot, new BufferedOutputStream(stdout, BUFFER_BYTES)), "stdout");
        thread.setDaemon(true);
        thread.start();
        return output;
    }

    private void write(MetricsSnapshot snapshot, OutputStream out) {
        try {
            new JsonSnapshotCodec().write(snapshot, out);
            out.write('\n');
            out.flush();
            written = true;
            LOG.error("terminal snapshot written to standard output");
        } catch (IOException | RuntimeException | Error e) {
            LOG.error("terminal snapshot lost: standard output cannot be written either cause={}", e.toString());
        } finally {
            ended.countDown();
        }
    }

    /**
     * Waits until the snapshot is written, has failed, or the time is over.
     *
     * @return whether the whole snapshot was written in time
     */
    public boolean await(long timeoutNanos) {
        try {
            if (!ended.await(timeoutNanos, TimeUnit.NANOSECONDS)) {
                LOG.error("terminal snapshot lost: standard output is not read");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return written;
    }
}
