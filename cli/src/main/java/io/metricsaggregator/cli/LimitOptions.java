package io.metricsaggregator.cli;

import io.metricsaggregator.daemon.HeapLimits;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Option;

/** Limits that follow from the heap, and what overrides them. */
final class LimitOptions {
    private static final Logger LOG = LoggerFactory.getLogger(LimitOptions.class);

    @Option(
            names = "--max-in-flight",
            paramLabel = "N",
            description = "Samples in flight at a time; beyond it the oldest is evicted and counted. Default: 2000000,"
                    + " or what a fifth of the heap holds.")
    private @Nullable Integer maxInFlight;

    @Option(
            names = "--print-limits",
            help = true,
            description = "Print the limits that follow from the heap (-Xmx), one NAME VALUE a line, and exit.")
    private boolean printLimits;

    /** Prints the limits in force if that is what was asked for; answers whether it was. */
    boolean print(PrintWriter out, CollectOptions collect) {
        if (printLimits) {
            HeapLimits limits = HeapLimits.ofThisHeap();
            limits.byName(inFlight(), collect.telemetry().keysMax())
                    .forEach((name, value) -> out.printf("%s %d%n", name, value));
            out.flush();
        }
        return printLimits;
    }

    /** Samples in flight at a time. */
    int inFlight() {
        HeapLimits limits = HeapLimits.ofThisHeap();
        if (maxInFlight == null) {
            return limits.inFlight();
        }
        if (maxInFlight > limits.inFlightMost()) {
            LOG.warn(
                    "max_in_flight={} may not fit into the heap of {} MiB, which has room for {}; a full heap ends the run as"
                            + " INTERRUPTED. Lower it, or raise -Xmx in METRICS_AGGREGATOR_JAVA_OPTS",
                    maxInFlight,
                    limits.heapBytes() >> 20,
                    limits.inFlightMost());
        }
        return maxInFlight;
    }
}
