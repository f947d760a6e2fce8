package io.metricsaggregator.publish;

import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SnapshotDetail;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the terminal snapshot to disk, as a stream, on the thread {@code disk}. A failed write is tried a second time as a new file,
 * then in the fallback directory; only a durable file counts. If the content cannot be produced (the heap is full), or no directory has
 * room for it, it is written with less detail, step by step (see {@link SnapshotDetail}), and names the parts left out.
 */
public final class FinalSnapshotWriter {
    /** Name of the file. */
    public static final String FILE_NAME = "final_snapshot.json";

    private static final Logger LOG = LoggerFactory.getLogger(FinalSnapshotWriter.class);

    private final List<AtomicFile> attempts = new ArrayList<>();
    private final JsonSnapshotCodec codec = new JsonSnapshotCodec();
    private final Runnable whenMemoryIsShort;
    private @Nullable FutureTask<@Nullable Path> writing;

    /**
     * A writer to {@code directory}.
     *
     * @param fallback directory to write to if that fails; null for none
     * @param mode permissions of the file
     * @param whenMemoryIsShort called on the thread {@code disk}, before a second try with less detail: frees memory
     */
    public FinalSnapshotWriter(
            Path directory, @Nullable Path fallback, Set<PosixFilePermission> mode, Runnable whenMemoryIsShort) {
        this(Disk.real(mode), directory, fallback, whenMemoryIsShort);
    }

    FinalSnapshotWriter(Disk disk, Path directory, @Nullable Path fallback, Runnable whenMemoryIsShort) {
        this.whenMemoryIsShort = whenMemoryIsShort;
        attempts.add(new AtomicFile(disk, directory, FILE_NAME));
        attempts.add(new AtomicFile(disk, directory, FILE_NAME));
        if (fallback != null) {
            attempts.add(new AtomicFile(disk, fallback, FILE_NAME));
        }
    }

    /** Whether {@code fileName} is a temporary file that a killed process left when it wrote a final snapshot. */
    public static boolean isLeftover(String fileName) {
        return AtomicFile.leftovers(FILE_NAME).matcher(fileName).matches();
    }

    /** Starts to write without a time limit; to be called once. */
    public void start(MetricsSnapshot snapshot) {
        start(snapshot, () -> false);
    }

    /**
     * Starts to write; to be called once.
     *
     * @param outOfTime called every 64 KiB, on the thread {@code disk}; once it returns true, the write is abandoned, and only figures
     *     are written
     */
    public void start(MetricsSnapshot snapshot, BooleanSupplier outOfTime) {
        FutureTask<@Nullable Path> task = new FutureTask<>(() -> write(snapshot, outOfTime));
        writing = task;
        Thread thread = new Thread(task, "disk");
        thread.setDaemon(true);
        thread.start();
    }

    private @Nullable Path write(MetricsSnapshot snapshot, BooleanSupplier outOfTime) {
        for (SnapshotDetail detail : SnapshotDetail.values()) {
            try {
                boolean noRoom = true;
                for (AtomicFile file : attempts) {
                    AtomicFile.Step failed = write(file, detail, snapshot, outOfTime);
                    if (failed == null) {
                        return file.path();
                    }
                    noRoom &= failed == AtomicFile.Step.WRITE;
                }
                if (!noRoom) {
                    return null;
                }
                LOG.error("final snapshot not written with detail={}: trying with less", detail);
            } catch (RuntimeException | Error e) {
                whenMemoryIsShort.run();
                LOG.error("final snapshot not encoded detail={} cause={}", detail, e.toString());
            }
        }
        return null;
    }

    /** Writes one file; returns the step that failed, null for none. */
    private AtomicFile.@Nullable Step write(
            AtomicFile file, SnapshotDetail detail, MetricsSnapshot snapshot, BooleanSupplier outOfTime) {
        try {
            MetricsSnapshot reduced = detail.of(snapshot);
            boolean last = detail == SnapshotDetail.FIGURES;
            file.write(to -> codec.write(reduced, last ? to : new HurriedStream(to, outOfTime)));
            if (detail != SnapshotDetail.ALL) {
                SnapshotExtensions extensions = reduced.extensions();
                LOG.warn(
                        "final snapshot is incomplete left_out={}",
                        extensions.completeness().leftOut());
            }
            return null;
        } catch (AtomicFile.WriteException e) {
            LOG.error("{}", e.getMessage());
            return e.step();
        }
    }

    /** Whether the write has ended, with or without a durable file. */
    public boolean isDone() {
        return writing != null && writing.isDone();
    }

    /**
     * Waits for the end of the write.
     *
     * @return the durable file; null if there is none in time
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
                    // An interrupt does not make the file less durable: only time ends the wait.
                    interrupted = true;
                }
            }
        } catch (TimeoutException e) {
            LOG.error(
                    "writing the final snapshot takes too long file={}: it may not become durable",
                    attempts.get(0).path());
            return null;
        } catch (ExecutionException e) {
            LOG.error("final snapshot not written file={}", attempts.get(0).path(), e.getCause());
            return null;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
