package io.metricsaggregator.cli;

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

/** What tail and wait have in common: when to stop, and the exit status that says how the run ended. */
final class Follow {
    /** The run was interrupted. */
    static final int INTERRUPTED = 10;
    /** No terminal snapshot came in time. */
    static final int NONE_IN_TIME = 11;

    /** How often the final file is looked for. */
    static final Duration LOOK = Duration.ofMillis(250);

    /** After this, a daemon that were there would have been connected. */
    private static final long ABSENT_NANOS = 400_000_000L;

    private final long startNanos = System.nanoTime();
    private final long deadlineNanos;
    private final @Nullable Path finalFile;
    private boolean absenceSaid;
    private boolean presenceSaid;

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

    /**
     * Says on standard error, once each, that nobody publishes and that a daemon has come after all. To be called at least every
     * {@link #LOOK}.
     *
     * @param endpoints where snapshots are expected
     */
    void notePublishers(SnapshotSubscriber subscriber, List<String> endpoints) {
        if (presenceSaid || System.nanoTime() - startNanos < ABSENT_NANOS) {
            return;
        }
        boolean present = subscriber.publishers() > 0;
        if (!present && !absenceSaid) {
            absenceSaid = true;
            System.err.println("metrics-aggregator: nobody publishes at " + String.join(", ", endpoints)
                    + " yet; waiting. Is the daemon running, with --out at this endpoint?");
        } else if (present) {
            presenceSaid = true;
            if (absenceSaid) {
                System.err.println("metrics-aggregator: a daemon publishes now");
            }
        }
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

    /** The exit status that says how a run ended. */
    static int statusOf(MetricsSnapshot terminal) {
        return terminal.state() == SessionState.COMPLETE ? 0 : INTERRUPTED;
    }

    static boolean hasEnded(@Nullable MetricsSnapshot snapshot) {
        return snapshot != null && snapshot.state().isTerminal();
    }

    /**
     * The exit status that says how the run ended; if that is not known, standard error says why.
     *
     * @param latest the latest snapshot; null if none came
     * @param connected whether a daemon was there to send one
     */
    int status(@Nullable MetricsSnapshot latest, boolean connected) {
        if (latest != null && latest.state().isTerminal()) {
            return statusOf(latest);
        }
        String reason = latest != null
                ? "the run goes on, " + latest.state().wireName() + " with snapshot " + latest.counter()
                : connected ? "a daemon is there and has published none" : "nobody publishes there";
        System.err.println("metrics-aggregator: no terminal snapshot in time: " + reason);
        return NONE_IN_TIME;
    }
}
