package io.metricsaggregator.cli.options;

import io.metricsaggregator.fold.series.FoldOptions;
import io.metricsaggregator.options.OptionGroup;
import io.metricsaggregator.run.HeapLimits;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Option;

/** Limits of memory. Those without an option follow from the heap. */
@OptionGroup.In(OptionGroup.LIMITS)
public final class LimitOptions {
    private static final Logger LOG = LoggerFactory.getLogger(LimitOptions.class);

    @Option(
            names = "--max-in-flight",
            paramLabel = "N",
            description = "Maximum number of samples in flight; beyond it the oldest is evicted and counted. Default:"
                    + " 2000000, or what a fifth of the heap holds.")
    private @Nullable Integer maxInFlight;

    @Option(
            names = "--max-conversations",
            paramLabel = "N",
            description = "Maximum number of conversations; beyond it the longest idle is evicted and counted. Default:"
                    + " 1000000, or what a tenth of the heap holds.")
    private @Nullable Integer maxConversations;

    @Option(
            names = "--max-jobs",
            paramLabel = "N",
            defaultValue = "" + FoldOptions.JOBS_DEFAULT,
            description = "Maximum number of agents' jobs under way; beyond it the longest idle is evicted and counted."
                    + " Default: ${DEFAULT-VALUE}.")
    private int maxJobs;

    @Option(
            names = "--max-values-memory",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description = "Off-heap memory for recorded values, mostly 3 to 5 bytes each; --spill-dir takes the rest."
                    + " Default: the maximum heap size, a quarter of the machine's memory.")
    private @Nullable Long valuesMaxBytes;

    @Option(
            names = "--spill-dir",
            paramLabel = "DIR",
            description =
                    "Directory of an unnamed file for values beyond --max-values-memory. Default: none; such values"
                            + " are not kept, and the percentiles of their series are those of histograms, marked as such.")
    private @Nullable Path spillDirectory;

    @Option(
            names = "--print-limits",
            help = true,
            description = "Print the limits that follow from the heap (-Xmx), one NAME VALUE per line, and exit.")
    private boolean printLimits;

    /** Prints the limits in force if {@code --print-limits} is given; returns whether it is. */
    public boolean print(PrintWriter out, CollectOptions collect) {
        if (printLimits) {
            HeapLimits limits = HeapLimits.ofThisHeap();
            limits.byName(inFlight(), collect.telemetry().keysMax())
                    .forEach((name, value) -> out.printf("%s %d%n", name, value));
            out.flush();
        }
        return printLimits;
    }

    /** Maximum number of samples in flight. Warns about one that may not fit into the heap. */
    public int inFlight() {
        HeapLimits limits = HeapLimits.ofThisHeap();
        if (maxInFlight == null) {
            return limits.inFlight();
        }
        if (maxInFlight > limits.inFlightMost()) {
            LOG.warn(
                    "max_in_flight={} may not fit into the heap heap_mib={} room_for={}. A full heap ends the run as INTERRUPTED."
                            + " Lower it, or raise -Xmx in METRICS_AGGREGATOR_JAVA_OPTS",
                    maxInFlight,
                    limits.heapBytes() >> 20,
                    limits.inFlightMost());
        }
        return maxInFlight;
    }

    /** Maximum number of conversations. */
    public int conversations() {
        return maxConversations == null ? HeapLimits.ofThisHeap().conversations() : maxConversations;
    }

    /** Maximum number of jobs. */
    public int jobs() {
        return maxJobs;
    }

    /** Off-heap memory for recorded values in bytes. */
    public long valuesMaxBytes() {
        return valuesMaxBytes == null ? Runtime.getRuntime().maxMemory() : valuesMaxBytes;
    }

    /**
     * The directory for values that exceed the memory; null if they are not kept.
     *
     * @throws IllegalArgumentException if it is not a writable directory
     */
    @Nullable
    public Path spillDirectory() {
        if (spillDirectory != null && !(Files.isDirectory(spillDirectory) && Files.isWritable(spillDirectory))) {
            throw new IllegalArgumentException("--spill-dir " + spillDirectory + " is not a writable directory");
        }
        return spillDirectory;
    }
}
