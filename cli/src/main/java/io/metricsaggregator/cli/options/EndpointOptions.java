package io.metricsaggregator.cli.options;

import io.metricsaggregator.options.OptionGroup;
import java.util.List;
import picocli.CommandLine.Option;

/** The endpoints of {@code run}. */
@OptionGroup.In(OptionGroup.ENDPOINTS)
public final class EndpointOptions {
    @Option(
            names = "--in",
            paramLabel = "ENDPOINT",
            description = "Endpoint to receive events from, such as ipc:///tmp/events or tcp://127.0.0.1:5600. Connects"
                    + " unless prefixed with bind:. The daemon is ready only when the producers of all connected endpoints"
                    + " are there; use bind: to be ready before them. Repeatable.")
    private List<String> inputs = List.of();

    @Option(
            names = "--out",
            paramLabel = "ENDPOINT",
            description = "Endpoint to publish snapshots on. Binds unless prefixed with connect:. Repeatable.")
    private List<String> outputs = List.of();

    /** The values of {@code --in}; empty without it. */
    public List<String> inputs() {
        return inputs;
    }

    /** The values of {@code --out}; empty without it. */
    public List<String> outputs() {
        return outputs;
    }
}
