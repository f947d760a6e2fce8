package io.metricsaggregator.simulation.life;

import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.simulation.disk.SimulatedDisk;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportOptions;
import java.nio.file.Path;
import java.util.List;

/** Configurations of the daemons of a life. */
record DaemonConfigs(LifePlan plan, SimulatedDisk disk) {

    /** The configuration of a daemon with these folders. */
    DaemonConfig of(String output, String journal) {
        RunConfig run = RunConfig.builder().version("simulated").node("n1").build();
        Path out = disk.getPath(output);
        DaemonConfig.Lifecycle lifecycle = DaemonConfig.Lifecycle.DEFAULT;
        if (plan.stays()) {
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
                .journal(new DaemonConfig.Journal(disk.getPath(journal), plan.syncNanos(), plan.segmentBytes()))
                .lifecycle(lifecycle)
                .build();
    }
}
