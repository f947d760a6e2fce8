package io.metricsaggregator.snapshot;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import io.metricsaggregator.snapshot.fields.Forms;
import io.metricsaggregator.snapshot.figures.Completeness;
import io.metricsaggregator.snapshot.figures.Goodput;
import io.metricsaggregator.snapshot.figures.Outage;
import io.metricsaggregator.snapshot.figures.Rate;
import io.metricsaggregator.snapshot.figures.SelfCost;
import io.metricsaggregator.snapshot.figures.Slices;
import io.metricsaggregator.snapshot.figures.SlowSample;
import io.metricsaggregator.snapshot.figures.SteadyState;
import io.metricsaggregator.snapshot.telemetry.TelemetrySnapshots;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields that this project appends to every snapshot; MLCommons endpoints and older peers ignore them.
 *
 * @param run identity and settings of the run
 * @param inFlight samples issued and not completed
 * @param rates rates over sliding windows, the shortest first
 * @param workers counts by worker
 * @param errors counts by kind of error
 * @param malformed counts of malformed records by reason
 * @param slices the run in slices of time
 * @param goodput samples that met the objectives; null without objectives
 * @param slowest the slowest samples by latency and by time to first token
 * @param telemetry a record for each telemetry kind that the run received
 * @param self the cost of the daemon itself; null if the daemon does not report it
 * @param session the session as its events announced it; null in snapshots of schema version 1
 * @param outages spans without a daemon, the earliest first; empty for a run that was not resumed
 * @param optional figures from optional keys of the records
 * @param completeness the limits in force, and the parts that this copy lacks
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
        TelemetrySnapshots telemetry,
        @Nullable SelfCost self,
        @Nullable SessionInfo session,
        List<Outage> outages,
        OptionalFigures optional,
        Completeness completeness) {

    /** Those of a snapshot that has none, such as one of MLCommons' own daemon: nothing was counted, and no optional figure is there. */
    public static final SnapshotExtensions NONE = new SnapshotExtensions(
            RunInfo.BLANK,
            InFlight.BLANK,
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            Slices.BLANK,
            List.of(),
            null,
            TelemetrySnapshots.NONE,
            null,
            null,
            List.of(),
            OptionalFigures.NONE,
            Completeness.UNKNOWN);

    static SnapshotExtensions pass(Sections s, SnapshotExtensions v) throws MalformedMessageException {
        RunInfo run = s.record("run", v.run, RunInfo::pass, RunInfo.BLANK);
        InFlight inFlight = s.record("in_flight", v.inFlight, InFlight::pass, InFlight.BLANK);
        List<Rate> rates = s.record("rates", v.rates, Rate::pass, List.of());
        List<WorkerRow> workers = s.list("workers", v.workers, WorkerRow::pass, WorkerRow.BLANK);
        List<ErrorRow> errors = s.list("errors", v.errors, ErrorRow::pass, ErrorRow.BLANK);
        List<MalformedRow> malformed = s.absentForm("malformed", v.malformed, MalformedRow.ALL);
        Slices slices = s.record("slices", v.slices, Slices::pass, Slices.BLANK);
        List<SlowSample> slowest = s.absent("slowest", orNull(v.slowest), SlowSample::passAll, List.of());
        Goodput goodput = s.absent("goodput", v.goodput, Goodput::pass, Goodput.BLANK);
        TelemetrySnapshots telemetry =
                s.absentForm("observations", v.telemetry.isEmpty() ? null : v.telemetry, TelemetrySnapshots.FORM);
        SelfCost self = s.absent("self", v.self, SelfCost::pass, SelfCost.BLANK);
        SessionInfo session = s.absent("session", v.session, SessionInfo::pass, SessionInfo.BLANK);
        List<Outage> outages = s.absentList("outages", orNull(v.outages), Outage::pass, Outage.BLANK);
        OptionalFigures optional = OptionalFigures.pass(s, v.optional);
        Map<String, Long> limits = v.completeness.limits();
        limits = s.absentForm("limits", limits.isEmpty() ? null : limits, Completeness.LIMITS);
        List<String> leftOut = s.absentForm("left_out", orNull(v.completeness.leftOut()), Completeness.LEFT_OUT);
        return new SnapshotExtensions(
                run,
                inFlight,
                rates,
                workers,
                errors,
                malformed == null ? List.of() : malformed,
                slices,
                slowest == null ? List.of() : slowest,
                goodput,
                telemetry == null ? TelemetrySnapshots.NONE : telemetry,
                self,
                session,
                outages == null ? List.of() : outages,
                optional,
                new Completeness(limits == null ? Map.of() : limits, leftOut == null ? List.of() : leftOut));
    }

    /** Whether the snapshot has no extensions, so that their counts say nothing. */
    @SuppressWarnings("ReferenceEquality") // a run of which nothing is known yet is no snapshot of another daemon
    public boolean isNone() {
        return this == NONE;
    }

    /** Number of records that producers numbered and that never arrived, of all workers. */
    public long recordsLost() {
        return workers.stream().mapToLong(WorkerRow::sequenceLost).sum();
    }

    private static <T> @Nullable List<T> orNull(List<T> list) {
        return list.isEmpty() ? null : list;
    }

    /** Starts those of a run of which nothing else is known. */
    public static ExtensionsBuilder of(RunInfo run, InFlight inFlight, Slices slices) {
        return NONE.toBuilder().run(run).inFlight(inFlight).slices(slices);
    }

    /** Starts others with these figures. */
    public ExtensionsBuilder toBuilder() {
        return new ExtensionsBuilder(this);
    }

    public SnapshotExtensions {
        rates = List.copyOf(rates);
        workers = List.copyOf(workers);
        errors = List.copyOf(errors);
        malformed = List.copyOf(malformed);
        slowest = List.copyOf(slowest);
        outages = List.copyOf(outages);
    }

    /** The same extensions with another steady state. */
    public SnapshotExtensions withSteady(@Nullable SteadyState steady) {
        return withOptional(optional.withSteady(steady));
    }

    /** The same extensions with other optional figures. */
    public SnapshotExtensions withOptional(OptionalFigures other) {
        return toBuilder().optional(other).build();
    }

    /** The same extensions with another identity. */
    public SnapshotExtensions withRun(RunInfo other) {
        return toBuilder().run(other).build();
    }

    /**
     * Samples in flight.
     *
     * @param count samples issued and not completed, tracked or not
     * @param tracked samples of {@code count} that were issued in a tracked window
     * @param failed samples of {@code count} that had an error
     * @param peak the most samples that were in flight at a time, by the times of their events
     * @param oldestAgeNanos age of the sample issued first, in nanoseconds; 0 without samples in flight
     * @param sentAfterwards whether producers report samples once they have ended, so that {@code count} says nothing of the present while the run
     *     is live
     */
    public record InFlight(
            long count, long tracked, long failed, long peak, long oldestAgeNanos, boolean sentAfterwards) {
        static final InFlight BLANK = new InFlight(0, 0, 0, 0, 0);

        /** The fields; see {@link Fields.Shape}. */
        public static InFlight pass(Fields f, InFlight v) throws MalformedMessageException {
            return new InFlight(
                    f.count("count", v.count()),
                    f.count("tracked", v.tracked()),
                    f.count("failed", v.failed()),
                    f.by(Fields.Merge.PEAK).count("peak", v.peak()),
                    f.by(Fields.Merge.MAX).count("oldest_age_ns", v.oldestAgeNanos()),
                    f.absentFlag("sent_afterwards", v.sentAfterwards()));
        }

        /** Samples whose events arrive as they happen. */
        public InFlight(long count, long tracked, long failed, long peak, long oldestAgeNanos) {
            this(count, tracked, failed, peak, oldestAgeNanos, false);
        }

        /** The same of a run that has ended: what did not complete is known. */
        public InFlight ended() {
            return withPeak(peak, false);
        }

        /** The same with another peak. */
        public InFlight withPeak(long most, boolean afterwards) {
            return new InFlight(count, tracked, failed, most, oldestAgeNanos, afterwards);
        }
    }

    /**
     * Counts of one worker, or of all records that name none or exceed the bound on workers.
     *
     * @param worker the worker's number or source name; {@code ""} for records that name none; {@code "other"} for all beyond
     *     the bound on workers
     * @param records well-formed records
     * @param issued samples issued
     * @param completed samples completed
     * @param failed error events
     * @param sequenceGaps number of gaps in the sequence
     * @param sequenceLost numbers skipped: records that were sent and did not arrive, or were malformed
     * @param sequenceRepeated records whose number was not above the last one
     * @param sequenceUnknownStart numbers below the first one received: sent before the daemon subscribed, or lost
     * @param sequenceRestarts starts of the worker after its first
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
        static final WorkerRow BLANK = new WorkerRow("", 0, 0, 0, 0, 0, 0, 0);

        /** The fields; see {@link Fields.Shape}. */
        public static WorkerRow pass(Fields f, WorkerRow v) throws MalformedMessageException {
            return new WorkerRow(
                    f.text("worker", v.worker()),
                    f.count("records", v.records()),
                    f.count("issued", v.issued()),
                    f.count("completed", v.completed()),
                    f.count("failed", v.failed()),
                    f.count("seq_gaps", v.sequenceGaps()),
                    f.count("seq_lost", v.sequenceLost()),
                    f.count("seq_repeated", v.sequenceRepeated()),
                    f.laterCount("seq_unknown_start", v.sequenceUnknownStart()),
                    f.laterCount("seq_restarts", v.sequenceRestarts()));
        }

        /** Creates the row of a worker that never restarted and whose first record was received. */
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
     * @param event the event type, such as {@code error.client}; {@code "other"} for all beyond the bound on kinds
     * @param type the error type; {@code ""} if the record has none
     * @param count occurrences
     * @param message the message of the first one
     * @param firstNanos timestamp of the first one
     * @param lastNanos timestamp of the last one
     */
    public record ErrorRow(String event, String type, long count, String message, long firstNanos, long lastNanos) {
        static final ErrorRow BLANK = new ErrorRow("", "", 0, "", 0, 0);

        /** The fields; see {@link Fields.Shape}. */
        public static ErrorRow pass(Fields f, ErrorRow v) throws MalformedMessageException {
            return new ErrorRow(
                    f.text("event", v.event()),
                    f.text("type", v.type()),
                    f.count("count", v.count()),
                    f.text("message", v.message()),
                    f.by(Fields.Merge.MIN).count("first_ns", v.firstNanos()),
                    f.by(Fields.Merge.MAX).count("last_ns", v.lastNanos()));
        }
    }

    /**
     * The count of records that were malformed for one reason.
     *
     * @param reason the short name of the reason
     * @param count records
     */
    public record MalformedRow(String reason, long count) {
        private static final Fields.Form<Map<String, Long>> COUNTS = Forms.map(Forms.INTEGER);

        static final Fields.Form<List<MalformedRow>> ALL = Forms.of(
                rows -> {
                    Map<String, Long> counts = new LinkedHashMap<>();
                    rows.forEach(row -> counts.put(row.reason, row.count));
                    return counts;
                },
                (path, tree) -> {
                    List<MalformedRow> rows = new ArrayList<>();
                    Map<String, Long> counts = COUNTS.read(path, tree);
                    if (counts != null) {
                        counts.forEach((reason, count) -> rows.add(new MalformedRow(reason, count)));
                    }
                    return rows;
                });
    }
}
