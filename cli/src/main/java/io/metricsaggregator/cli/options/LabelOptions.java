package io.metricsaggregator.cli.options;

import io.metricsaggregator.config.RunLabels;
import io.metricsaggregator.journal.NodeName;
import io.metricsaggregator.options.OptionGroup;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Labels and the node of a run. */
@OptionGroup.In(OptionGroup.METRICS)
public final class LabelOptions {
    @Option(
            names = "--label",
            paramLabel = "NAME=VALUE",
            description =
                    "Label of the run, such as concurrency=64, gpus=8 or engine=vllm; reports show it, and sweep places the run by"
                            + " it. Repeatable, up to 32.")
    private List<String> labels = List.of();

    @Option(
            names = "--node",
            paramLabel = "NAME",
            description =
                    "Name of this node in snapshots, in the journal and in the samples of --host: up to 128 letters, digits, '_', '.' and"
                            + " '-', such as gpu-1. A resumed run keeps its node. Default: the host name.")
    private @Nullable String node;

    /**
     * The labels by name.
     *
     * @throws IllegalArgumentException if one is not NAME=VALUE
     */
    public Map<String, String> build() {
        return RunLabels.parse(labels);
    }

    /**
     * The name of the node; null for that of the host.
     *
     * @throws IllegalArgumentException if it is not a valid name
     */
    @Nullable
    public String node() {
        return node == null ? null : NodeName.require(node);
    }
}
