package io.metricsaggregator.daemon;

import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.publish.FinalSnapshotWriter;
import io.metricsaggregator.publish.SteadyStateFiles;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Writes a snapshot that no daemon publishes, such as that of a replay or a merge, with the guarantees of the final snapshot. */
public final class SnapshotFile {
    private static final long PATIENCE_NANOS = 30_000_000_000L;

    private SnapshotFile() {}

    /**
     * Writes {@code final_snapshot.json} and waits up to 30 s until it is durable. Sets the file of an earlier run aside as
     * {@link OutputDirectory#setAside} does, unless the new one cannot be written.
     *
     * @param directory created durably if missing; locked while the file is written
     * @return the file; null if it is not durable, in which case the log names the cause
     * @throws IOException if the directory cannot be created or used
     */
    public static @Nullable Path write(MetricsSnapshot snapshot, Path directory) throws IOException {
        return write(snapshot, new SteadyStateFiles(null), directory);
    }

    /**
     * Writes {@code final_snapshot.json} and the files of its steady state, as {@link #write(MetricsSnapshot, Path)}.
     *
     * @param steady written after the snapshot, or removed
     * @throws IOException if the directory cannot be created or used
     */
    public static @Nullable Path write(MetricsSnapshot snapshot, SteadyStateFiles steady, Path directory)
            throws IOException {
        try (OutputDirectory output = OutputDirectory.open(directory)) {
            Path earlier = output.setAside();
            FinalSnapshotWriter writer =
                    new FinalSnapshotWriter(output.path(), null, DaemonConfig.Output.PRIVATE, () -> {});
            writer.start(snapshot);
            Path written = writer.await(PATIENCE_NANOS);
            if (written == null) {
                output.restore(earlier);
            } else {
                steady.update(output.path(), DaemonConfig.Output.PRIVATE);
            }
            return written;
        }
    }
}
