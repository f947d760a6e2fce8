package io.metricsaggregator.cli.view;

import io.metricsaggregator.analysis.StallText;
import io.metricsaggregator.cli.console.GroupedHelp;
import io.metricsaggregator.cli.console.Terminal;
import io.metricsaggregator.cli.console.Version;
import io.metricsaggregator.cli.options.Endpoints;
import io.metricsaggregator.cli.options.Follow;
import io.metricsaggregator.cli.options.SocketOptions;
import io.metricsaggregator.publish.ExitStatus;
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

/** The command {@code wait}: blocks until the run ends. */
@Command(
        name = "wait",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Wait until a run ends. Exit status: 0 if it is COMPLETE, 10 if INTERRUPTED, 11 if it did not end in time, 12 with"
                    + " --fail-on-stall if an endpoint stalled.",
            ""
        },
        footer = {"", "Example: metrics-aggregator wait ipc:///tmp/metrics --timeout 30m"})
@GroupedHelp.Usual({"--timeout", "--final", "--fail-on-stall", "--curve-key", "--curve-server-key"})
public final class WaitCommand implements Callable<Integer> {

    @Parameters(
            paramLabel = "ENDPOINT",
            arity = "1..*",
            description = "Endpoint that the daemon publishes snapshots on (connects).")
    private List<String> endpoints = List.of();

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            description = "Maximum time to wait for the end of the run, such as 30s or 5m. Default: no limit.")
    private @Nullable Duration timeout;

    @Option(
            names = "--final",
            paramLabel = "PATH",
            description =
                    "final_snapshot.json of the run, or its directory; ends the wait as soon as it exists, even if the run"
                            + " ended before this command started.")
    private @Nullable Path finalFile;

    @Option(
            names = "--fail-on-stall",
            description =
                    "End with status 12 as soon as no endpoint has answered for as long as run --endpoint-idle, or if that"
                            + " happened before.")
    private boolean failOnStall;

    @Mixin
    private SocketOptions sockets = new SocketOptions();

    @Override
    public Integer call() throws IOException {
        Follow follow = new Follow(timeout, finalFile);
        MetricsSnapshot latest = follow.onDisk();
        if (Follow.hasEnded(latest)) {
            return hasStalled(latest) ? stalled(latest) : end(latest, follow, false);
        }
        try (SnapshotSubscriber subscriber = new SnapshotSubscriber(
                Endpoints.parse("ENDPOINT", endpoints, false), sockets.build(), SnapshotSubscriber.Mode.LATEST)) {
            while (!Follow.hasEnded(latest) && !follow.isOver()) {
                MetricsSnapshot next = subscriber.next(Follow.CHECK_INTERVAL);
                follow.notePublishers(subscriber, endpoints);
                if (next == null) {
                    next = follow.onDisk();
                }
                latest = next == null ? latest : next;
                if (hasStalled(latest)) {
                    return stalled(latest);
                }
            }
            return end(latest, follow, subscriber.connected());
        }
    }

    private boolean hasStalled(@Nullable MetricsSnapshot latest) {
        return failOnStall && latest != null && StallText.total(latest) != null;
    }

    private static int stalled(@Nullable MetricsSnapshot latest) {
        String now = latest == null ? null : StallText.now(latest);
        System.err.println("metrics-aggregator: an endpoint stalled: "
                + (now == null && latest != null ? StallText.total(latest) : now));
        return ExitStatus.ENDPOINT_STALLED.code();
    }

    private static int end(@Nullable MetricsSnapshot latest, Follow follow, boolean connected) {
        if (latest != null && latest.state().isTerminal()) {
            Terminal.print(SummaryLine.of(latest) + "\n");
        }
        return follow.status(latest, connected);
    }
}
