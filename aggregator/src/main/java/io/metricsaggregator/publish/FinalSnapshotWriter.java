package io.metricsaggregator.publish;

import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts the terminal snapshot on disk, on the thread {@code disk}. What fails is tried once more as a new file, then in the
 * fallback directory; only a file that is durable counts.
 */
public final class FinalSnapshotWriter {
    /** The file every reader of a run looks for. */
    public static final String FILE_NAME = "final_snapshot.json";

    private static final Logger LOG = LoggerFactory.getLogger(FinalSnapshotWriter.class);

    private final List<AtomicFile> attempts = new ArrayList<>();
    private final JsonSnapshotCodec codec = new JsonSnapshotCodec();
    private @Nullable FutureTask<@Nullable Path> writing;

    /**
     * A writer to {@code directory}.
     *
     * @param fallback where to write if that fails; null for nowhere
     * @param mode permissions of the file
     */
    public FinalSnapshotWriter(Path directory, @Nullable Path fallback, Set<PosixFilePermission> mode) {
        this(Disk.real(mode), directory, fallback);
    }

    FinalSnapshotWriter(Disk disk, Path directory, @Nullable Path fallback) {
        attempts.add(new AtomicFile(disk, directory, FILE_NAME));
        attempts.add(new AtomicFile(disk, directory, FILE_NAME));
        if (fallback != null) {
            attempts.add(new AtomicFile(disk, fallback, FILE_NAME));
        }
    }

    /** Whether a file of that name is what a killed process left of writing a final snapshot. */
    public static boolean isLeftover(String fileName) {
        return AtomicFile.leftovers(FILE_NAME).matcher(fileName).matches();
    }

    /** Starts to write, once. */
    public void start(MetricsSnapshot snapshot) {
        FutureTask<@Nullable Path> task = new FutureTask<>(() -> write(codec.encode(snapshot)));
        writing = task;
        Thread thread = new Thread(task, "disk");
        thread.setDaemon(true);
        thread.start();
    }

    private @Nullable Path write(byte[] content) {
        for (AtomicFile file : attempts) {
            try {
                file.write(content);
                return file.path();
            } catch (AtomicFile.WriteException e) {
                LOG.error("{}", e.getMessage());
            }
        }
        return null;
    }

    /** Whether the outcome is known. */
    public boolean isDone() {
        return writing != null && writing.isDone();
    }

    /**
     * Waits for the outcome.
     *
     * @return where the durable file is; null if there is none, or not in time
     */
    public @Nullable Path await(long timeoutNanos) {
        FutureTask<@Nullable Path> task = writing;
        if (task == null) {
            return null;
        }
        long start = System.nanoTime();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get(Math.max(0, timeoutNanos - (System.nanoTime() - start)), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    // Whoever interrupts does not make the file less durable: only time ends the wait.
                    interrupted = true;
                }
            }
        } catch (TimeoutException e) {
            LOG.error(
                    "writing {} takes too long; it may never be durable",
                    attempts.get(0).path());
            return null;
        } catch (ExecutionException e) {
            LOG.error("writing {} failed", attempts.get(0).path(), e.getCause());
            return null;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
