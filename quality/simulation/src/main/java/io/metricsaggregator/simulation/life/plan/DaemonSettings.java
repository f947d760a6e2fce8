package io.metricsaggregator.simulation.life.plan;

import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportOptions;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.util.List;

/**
 * How the daemon of a life is started.
 *
 * @param syncNanos as of {@code --journal-sync}: negative for none, 0 for each burst
 * @param segmentBytes as of {@code --journal-segment}
 * @param packed whether the journal is packed; if not, as one of whose frames packing saved little
 * @param stays whether the daemon serves its result until SIGTERM ({@code --after-end stay})
 */
public record DaemonSettings(long syncNanos, long segmentBytes, boolean packed, boolean stays) {

    /** The configuration of a daemon with these folders. */
    public DaemonConfig config(FileSystem disk, String output, String journal) {
        RunConfig run = RunConfig.builder().version("simulated").node("n1").build();
        Path out = disk.getPath(output);
        DaemonConfig.Lifecycle lifecycle = DaemonConfig.Lifecycle.DEFAULT;
        if (stays) {
            lifecycle = new DaemonConfig.Lifecycle(false, false, false, false, 0, DaemonConfig.AfterEnd.STAY, 0);
        }
        return DaemonConfig.builder(
                        run,
                        new RunResources(null, 100_000, 1L << 26, null),
                        new DaemonConfig.Endpoints(
                                List.of(Endpoint.parse("tcp://127.0.0.1:1", true)),
                                List.of(Endpoint.parse("tcp://127.0.0.1:2", true)),
                                null,
                                TransportOptions.defaults()),
                        new DaemonConfig.Output(out, null, DaemonConfig.Output.PRIVATE))
                .journal(new DaemonConfig.Journal(disk.getPath(journal), syncNanos, segmentBytes))
                .lifecycle(lifecycle)
                .build();
    }
}
