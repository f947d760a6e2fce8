package io.metricsaggregator.cli;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What tail and wait have in common: when to stop, and the exit status that says how the run ended. */
final class Follow {
    /** The run was interrupted. */
    static final int INTERRUPTED = 10;
    /** No terminal snapshot came in time. */
    static final int NONE_IN_TIME = 11;

    /** How often the final file is looked for. */
    static final Duration LOOK = Duration.ofMillis(250);

    private final long deadlineNanos;
    private final @Nullable Path finalFile;

    /**
     * Follows a run.
     *
     * @param timeout how long at most; null for ever
     * @param finalFile file or directory where its final snapshot is to appear; null if that is not known
     */
    Follow(@Nullable Duration timeout, @Nullable Path finalFile) {
        this.deadlineNanos = timeout == null ? Long.MAX_VALUE : System.nanoTime() + timeout.toNanos();
        this.finalFile = finalFile;
    }

    boolean isOver() {
        return deadlineNanos != Long.MAX_VALUE && System.nanoTime() - deadlineNanos >= 0;
    }

    /** The final snapshot on disk, if it is there. It is there only when the run has ended. */
    @Nullable
    MetricsSnapshot onDisk() throws IOException {
        if (finalFile == null) {
            return null;
        }
        Path file = Files.isDirectory(finalFile) ? finalFile.resolve(FinalSnapshotFile.NAME) : finalFile;
        return Files.exists(file) ? FinalSnapshotFile.read(file) : null;
    }

    static int status(@Nullable MetricsSnapshot last) {
        if (last == null || !last.state().isTerminal()) {
            return NONE_IN_TIME;
        }
        return last.state() == SessionState.COMPLETE ? 0 : INTERRUPTED;
    }
}
