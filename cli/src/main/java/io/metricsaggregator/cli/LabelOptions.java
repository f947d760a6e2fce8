package io.metricsaggregator.cli;

import io.metricsaggregator.config.RunLabels;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** Labels that the user gives a run. */
@OptionGroup.In(OptionGroup.METRICS)
final class LabelOptions {
    @Option(
            names = "--label",
            paramLabel = "NAME=VALUE",
            description =
                    "Label of the run, such as concurrency=64, gpus=8 or engine=vllm; reports show it, and sweep places the run by"
                            + " it. Repeatable, up to 32.")
    private List<String> labels = List.of();

    /**
     * The labels by name.
     *
     * @throws IllegalArgumentException if one is not NAME=VALUE
     */
    Map<String, String> build() {
        return RunLabels.parse(labels);
    }
}
