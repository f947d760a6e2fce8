package io.metricsaggregator.cli.daemon;

import io.metricsaggregator.cli.console.GroupedHelp;
import io.metricsaggregator.cli.console.Version;
import io.metricsaggregator.cli.options.Endpoints;
import io.metricsaggregator.cli.options.ExportOptions;
import io.metricsaggregator.cli.options.Follow;
import io.metricsaggregator.cli.options.SocketOptions;
import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.fleet.Fleet;
import io.metricsaggregator.fleet.FleetConfig;
import io.metricsaggregator.options.OptionGroup;
import io.metricsaggregator.publish.ExitStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code fleet}: adds up the live snapshots of many daemons. */
@Command(
        name = "fleet",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Add up the live snapshots of many daemons, or of other fleets, and publish their sum as one run: watch, tail, wait,"
                    + " report, Prometheus and OTLP read it as they read one daemon's.",
            ""
        },
        footer = {
            "",
            "Example: metrics-aggregator fleet --in bind:tcp://127.0.0.1:5600 --out tcp://127.0.0.1:5601 --output-dir results"
                    + " --expect 10",
            "and on each node: metrics-aggregator run --node gpu-1 --in ipc:///tmp/events --out connect:tcp://127.0.0.1:5600"
                    + " --output-dir results-1",
            "",
            "A fleet ends when every node that it expects was seen, at least one ended, and no other is live or stale. Its result"
                    + " is COMPLETE if all of them ended as COMPLETE, else INTERRUPTED. SIGTERM and SIGHUP end it at once; SIGINT"
                    + " does if it arrives twice within 2 s or --foreground is given. Exit status: 0 if the result is durable, 11"
                    + " if it is and no node was seen."
        })
@GroupedHelp.Usual({
    "--in",
    "--out",
    "--output-dir",
    "--interval",
    "--expect",
    "--expect-node",
    "--state",
    "--prometheus",
    "--web",
    "--linger-page"
})
public final class FleetCommand implements Callable<Integer> {
    @OptionGroup.In(OptionGroup.ENDPOINTS)
    @Option(
            names = "--in",
            paramLabel = "ENDPOINT",
            required = true,
            description =
                    "Endpoint to receive snapshots from, such as tcp://gpu-1:5601 of run --out. Connects, and resolves the host"
                            + " name again after a failure; with bind:, the daemons connect to it (run --out connect:ENDPOINT)."
                            + " Repeatable.")
    private List<String> inputs = List.of();

    @OptionGroup.In(OptionGroup.ENDPOINTS)
    @Option(
            names = "--out",
            paramLabel = "ENDPOINT",
            description = "Endpoint to publish the sum on. Binds unless prefixed with connect:. Repeatable.")
    private List<String> outputs = List.of();

    @OptionGroup.In(OptionGroup.OUTPUT)
    @Option(
            names = "--output-dir",
            paramLabel = "DIR",
            description =
                    "Directory for final_snapshot.json, created if missing. An earlier final_snapshot.json in it is renamed,"
                            + " not overwritten. Default: no file.")
    private @Nullable Path directory;

    @OptionGroup.In(OptionGroup.OUTPUT)
    @Option(
            names = "--interval",
            paramLabel = "TIME",
            defaultValue = "250ms",
            description = "Time between snapshots of the sum, at least 1ms. Default: ${DEFAULT-VALUE}.")
    private Duration interval = Duration.ofMillis(250);

    @OptionGroup.In(OptionGroup.OUTPUT)
    @Option(
            names = "--state",
            paramLabel = "DIR",
            description =
                    "Directory that keeps the fleet's run id and the last snapshot of each node that ended or was lost, created"
                            + " if missing. A fleet that starts again with it resumes its sums. Default: none.")
    private @Nullable Path state;

    @OptionGroup.In(OptionGroup.COLLECTION)
    @Option(
            names = "--expect",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "Number of nodes to wait for: the fleet does not end before it has seen as many. Nodes of fleets below"
                            + " count one by one. Default: those that are seen.")
    private int expected;

    @OptionGroup.In(OptionGroup.COLLECTION)
    @Option(
            names = "--expect-node",
            paramLabel = "NAME",
            description = "Name of a node to wait for (run --node); its row says waiting until it is seen. Repeatable.")
    private List<String> expectedNames = List.of();

    @OptionGroup.In(OptionGroup.COLLECTION)
    @Option(
            names = "--stale",
            paramLabel = "TIME",
            description =
                    "Time without a snapshot after which a node is stale: its figures stay in the sums, its rates leave them."
                            + " Default: four of the node's intervals and 2s.")
    private @Nullable Duration stale;

    @OptionGroup.In(OptionGroup.COLLECTION)
    @Option(
            names = "--lost",
            paramLabel = "TIME",
            defaultValue = "30s",
            description =
                    "Time without a snapshot after which a node is lost: its counts stay in the sums, its samples in flight"
                            + " leave them. Default: ${DEFAULT-VALUE}.")
    private Duration lost = Duration.ofSeconds(30);

    @OptionGroup.In(OptionGroup.LIFECYCLE)
    @Option(
            names = "--linger",
            paramLabel = "TIME",
            description =
                    "Maximum time to wait for the other nodes after the first one has ended, such as 5m. Default: no limit.")
    private @Nullable Duration linger;

    @OptionGroup.In(OptionGroup.LIFECYCLE)
    @Option(names = "--foreground", description = "End the fleet as INTERRUPTED on a single SIGINT (Ctrl-C).")
    private boolean foreground;

    @OptionGroup.In(OptionGroup.LIMITS)
    @Option(
            names = "--max-nodes",
            paramLabel = "N",
            defaultValue = "1024",
            description = "Maximum number of runs to add up; snapshots of others are discarded and counted. Default:"
                    + " ${DEFAULT-VALUE}.")
    private int nodesMax;

    @Mixin
    private ExportOptions exports = new ExportOptions();

    @Mixin
    private SocketOptions sockets = new SocketOptions();

    @Override
    public Integer call() throws IOException {
        return switch (Fleet.run(config())) {
            case DELIVERED -> ExitStatus.DURABLE.code();
            case NOBODY -> Follow.NONE_IN_TIME;
            case NOT_DURABLE -> ExitStatus.NOT_DURABLE.code();
            case UNAVAILABLE -> ExitStatus.UNAVAILABLE.code();
            case UNSAFE -> ExitStatus.USAGE.code();
            case INTERNAL -> ExitStatus.INTERNAL.code();
        };
    }

    @SuppressWarnings("NullAway") // the annotation of a nested class is not read from class files
    private FleetConfig config() throws IOException {
        return new FleetConfig(
                Version.text(),
                Endpoints.parse("--in", inputs, false),
                Endpoints.parse("--out", outputs, true),
                sockets.build(),
                directory == null ? null : new DaemonConfig.Output(directory, null, DaemonConfig.Output.PRIVATE),
                exports.build(sockets.allowsInsecureBind()),
                new FleetConfig.NodeSettings(
                        expected,
                        expectedNames,
                        stale == null ? 0 : stale.toNanos(),
                        lost.toNanos(),
                        linger == null ? 0 : linger.toNanos(),
                        nodesMax),
                interval.toNanos(),
                foreground,
                state);
    }
}
