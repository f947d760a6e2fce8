package io.metricsaggregator.cli;

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

/** Follows snapshots. */
@Command(
        name = "tail",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Prints the snapshots of a daemon as they come, until the run has ended. May be started before the daemon.",
            ""
        })
final class TailCommand implements Callable<Integer> {

    private enum Format {
        LINE,
        JSON
    }

    @Parameters(paramLabel = "ENDPOINT", arity = "1..*", description = "Where the daemon publishes; connected to.")
    private List<String> endpoints = List.of();

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "line",
            description = "line: a summary of each; json: each as one line of JSON. Default: ${DEFAULT-VALUE}.")
    private Format format = Format.LINE;

    @Option(
            names = "--latest",
            description = "Leave out snapshots that have been overtaken. Without it, each one that arrives is printed.")
    private boolean latest;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            description = "Give up after this long: 30s, 5m. Without it, never.")
    private @Nullable Duration timeout;

    @Option(
            names = "--final",
            paramLabel = "PATH",
            description = "The run's final_snapshot.json, or its directory: printed if the run has ended already.")
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
                new SnapshotSubscriber(Endpoints.parse(endpoints, false), sockets.build(), mode)) {
            MetricsSnapshot last = null;
            while (!follow.isOver()) {
                MetricsSnapshot snapshot = subscriber.next(Follow.LOOK);
                follow.notePublishers(subscriber, endpoints);
                if (snapshot == null) {
                    snapshot = follow.onDisk();
                }
                if (snapshot != null) {
                    last = snapshot;
                    if (!print(snapshot)) {
                        return 0; // Nobody reads any more: head has seen enough.
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
