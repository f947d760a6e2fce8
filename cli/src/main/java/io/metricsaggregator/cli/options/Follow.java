package io.metricsaggregator.cli.options;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import io.metricsaggregator.subscriber.SnapshotSubscriber;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Following a run until it ends or a timeout elapses: messages about the connection, the final file, and the exit status. */
public final class Follow {
    /** Exit status of an interrupted run. */
    static final int INTERRUPTED = 10;
    /** Exit status if no terminal snapshot arrived in time. */
    public static final int NONE_IN_TIME = 11;

    /** Interval at which the final file is checked. */
    public static final Duration CHECK_INTERVAL = Duration.ofMillis(250);

    /** A running daemon is connected within this time. */
    private static final long ABSENT_NANOS = 400_000_000L;

    private final long startNanos = System.nanoTime();
    private final long deadlineNanos;
    private final @Nullable Path finalFile;
    private boolean absenceReported;
    private boolean presenceReported;

    /**
     * Follows a run.
     *
     * @param timeout maximum time; null for no limit
     * @param finalFile file or directory of its final snapshot; null if unknown
     */
    public Follow(@Nullable Duration timeout, @Nullable Path finalFile) {
        this.deadlineNanos = timeout == null ? Long.MAX_VALUE : System.nanoTime() + timeout.toNanos();
        this.finalFile = finalFile;
    }

    /**
     * Reports on standard error, once each, that no daemon publishes yet, and that one has connected. Must be called at least every
     * {@link #CHECK_INTERVAL}.
     *
     * @param endpoints where snapshots are expected
     */
    public void notePublishers(SnapshotSubscriber subscriber, List<String> endpoints) {
        if (presenceReported || System.nanoTime() - startNanos < ABSENT_NANOS) {
            return;
        }
        boolean present = subscriber.publishers() > 0;
        if (!present && !absenceReported) {
            absenceReported = true;
            System.err.println("metrics-aggregator: no daemon publishes at " + String.join(", ", endpoints)
                    + " yet; waiting. Check that it runs with --out at this endpoint");
        } else if (present) {
            presenceReported = true;
            if (absenceReported) {
                System.err.println("metrics-aggregator: connected to a daemon");
            }
        }
    }

    /** Whether the timeout has elapsed. */
    public boolean isOver() {
        return deadlineNanos != Long.MAX_VALUE && System.nanoTime() - deadlineNanos >= 0;
    }

    /** The final snapshot on disk, which exists only after the run has ended; null if it does not exist. */
    @Nullable
    public MetricsSnapshot onDisk() throws IOException {
        if (finalFile == null) {
            return null;
        }
        Path file = Files.isDirectory(finalFile) ? finalFile.resolve(FinalSnapshotFile.NAME) : finalFile;
        return Files.exists(file) ? FinalSnapshotFile.read(file) : null;
    }

    /** The exit status for a terminal snapshot: 0 for COMPLETE, 10 for INTERRUPTED. */
    public static int statusOf(MetricsSnapshot terminal) {
        return terminal.state() == SessionState.COMPLETE ? 0 : INTERRUPTED;
    }

    /** Whether a snapshot is terminal; false for null. */
    public static boolean hasEnded(@Nullable MetricsSnapshot snapshot) {
        return snapshot != null && snapshot.state().isTerminal();
    }

    /**
     * The exit status for the latest snapshot. Reports on standard error why there is no terminal one.
     *
     * @param latest the latest snapshot; null if none arrived
     * @param connected whether a daemon was connected
     */
    public int status(@Nullable MetricsSnapshot latest, boolean connected) {
        if (latest != null && latest.state().isTerminal()) {
            return statusOf(latest);
        }
        String reason = latest != null
                ? "the run is still " + latest.state().wireName() + " at snapshot " + latest.counter()
                : connected ? "the daemon has published no snapshot" : "no daemon publishes at the endpoint";
        System.err.println("metrics-aggregator: no terminal snapshot in time: " + reason);
        return NONE_IN_TIME;
    }
}
