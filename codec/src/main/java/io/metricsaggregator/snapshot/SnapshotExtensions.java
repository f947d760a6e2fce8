package io.metricsaggregator.snapshot;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What this project appends to every snapshot. An older peer ignores it.
 *
 * @param run which run this is, and when
 * @param inFlight samples issued and not completed
 * @param rates how fast things happen now, shortest window first
 * @param workers what each worker sent
 * @param errors the distinct kinds of error
 * @param malformed what was wrong with malformed records, by reason
 * @param slices the run cut in slices of time
 * @param goodput samples that met the objectives; null if none are set
 * @param slowest the samples that took longest, by what for, the slowest first
 * @param telemetry what is known of other kinds of observation, by kind: trees of maps, lists, texts and numbers
 * @param self what the daemon itself costs; null if it does not say
 * @param session what is known of the session besides its state; null in snapshots of schema version 1
 * @param outages when the daemon was not there, the first one first; empty for a run that was not resumed
 * @param completeness the limits in force, and what this copy lacks
 */
public record SnapshotExtensions(
        RunInfo run,
        InFlight inFlight,
        List<Rate> rates,
        List<WorkerRow> workers,
        List<ErrorRow> errors,
        List<MalformedRow> malformed,
        Slices slices,
        List<SlowSample> slowest,
        @Nullable Goodput goodput,
        Map<String, Object> telemetry,
        @Nullable SelfCost self,
        @Nullable SessionInfo session,
        List<Outage> outages,
        Completeness completeness) {

    /** Whole, with unknown limits. */
    public SnapshotExtensions(
            RunInfo run,
            InFlight inFlight,
            List<Rate> rates,
            List<WorkerRow> workers,
            List<ErrorRow> errors,
            List<MalformedRow> malformed,
            Slices slices,
            List<SlowSample> slowest,
            @Nullable Goodput goodput,
            Map<String, Object> telemetry,
            @Nullable SelfCost self,
            @Nullable SessionInfo session,
            List<Outage> outages) {
        this(
                run,
                inFlight,
                rates,
                workers,
                errors,
                malformed,
                slices,
                slowest,
                goodput,
                telemetry,
                self,
                session,
                outages,
                Completeness.UNKNOWN);
    }

    /** Of a run that was not resumed; whole, with unknown limits. */
    public SnapshotExtensions(
            RunInfo run,
            InFlight inFlight,
            List<Rate> rates,
            List<WorkerRow> workers,
            List<ErrorRow> errors,
            List<MalformedRow> malformed,
            Slices slices,
            List<SlowSample> slowest,
            @Nullable Goodput goodput,
            Map<String, Object> telemetry,
            @Nullable SelfCost self,
            @Nullable SessionInfo session) {
        this(
                run,
                inFlight,
                rates,
                workers,
                errors,
                malformed,
                slices,
                slowest,
                goodput,
                telemetry,
                self,
                session,
                List.of(),
                Completeness.UNKNOWN);
    }

    /** Without slow samples, other kinds of observation and session. */
    public SnapshotExtensions(
            RunInfo run,
            InFlight inFlight,
            List<Rate> rates,
            List<WorkerRow> workers,
            List<ErrorRow> errors,
            List<MalformedRow> malformed,
            Slices slices,
            @Nullable Goodput goodput,
            @Nullable SelfCost self) {
        this(run, inFlight, rates, workers, errors, malformed, slices, List.of(), goodput, Map.of(), self, null);
    }

    public SnapshotExtensions {
        rates = List.copyOf(rates);
        workers = List.copyOf(workers);
        errors = List.copyOf(errors);
        malformed = List.copyOf(malformed);
        slowest = List.copyOf(slowest);
        outages = List.copyOf(outages);
        telemetry = Collections.unmodifiableMap(new LinkedHashMap<>(telemetry));
    }

    /**
     * Identity of a run.
     *
     * @param schemaVersion version of these extensions; raised when a field changes its meaning
     * @param runId a random id, one for each start of the daemon
     * @param version the daemon's version
     * @param startedWallNanos when the daemon started, nanoseconds since 1970 UTC; informative, never used in a computation
     * @param wallNanos when this snapshot was built, likewise
     * @param exposures sockets of the daemon that others than its user can reach, in words; mostly none
     * @param recomputed how this differs from the run as it was, in words, if it was computed again otherwise; mostly nothing
     * @param environment the machine and the JVM, by name
     * @param settings how the daemon was told to aggregate, by name; nothing secret
     */
    public record RunInfo(
            int schemaVersion,
            String runId,
            String version,
            long startedWallNanos,
            long wallNanos,
            List<String> exposures,
            List<String> recomputed,
            Map<String, String> environment,
            Map<String, String> settings) {
        /** The version written by this code. */
        public static final int SCHEMA_VERSION = 2;

        public RunInfo {
            exposures = List.copyOf(exposures);
            recomputed = List.copyOf(recomputed);
            environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
            settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
        }
    }

    /**
     * Samples in flight.
     *
     * @param count samples issued and not completed, tracked or not
     * @param tracked those of them that were issued in a tracked window
     * @param failed those of them that have had an error
     * @param peak the largest count so far
     * @param oldestAgeNanos how long the one that was issued first has been waiting; 0 if there is none
     */
    public record InFlight(long count, long tracked, long failed, long peak, long oldestAgeNanos) {}

    /**
     * What happened in the last seconds.
     *
     * @param windowSeconds the window asked for: 1, 10 or 60
     * @param coveredSeconds what it really covers: less at the start of a run, up to a tick more later
     * @param recordsPerSecond records received
     * @param issuedPerSecond samples issued
     * @param completedPerSecond samples completed
     * @param failedPerSecond errors
     * @param bytesPerSecond bytes received
     * @param goodPerSecond good samples; 0 without objectives
     */
    public record Rate(
            int windowSeconds,
            double coveredSeconds,
            double recordsPerSecond,
            double issuedPerSecond,
            double completedPerSecond,
            double failedPerSecond,
            double bytesPerSecond,
            double goodPerSecond) {}

    /**
     * One worker, or what could not be told apart.
     *
     * @param worker the worker's number or source name; {@code ""} for records that name none; {@code "other"} for all beyond
     *     the bound on workers
     * @param records well-formed records
     * @param issued samples issued
     * @param completed samples completed
     * @param failed errors
     * @param sequenceGaps how often numbers were skipped
     * @param sequenceLost how many numbers were skipped: records that were sent and did not arrive, or arrived unreadable
     * @param sequenceRepeated records whose number had been passed
     * @param sequenceUnknownStart how many numbers are below the first one received: sent before the daemon subscribed, or lost
     * @param sequenceRestarts lives of the worker after its first
     */
    public record WorkerRow(
            String worker,
            long records,
            long issued,
            long completed,
            long failed,
            long sequenceGaps,
            long sequenceLost,
            long sequenceRepeated,
            long sequenceUnknownStart,
            long sequenceRestarts) {

        /** A worker that was received from its first record on and never restarted. */
        public WorkerRow(
                String worker,
                long records,
                long issued,
                long completed,
                long failed,
                long sequenceGaps,
                long sequenceLost,
                long sequenceRepeated) {
            this(worker, records, issued, completed, failed, sequenceGaps, sequenceLost, sequenceRepeated, 0, 0);
        }
    }

    /**
     * One kind of error.
     *
     * @param event the event it came with, such as {@code error.client}; {@code "other"} for all beyond the bound on kinds
     * @param type its type; {@code ""} if it came without
     * @param count how often
     * @param message the message of the first one
     * @param firstNanos timestamp of the first one
     * @param lastNanos timestamp of the last one
     */
    public record ErrorRow(String event, String type, long count, String message, long firstNanos, long lastNanos) {}

    /**
     * One reason for which records were malformed.
     *
     * @param reason a short name
     * @param count how often
     */
    public record MalformedRow(String reason, long count) {}
}
