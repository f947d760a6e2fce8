package io.metricsaggregator.cli;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.subscriber.SnapshotSubscriber;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Waits for the end of a run. */
@Command(
        name = "wait",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Waits until a run has ended, and tells how by its exit status: 0 COMPLETE, 10 INTERRUPTED, 11 not in time.",
            ""
        })
final class WaitCommand implements Callable<Integer> {

    @Parameters(paramLabel = "ENDPOINT", arity = "1..*", description = "Where the daemon publishes; connected to.")
    private List<String> endpoints = List.of();

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            description = "Give up after this long: 30s, 5m. Without it, never.")
    private @Nullable Duration timeout;

    @Option(
            names = "--final",
            paramLabel = "PATH",
            description = "The run's final_snapshot.json, or its directory: it ends the wait too, also if the run ended"
                    + " before this command came.")
    private @Nullable Path finalFile;

    @Mixin
    private SocketOptions sockets = new SocketOptions();

    @Override
    public Integer call() throws IOException {
        Follow follow = new Follow(timeout, finalFile);
        MetricsSnapshot latest = follow.onDisk();
        if (Follow.hasEnded(latest)) {
            return end(latest, follow, false);
        }
        try (SnapshotSubscriber subscriber = new SnapshotSubscriber(
                Endpoints.parse(endpoints, false), sockets.build(), SnapshotSubscriber.Mode.LATEST)) {
            while (!Follow.hasEnded(latest) && !follow.isOver()) {
                MetricsSnapshot next = subscriber.next(Follow.LOOK);
                follow.notePublishers(subscriber, endpoints);
                if (next == null) {
                    next = follow.onDisk();
                }
                latest = next == null ? latest : next;
            }
            return end(latest, follow, subscriber.connected());
        }
    }

    private static int end(@Nullable MetricsSnapshot latest, Follow follow, boolean connected) {
        if (latest != null && latest.state().isTerminal()) {
            Terminal.print(SummaryLine.of(latest) + "\n");
        }
        return follow.status(latest, connected);
    }
}
