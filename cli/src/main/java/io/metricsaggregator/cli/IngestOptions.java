package io.metricsaggregator.cli;

import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.options.OptionGroup;
import picocli.CommandLine.Option;

/** Threads that take the records of a run. */
@OptionGroup.In(OptionGroup.LIMITS)
final class IngestOptions {
    @Option(
            names = "--ingest-threads",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "Number of threads that decode records and fold samples, each the samples of a part of the ids, 1 to"
                            + " 64. With 1, the thread that receives does both. Figures do not depend on N, except: from 2 on, waits and"
                            + " stalls by label are absent, and each thread evicts the oldest of its own samples at its share of"
                            + " --max-in-flight. Default: ${DEFAULT-VALUE}.")
    private int threads = 1;

    /** The resources with this number of threads. */
    RunResources addTo(RunResources resources) {
        if (threads < 1 || threads > RunResources.INGEST_THREADS_MAX) {
            throw new IllegalArgumentException(
                    "--ingest-threads " + threads + " is not between 1 and " + RunResources.INGEST_THREADS_MAX);
        }
        return resources.withIngestThreads(threads);
    }
}
