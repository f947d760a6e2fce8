package io.metricsaggregator.cli.view;

import io.metricsaggregator.cli.console.GroupedHelp;
import io.metricsaggregator.cli.console.Terminal;
import io.metricsaggregator.cli.console.Version;
import io.metricsaggregator.cli.options.Endpoints;
import io.metricsaggregator.cli.options.Follow;
import io.metricsaggregator.cli.options.SocketOptions;
import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.subscriber.SnapshotSubscriber;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code tail}: prints each snapshot until the run ends. */
@Command(
        name = "tail",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {"Print the snapshots of a daemon until the run ends. It can start before the daemon.", ""},
        footer = {"", "Example: metrics-aggregator tail ipc:///tmp/metrics --format json"})
@GroupedHelp.Usual({"--format", "--latest", "--timeout", "--final", "--curve-key", "--curve-server-key"})
public final class TailCommand implements Callable<Integer> {

    private enum Format {
        LINE,
        JSON
    }

    @Parameters(
            paramLabel = "ENDPOINT",
            arity = "1..*",
            description = "Endpoint that the daemon publishes snapshots on (connects).")
    private List<String> endpoints = List.of();

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "line",
            description =
                    "Output of each snapshot. line: a summary; json: the whole snapshot as one line of JSON. Default:"
                            + " ${DEFAULT-VALUE}.")
    private Format format = Format.LINE;

    @Option(
            names = "--latest",
            description = "Skip snapshots that a newer one has replaced. Default: print every snapshot that arrives.")
    private boolean latest;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            description = "Maximum time to wait for the end of the run, such as 30s or 5m. Default: no limit.")
    private @Nullable Duration timeout;

    @Option(
            names = "--final",
            paramLabel = "PATH",
            description = "final_snapshot.json of the run, or its directory; printed if the run has already ended.")
    private @Nullable Path finalFile;

    @Mixin
    private SocketOptions sockets = new SocketOptions();

    @Override
    public Integer call() throws IOException {
        Follow follow = new Follow(timeout, finalFile);
        MetricsSnapshot ended = follow.onDisk();
        if (ended != null) {
            print(ended);
            return follow.status(ended, false);
        }
        SnapshotSubscriber.Mode mode = latest ? SnapshotSubscriber.Mode.LATEST : SnapshotSubscriber.Mode.EVERY;
        try (SnapshotSubscriber subscriber =
                new SnapshotSubscriber(Endpoints.parse("ENDPOINT", endpoints, false), sockets.build(), mode)) {
            MetricsSnapshot last = null;
            while (!follow.isOver()) {
                MetricsSnapshot snapshot = subscriber.next(Follow.CHECK_INTERVAL);
                follow.notePublishers(subscriber, endpoints);
                if (snapshot == null) {
                    snapshot = follow.onDisk();
                }
                if (snapshot != null) {
                    last = snapshot;
                    if (!print(snapshot)) {
                        return 0; // Closed, as by head, or StandardOutput reports the failure.
                    }
                    if (snapshot.state().isTerminal()) {
                        break;
                    }
                }
            }
            return follow.status(last, subscriber.connected());
        }
    }

    /** Prints a snapshot; false if standard output is closed. */
    private boolean print(MetricsSnapshot snapshot) {
        String line = format == Format.JSON
                ? new String(new JsonSnapshotCodec().encodeLine(snapshot), StandardCharsets.UTF_8)
                : SummaryLine.of(snapshot);
        return Terminal.print(line + "\n");
    }
}
