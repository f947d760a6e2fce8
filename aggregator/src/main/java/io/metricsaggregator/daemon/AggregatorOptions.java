package io.metricsaggregator.daemon;

import io.metricsaggregator.collect.ScrapeSpec;
import io.metricsaggregator.fold.Slo;
import io.metricsaggregator.fold.Streaming;
import io.metricsaggregator.telemetry.TelemetryOptions;
import io.metricsaggregator.tokens.ChatFormat;
import io.metricsaggregator.tokens.TokenCounter;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportOptions;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All that the daemon is told.
 *
 * @param inputs where events come from; at least one, unless the daemon gets them by itself
 * @param outputs where snapshots go; may be empty
 * @param outputDirectory where the final snapshot goes
 * @param fallbackDirectory where it goes if that fails; null for nowhere
 * @param outputMode its permissions
 * @param publishIntervalNanos time between snapshots, from 1 ms
 * @param drainTimeoutNanos time for pending values after the end of the session; 0 for no limit
 * @param significantFigures of HDR histograms, 1 to 5
 * @param displayBuckets of the histograms in snapshots, 1 to 10,000
 * @param streaming whether there are first tokens and chunks
 * @param trackAll whether every sample is tracked, whatever the session's events say
 * @param earlyStopping whether the terminal snapshot has MLPerf's early stopping estimates
 * @param objectives by which samples are judged; null for none
 * @param tokens how texts are counted; null for not at all
 * @param readiness whom to tell when it is ready; null for nobody
 * @param mlcommons whether it stands in for the aggregator of MLCommons endpoints: SIGINT is then ignored, and it is ready as soon
 *     as its sockets are
 * @param strict whether anything that was not applied makes the exit status {@link ExitStatus#NOT_CLEAN}
 * @param maxInFlight samples in flight at a time, at least 1
 * @param rawValuesMaxBytes memory for values, outside the heap
 * @param spillDirectory where values go when it is used up; null for nowhere: percentiles are then those of histograms
 * @param journal where frames are kept as they are received; null for nowhere
 * @param exports who else is shown snapshots
 * @param observe other kinds of observation, and what of them the daemon gets by itself
 * @param stallNanos a main flow that has not moved for so long is stuck, and given up; 0 for never
 * @param version of this program, for the snapshot
 * @param transport how sockets behave
 */
public record AggregatorOptions(
        List<Endpoint> inputs,
        List<Endpoint> outputs,
        Path outputDirectory,
        @Nullable Path fallbackDirectory,
        Set<PosixFilePermission> outputMode,
        long publishIntervalNanos,
        long drainTimeoutNanos,
        int significantFigures,
        int displayBuckets,
        Streaming streaming,
        boolean trackAll,
        boolean earlyStopping,
        @Nullable Slo objectives,
        @Nullable Tokens tokens,
        @Nullable Readiness readiness,
        boolean mlcommons,
        boolean strict,
        int maxInFlight,
        long rawValuesMaxBytes,
        @Nullable Path spillDirectory,
        @Nullable Journal journal,
        Exports exports,
        Observe observe,
        long stallNanos,
        String version,
        TransportOptions transport) {

    private static final long NANOS_PER_MILLI = 1_000_000L;
    private static final int SCRAPES_MAX = 256;

    /**
     * Whom to tell that the daemon is ready.
     *
     * @param endpoint a PULL socket
     * @param id the number to send
     */
    public record Readiness(Endpoint endpoint, long id) {}

    /**
     * How texts are counted.
     *
     * @param counter counts one; may be called by several threads
     * @param chat the model's chat template
     * @param workers threads that count while the run goes on; may be 0
     * @param textMaxBytes memory for texts that wait
     * @param source which tokenizer it is, as it was asked for
     */
    public record Tokens(TokenCounter counter, ChatFormat chat, int workers, long textMaxBytes, String source) {
        public Tokens {
            require(workers >= 0, "tokenizer workers are below 0");
            require(textMaxBytes > 0, "memory for texts is not above 0");
        }
    }

    /**
     * A log of what is received, from which a killed run goes on.
     *
     * @param directory where the journals of runs are
     * @param syncNanos time between calls of fdatasync; 0 for one after each read, negative for none
     * @param segmentMaxBytes a file that has as many is followed by another
     */
    public record Journal(Path directory, long syncNanos, long segmentMaxBytes) {
        public Journal {
            require(segmentMaxBytes >= 4096, "a segment of the journal is below 4 KiB");
        }
    }

    /**
     * Who else is shown snapshots.
     *
     * @param prometheus where metrics are served for Prometheus; null for nowhere
     * @param otlp a collector they are pushed to; null for none
     * @param otlpNanos time between pushes
     */
    public record Exports(
            @Nullable InetSocketAddress prometheus,
            @Nullable URI otlp,
            long otlpNanos) {
        /** Nobody. */
        public static final Exports NONE = new Exports(null, null, 0);

        public Exports {
            require(otlp == null || otlpNanos >= NANOS_PER_MILLI, "the interval of pushes is below 1 ms");
        }
    }

    /**
     * Other kinds of observation.
     *
     * @param options how they are looked at
     * @param host time between looks at this host's resources; null for none
     * @param scrapes exporters that are scraped
     */
    public record Observe(
            TelemetryOptions options, @Nullable Duration host, List<ScrapeSpec> scrapes) {
        /** Only what comes by itself. */
        public static final Observe NOTHING = new Observe(TelemetryOptions.DEFAULT, null, List.of());

        public Observe {
            scrapes = List.copyOf(scrapes);
            require(
                    host == null || host.toNanos() >= 10 * NANOS_PER_MILLI,
                    "the interval of looks at the host is below 10 ms");
            require(scrapes.size() <= SCRAPES_MAX, "there are more than " + SCRAPES_MAX + " exporters to scrape");
        }

        /** Whether the daemon gets anything by itself. */
        public boolean collects() {
            return host != null || !scrapes.isEmpty();
        }
    }

    public AggregatorOptions {
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
        outputMode = Set.copyOf(outputMode);
        require(!inputs.isEmpty() || observe.collects(), "there is no input");
        require(publishIntervalNanos >= NANOS_PER_MILLI, "the publish interval is below 1 ms");
        require(drainTimeoutNanos >= 0, "the drain timeout is negative");
        require(significantFigures >= 1 && significantFigures <= 5, "HDR significant figures are not 1 to 5");
        require(displayBuckets >= 1 && displayBuckets <= 10_000, "histogram buckets are not 1 to 10000");
        require(stallNanos >= 0, "the stall timeout is negative");
        require(maxInFlight >= 1, "the limit of samples in flight is below 1");
        require(rawValuesMaxBytes >= 0, "memory for values is negative");
        if (objectives != null) {
            boolean chunks = streaming != Streaming.OFF;
            require(chunks || !objectives.limitsTtft(), "an objective for ttft needs --streaming");
            require(chunks || !objectives.limitsTpot(), "an objective for tpot needs --streaming");
        }
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
