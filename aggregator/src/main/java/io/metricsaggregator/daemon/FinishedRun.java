package io.metricsaggregator.daemon;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.journal.JournalDirectory;
import io.metricsaggregator.journal.JournalReader;
import io.metricsaggregator.journal.RunOrigin;
import io.metricsaggregator.publish.FileErrors;
import io.metricsaggregator.publish.FinalSnapshotWriter;
import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A run that an earlier process finished and served until it was killed.
 *
 * @param last its terminal snapshot, as read from the file
 * @param file the final snapshot
 */
record FinishedRun(MetricsSnapshot last, Path file) {
    private static final Logger LOG = LoggerFactory.getLogger(FinishedRun.class);

    /**
     * Finds the run in the output directory, or in the fallback directory.
     *
     * @return null if the marker {@code .finished} is missing or void, no file holds the terminal snapshot of its run, or the journal has not
     *     marked the run as done: then it is resumed, which makes the file durable and marks the run
     * @throws IOException if the journal's directory cannot be read
     */
    static @Nullable FinishedRun find(
            Path directory, DaemonConfig.Output output, DaemonConfig.@Nullable Journal journal) throws IOException {
        String runId = FinishedMarker.runId(directory);
        if (runId == null || (journal != null && isUnfinished(journal.directory(), runId))) {
            return null;
        }
        FinishedRun found = read(directory, runId);
        Path fallback = output.fallbackDirectory();
        return found != null || fallback == null ? found : read(fallback, runId);
    }

    /** Whether the earlier process was killed before it marked the run as done: the next start without the marker would resume it. */
    private static boolean isUnfinished(Path journal, String runId) throws IOException {
        Path unfinished = JournalDirectory.open(journal).unfinished().orElse(null);
        // The name of the folder may be of a process that was killed before it had described its run.
        return unfinished != null
                && runId.equals(JournalReader.describe(unfinished).get(RunOrigin.RUN_ID));
    }

    private static @Nullable FinishedRun read(Path directory, String runId) {
        Path file = directory.resolve(FinalSnapshotWriter.FILE_NAME);
        try {
            MetricsSnapshot last = new JsonSnapshotCodec().decode(ByteBuffer.wrap(Files.readAllBytes(file)));
            boolean same = !last.extensions().isNone()
                    && last.extensions().run().runId().equals(runId);
            return same && last.state().isTerminal() ? new FinishedRun(last, file) : null;
        } catch (NoSuchFileException e) {
            return null;
        } catch (MalformedMessageException | IllegalArgumentException e) {
            LOG.warn("result of a finished run not served file={} cause={}", file, e.getMessage());
            return null;
        } catch (IOException e) {
            LOG.warn("result of a finished run not served: {}", FileErrors.words(e));
            return null;
        }
    }
}
