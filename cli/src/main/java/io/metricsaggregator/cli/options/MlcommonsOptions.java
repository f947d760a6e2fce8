package io.metricsaggregator.cli.options;

import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.options.Needs;
import io.metricsaggregator.options.OptionGroup;
import io.metricsaggregator.transport.Endpoint;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The sockets as MLCommons endpoints passes them to its aggregator: names within one directory. */
@OptionGroup.In(OptionGroup.MLCOMMONS)
public final class MlcommonsOptions {
    @Option(
            names = "--socket-dir",
            paramLabel = "DIR",
            description = "Directory of the sockets named by --socket-name, --metrics-socket and --readiness-path.")
    private @Nullable Path directory;

    @Option(
            names = "--socket-name",
            paramLabel = "NAME",
            description = "Socket in --socket-dir to receive events from (connects).")
    private @Nullable String events;

    @Option(
            names = "--metrics-socket",
            paramLabel = "NAME",
            description = "Socket in --socket-dir to publish snapshots on (binds).")
    private @Nullable String metrics;

    @Option(
            names = "--readiness-path",
            paramLabel = "NAME",
            description = "PULL socket in --socket-dir that receives the readiness signal (connects).")
    private @Nullable String readiness;

    @Needs("--readiness-path")
    @Option(
            names = "--readiness-id",
            paramLabel = "N",
            defaultValue = "0",
            description = "Number sent as the readiness signal. Default: ${DEFAULT-VALUE}.")
    private long readinessId;

    /** Whether the daemon runs as the aggregator of MLCommons endpoints. */
    public boolean areGiven() {
        return directory != null;
    }

    /**
     * Adds the sockets to the endpoints of the run.
     *
     * @param in receives the endpoint of events
     * @param out receives the endpoint of snapshots
     * @return where the readiness signal is sent; null if nowhere
     * @throws IllegalArgumentException if a socket is named without a directory, or its name leads out of the directory
     */
    public DaemonConfig.@Nullable Readiness addTo(List<Endpoint> in, List<Endpoint> out) {
        if (directory == null) {
            if (events != null || metrics != null || readiness != null) {
                throw new IllegalArgumentException(
                        "--socket-name, --metrics-socket and --readiness-path need --socket-dir DIR");
            }
            return null;
        }
        SocketDirectory sockets = new SocketDirectory(directory);
        if (events != null) {
            in.add(sockets.endpoint("--socket-name", events, false));
        }
        if (metrics != null) {
            out.add(sockets.endpoint("--metrics-socket", metrics, true));
        }
        return readiness == null
                ? null
                : new DaemonConfig.Readiness(sockets.endpoint("--readiness-path", readiness, false), readinessId);
    }
}
