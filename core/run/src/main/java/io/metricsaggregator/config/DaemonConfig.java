package io.metricsaggregator.config;

import io.metricsaggregator.collect.ScrapeSpec;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportOptions;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Everything a daemon needs: the run it computes, and the endpoints, files, exports and process around it.
 *
 * @param run decides the run's numbers
 * @param resources memory and tokenizer of the run
 * @param endpoints sockets
 * @param output the final snapshot's file
 * @param publishing intervals of snapshots
 * @param journal the log of received frames; null for none
 * @param exports monitoring systems and browsers that receive snapshots
 * @param collection telemetry that the daemon collects itself
 * @param spans address that receives OpenTelemetry traces; null for none
 * @param lifecycle readiness, interruption and exit status of the process
 */
public record DaemonConfig(
        RunConfig run,
        RunResources resources,
        Endpoints endpoints,
        Output output,
        Publishing publishing,
        @Nullable Journal journal,
        Exports exports,
        Collection collection,
        @Nullable InetSocketAddress spans,
        Lifecycle lifecycle) {
    private static final long NANOS_PER_MILLI = 1_000_000L;
    private static final int SEGMENT_MIN_BYTES = 4096;
    private static final int SCRAPES_MAX = 256;

    /**
     * Sockets of the daemon.
     *
     * @param inputs endpoints that events come from; may be empty if the daemon collects telemetry itself or receives traces
     * @param outputs endpoints that snapshots are published on; may be empty
     * @param readiness PULL socket that receives the readiness signal; null for none
     * @param transport limits and security of all sockets
     */
    public record Endpoints(
            List<Endpoint> inputs,
            List<Endpoint> outputs,
            @Nullable Readiness readiness,
            TransportOptions transport) {
        public Endpoints {
            inputs = List.copyOf(inputs);
            outputs = List.copyOf(outputs);
        }
    }

    /**
     * A PULL socket that receives the readiness signal.
     *
     * @param endpoint the socket, connected to
     * @param id number in the signal
     */
    public record Readiness(Endpoint endpoint, long id) {}

    /**
     * Where the final snapshot is written.
     *
     * @param directory created if missing
     * @param fallbackDirectory used if the file cannot be written there; null for none
     * @param fileMode permissions of the file
     */
    public record Output(Path directory, @Nullable Path fallbackDirectory, Set<PosixFilePermission> fileMode) {
        /** Permissions of a file that only its owner reads. */
        public static final Set<PosixFilePermission> PRIVATE = Set.copyOf(PosixFilePermissions.fromString("rw-------"));

        public Output {
            fileMode = Set.copyOf(fileMode);
        }
    }

    /**
     * Intervals of snapshots.
     *
     * @param intervalNanos time between snapshots, at least 1 ms
     * @param drainTimeoutNanos time for pending values after the end of the session; {@link Long#MAX_VALUE} for no limit
     */
    public record Publishing(long intervalNanos, long drainTimeoutNanos) {
        public Publishing {
            RunConfig.require(intervalNanos >= NANOS_PER_MILLI, "--publish-interval is below 1 ms");
            RunConfig.require(drainTimeoutNanos >= 0, "--drain-timeout is negative");
        }
    }

    /**
     * The log of received frames, from which a killed run resumes.
     *
     * @param directory holds a folder for each run
     * @param syncNanos time between calls of fdatasync; 0 for one after each read, negative for none
     * @param segmentMaxBytes a segment that has as many bytes is followed by the next; at least 4 KiB
     */
    public record Journal(Path directory, long syncNanos, long segmentMaxBytes) {
        public Journal {
            RunConfig.require(segmentMaxBytes >= SEGMENT_MIN_BYTES, "--journal-segment is below 4 KiB");
        }
    }

    /**
     * Monitoring systems and browsers that receive snapshots.
     *
     * @param prometheus address that serves metrics to Prometheus; null for none
     * @param otlp collector that metrics are pushed to; null for none
     * @param otlpIntervalNanos time between pushes, at least 1 ms if there is a collector
     * @param genAi whether both have the series of requests under the names of the GenAI semantic conventions as well
     * @param web address that serves the live page to browsers; null for none
     * @param lingerPageNanos how long the page is served after the end of the run while a browser shows it; 0 for not at all
     */
    public record Exports(
            @Nullable InetSocketAddress prometheus,
            @Nullable URI otlp,
            long otlpIntervalNanos,
            boolean genAi,
            @Nullable InetSocketAddress web,
            long lingerPageNanos) {
        /** No monitoring system and no live page. */
        public static final Exports NONE = new Exports(null, null, 0, false, null, 0);

        public Exports {
            RunConfig.require(otlp == null || otlpIntervalNanos >= NANOS_PER_MILLI, "--otlp-interval is below 1 ms");
            RunConfig.require(lingerPageNanos >= 0, "--linger-page is negative");
        }
    }

    /**
     * Telemetry that the daemon collects itself.
     *
     * @param hostInterval time between samples of this host's resources, at least 10 ms; null for none
     * @param scrapes exporters that are scraped, at most 256; see {@link ScrapeSpec#distinct}
     */
    public record Collection(@Nullable Duration hostInterval, List<ScrapeSpec> scrapes) {
        /** A daemon that collects nothing itself. */
        public static final Collection NONE = new Collection(null, List.of());

        public Collection {
            scrapes = List.copyOf(ScrapeSpec.distinct(scrapes));
            RunConfig.require(
                    hostInterval == null || hostInterval.toNanos() >= 10 * NANOS_PER_MILLI,
                    "--host-interval is below 10 ms");
            RunConfig.require(scrapes.size() <= SCRAPES_MAX, "--scrape names more than " + SCRAPES_MAX + " exporters");
        }

        /** Whether the daemon collects anything itself. */
        public boolean isActive() {
            return hostInterval != null || !scrapes.isEmpty();
        }
    }

    /** What the process does once the session has ended and its result is durable. */
    public enum AfterEnd {
        /** It exits. */
        EXIT,
        /** It serves the terminal snapshot until it is asked to stop; a restart after a crash resumes that. */
        STAY
    }

    /**
     * Readiness, interruption and exit status of the process.
     *
     * @param foreground whether a single SIGINT interrupts the run
     * @param exitWithParent whether the end of the parent process interrupts the run
     * @param mlcommons whether the daemon stands in for the aggregator of MLCommons endpoints: it then ignores SIGINT, and is ready
     *     as soon as its sockets are open
     * @param strict whether anything that was not applied gives the process an exit status of its own
     * @param stallTimeoutNanos a main loop without progress for this long is stuck, and the process ends; 0 for never
     * @param afterEnd what follows the end of the session
     * @param interruptOnStallNanos time without an answer of any endpoint, with samples in flight, after which the run is interrupted; 0 for never
     */
    public record Lifecycle(
            boolean foreground,
            boolean exitWithParent,
            boolean mlcommons,
            boolean strict,
            long stallTimeoutNanos,
            AfterEnd afterEnd,
            long interruptOnStallNanos) {
        /**
         * Two SIGINTs interrupt, the exit status is 0 for any durable result, a stuck main loop is not detected, and the process exits
         * after the session.
         */
        public static final Lifecycle DEFAULT = new Lifecycle(false, false, false, false, 0, AfterEnd.EXIT, 0);

        public Lifecycle {
            RunConfig.require(stallTimeoutNanos >= 0, "--stall-timeout is negative");
            RunConfig.require(interruptOnStallNanos >= 0, "--interrupt-on-stall is negative");
        }
    }

    public DaemonConfig {
        RunConfig.require(!endpoints.inputs.isEmpty() || collection.isActive() || spans != null, "there is no input");
    }

    /**
     * Starts from the defaults: no journal, no exports, no collection of its own.
     *
     * @param run decides the run's numbers
     * @param resources memory and tokenizer of the run
     * @param endpoints sockets
     * @param output the final snapshot's file
     */
    public static Builder builder(RunConfig run, RunResources resources, Endpoints endpoints, Output output) {
        return new Builder(run, resources, endpoints, output);
    }

    /** Collects a configuration; a group that is not set keeps its default. Not thread-safe. */
    public static final class Builder {
        private final RunConfig run;
        private final RunResources resources;
        private final Endpoints endpoints;
        private final Output output;
        private Publishing publishing = new Publishing(250 * NANOS_PER_MILLI, Long.MAX_VALUE);
        private @Nullable Journal journal;
        private Exports exports = Exports.NONE;
        private Collection collection = Collection.NONE;
        private @Nullable InetSocketAddress spans;
        private Lifecycle lifecycle = Lifecycle.DEFAULT;

        private Builder(RunConfig run, RunResources resources, Endpoints endpoints, Output output) {
            this.run = run;
            this.resources = resources;
            this.endpoints = endpoints;
            this.output = output;
        }

        /** Sets {@link DaemonConfig#publishing}; the default is a snapshot every 250 ms and no drain timeout. */
        public Builder publishing(Publishing intervals) {
            publishing = intervals;
            return this;
        }

        /** Sets {@link DaemonConfig#journal}; null, the default, for none. */
        public Builder journal(@Nullable Journal log) {
            journal = log;
            return this;
        }

        /** Sets {@link DaemonConfig#exports}; the default is {@link Exports#NONE}. */
        public Builder exports(Exports systems) {
            exports = systems;
            return this;
        }

        /** Sets {@link DaemonConfig#collection}; the default is {@link Collection#NONE}. */
        public Builder collection(Collection own) {
            collection = own;
            return this;
        }

        /** Sets {@link DaemonConfig#spans}; null, the default, for none. */
        public Builder spans(@Nullable InetSocketAddress address) {
            spans = address;
            return this;
        }

        /** Sets {@link DaemonConfig#lifecycle}; the default is {@link Lifecycle#DEFAULT}. */
        public Builder lifecycle(Lifecycle process) {
            lifecycle = process;
            return this;
        }

        /**
         * Builds the configuration.
         *
         * @throws IllegalArgumentException if the daemon has no input, collects nothing itself and receives no traces
         */
        public DaemonConfig build() {
            return new DaemonConfig(
                    run, resources, endpoints, output, publishing, journal, exports, collection, spans, lifecycle);
        }
    }
}
