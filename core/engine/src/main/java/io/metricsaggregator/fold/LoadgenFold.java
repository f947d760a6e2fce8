package io.metricsaggregator.fold;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.event.frame.TelemetryRecord;
import io.metricsaggregator.fold.label.EndpointWaits;
import io.metricsaggregator.fold.label.ProgressFold;
import io.metricsaggregator.fold.row.InFlightCounts;
import io.metricsaggregator.fold.row.InFlightTable;
import io.metricsaggregator.fold.row.RowsAhead;
import io.metricsaggregator.fold.row.SampleContext;
import io.metricsaggregator.fold.row.WindowSums;
import io.metricsaggregator.fold.series.FoldOptions;
import io.metricsaggregator.fold.series.LoadgenCounters;
import io.metricsaggregator.fold.series.LoadgenSeries;
import io.metricsaggregator.fold.series.RateMeter;
import io.metricsaggregator.fold.series.Slo;
import io.metricsaggregator.fold.series.StallLimit;
import io.metricsaggregator.fold.series.SuccessCounters;
import io.metricsaggregator.fold.steady.SliceTable;
import io.metricsaggregator.fold.steady.SloFold;
import io.metricsaggregator.fold.steady.SteadyBatches;
import io.metricsaggregator.fold.steady.SuperPassSamples;
import io.metricsaggregator.fold.token.OptionalFolds;
import io.metricsaggregator.fold.token.TextFold;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.parts.FoldPart;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.snapshot.OptionalFigures;
import io.metricsaggregator.snapshot.SessionInfo;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Goodput;
import io.metricsaggregator.snapshot.figures.Outage;
import io.metricsaggregator.snapshot.figures.Rate;
import io.metricsaggregator.snapshot.figures.Slices;
import io.metricsaggregator.snapshot.figures.SlowSample;
import io.metricsaggregator.snapshot.figures.SteadyBatch;
import io.metricsaggregator.snapshot.figures.SteadyWindow;
import io.metricsaggregator.snapshot.figures.TimeSpan;
import io.metricsaggregator.text.TextSink;
import io.metricsaggregator.text.TokenCountSink;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Folds the load generator's events. Counters and series agree with those of MLCommons endpoints for the same stream, whatever its order
 * and repetitions; beside them it keeps errors, samples in flight and slices of time. {@link RunOrderFold} folds what depends on the order of the run's
 * events, {@link SampleFold} what they do to samples. Belongs to the thread of the main flow. Applying an event allocates nothing, except for the first
 * error of a kind, the first sample with a longer id, and the like.
 */
public final class LoadgenFold {
    /** Longer than exporters of traces wait between two batches. */
    private static final int SILENT_SECONDS = 10;

    final LoadgenCounters counters;
    final RecordLedger ledger;
    private final SuccessCounters successes;
    final Registry registry;
    final TextFold texts;
    final RunOrderFold head;
    final SampleFold samples;
    final InFlightTable table;
    private final WindowSums windows;
    final SliceTable slices;
    final SteadyBatches batches;
    final @Nullable SloFold slo;
    final OptionalFolds optional;
    final ProgressFold progress;
    private final EndpointWaits waits;
    final RowsAhead rows;

    /**
     * A fold that records into {@code registry}, which must be empty: the order of its metrics is that of the reference. Registers the
     * counters of {@code ledger} behind its own.
     */
    public LoadgenFold(Registry registry, RecordLedger ledger, FoldOptions options) {
        this.windows = new WindowSums();
        this.batches = new SteadyBatches();
        Slo objectives = options.objectives();
        this.registry = registry;
        this.counters = new LoadgenCounters(registry);
        this.ledger = ledger;
        ledger.registerIn(registry);
        this.slices = new SliceTable(options.streaming(), objectives != null);
        this.head = new RunOrderFold(registry, counters, ledger, slices, options);
        this.successes = new SuccessCounters(registry);
        LoadgenSeries series = new LoadgenSeries(registry, options.streaming(), ledger.durationsOverflowed, successes);
        this.table = new InFlightTable(options.maxInFlight(), options.maxLongIdBytes(), options.hashSeed());
        this.rows = new RowsAhead(table);
        this.progress = new ProgressFold(
                registry, table, counters.totalIssued, new StallLimit(options.endpointIdleNanos(), series));
        this.optional = new OptionalFolds(registry, table, series, successes, progress, head.labels, options);
        this.waits = new EndpointWaits(progress, optional.labels);
        this.slo = objectives == null ? null : new SloFold(objectives, slices, batches, optional.labels, head.labels);
        this.texts = new TextFold(series, slo, options, optional, batches);
        InFlightCounts inFlight = new InFlightCounts(table, options.failuresLeave());
        this.samples = new SampleFold(
                counters, ledger, successes, series, table, rows, windows, slices, batches, slo, texts, optional,
                inFlight);
    }

    /** Sends the texts of tracked samples to {@code sink}; to be called before the first record. */
    public void countTexts(TextSink sink) {
        texts.countTexts(sink);
    }

    /** Takes the token counts of the texts that went to the sink. */
    public TokenCountSink tokenCounts() {
        return texts;
    }

    /** Whether {@code session.started} was received, or any record where all samples are tracked. */
    public boolean isStarted() {
        return head.session.hasBegun();
    }

    /** Whether {@code session.started} itself was received. */
    public boolean hasSessionStarted() {
        return head.session.isStarted();
    }

    /** Timestamp of {@code session.started}; 0 before it. */
    public long startedNanos() {
        return head.session.startedNanos();
    }

    /** Whether {@code session.ended} was received; all later records are late. */
    public boolean isEnded() {
        return head.session.isEnded();
    }

    /** Whether {@code session.interrupted} was received: the run is incomplete, although {@code session.ended} ends it. */
    public boolean isInterrupted() {
        return head.session.isInterrupted();
    }

    /** Records of the load generator received so far, malformed ones included; telemetry is not. */
    public long records() {
        return head.records();
    }

    /** Samples issued so far, tracked or not. */
    public long issued() {
        return counters.totalIssued.value();
    }

    /** Whether chunks of tracked samples were received that no series reports, because streaming is off for the run. */
    public boolean leavesChunksOut() {
        return samples.leavesChunksOut();
    }

    /** Whether performance tracking ever began. */
    public boolean isTracking() {
        return head.session.isTracking();
    }

    /** Copies what the session's events announced. */
    public SessionInfo session() {
        return head.session.info();
    }

    /** Applies the first {@code count} events in order, as received at the same time as those before them. */
    public void apply(DecodedEvent[] events, int count) {
        apply(events, count, progress.nowNanos());
    }

    /** Applies the first {@code count} events in order, received at a monotonic time. Looks for the rows of all their samples first. */
    public void apply(DecodedEvent[] events, int count, long receivedNanos) {
        progress.received(receivedNanos);
        rows.look(events, count);
        for (int i = 0; i < count; i++) {
            rows.select(i);
            apply(events[i]);
        }
    }

    /** Joins a KV transfer with the sample in flight that has an id; in a run without samples it does nothing. Allocates. */
    public void transferred(String sampleId, long nanos) {
        if (counters.totalIssued.value() > 0) {
            optional.server.transferred(rows.find(sampleId), nanos);
        }
    }

    /** Counts the end of a tool call, see {@link io.metricsaggregator.fold.conversation.JobFold#tool}. */
    public void tool(TelemetryRecord record) throws TelemetryRecord.Rejected {
        optional.jobs.tool(record);
    }

    /**
     * Counts a record that could not be decoded, and so has no time: as in the reference, a failure without a sample.
     *
     * @return false if the session has ended: the record is late rather than malformed
     */
    public boolean malformed() {
        return head.malformed();
    }

    /** Applies one event. */
    private void apply(DecodedEvent event) {
        EventType type = head.admit(event);
        if (type == null) {
            return;
        }
        InFlightCounts counts = samples.inFlight();
        long before = counts.level();
        apply(type, event, head.stamp);
        slices.inFlight().changed(counts.changedNanos(), (int) (counts.level() - before));
        head.passed(event.timestampNanos());
        int slice = head.stamp.slice;
        if (slice != SampleContext.NONE) {
            slices.record(slice);
        }
    }

    private void apply(EventType type, DecodedEvent event, SampleContext stamp) {
        switch (type) {
            case SAMPLE_ISSUED -> {
                head.issued(event);
                samples.issued(event, stamp);
            }
            case SAMPLE_RECV_FIRST -> samples.receivedFirst(event, stamp);
            case SAMPLE_RECV_NON_FIRST -> samples.receivedNext(event);
            case SAMPLE_COMPLETE -> {
                head.completed();
                samples.completed(event, stamp);
            }
            case ERROR_GENERIC, ERROR_LOADGEN, ERROR_SESSION, ERROR_CLIENT -> {
                head.failed(event);
                samples.failed(event, stamp);
            }
            case SESSION_ENDED -> {
                head.session(type, event);
                optional.conversations.end();
                optional.jobs.end();
                progress.ended();
            }
            case SESSION_PHASE_START -> {
                head.session(type, event);
                optional.superPasses.announced(event.announcedSuperPassSize());
            }
            case SESSION_STARTED,
                    SESSION_STOP_LOADGEN,
                    SESSION_INTERRUPTED,
                    SESSION_START_PERFORMANCE_TRACKING,
                    SESSION_STOP_PERFORMANCE_TRACKING -> head.session(type, event);
        }
    }

    /** Returns what the daemon tells of the waits for answers of the endpoints. */
    public EndpointWaits waits() {
        return waits;
    }

    /** Updates the counters that are derived from other state; to be called before a snapshot is taken. */
    public void refresh() {
        head.refresh();
        windows.follow(head.stamp);
        counters.trackedDurationNanos.set(windows.trackedNanos());
        counters.loadgenWindowNanos.set(windows.loadgenNanos());
        successes.refresh();
        optional.refresh();
        ledger.valuesClamped.set(registry.clamped());
    }

    /** Gives {@code meter} the totals as of {@code nowNanos} of the daemon's clock. */
    public void sample(RateMeter meter, long nowNanos) {
        meter.sample(
                nowNanos,
                ledger.recordsReceived.value(),
                counters.totalIssued.value(),
                counters.totalCompleted.value(),
                counters.totalFailed.value(),
                ledger.frameBytesReceived.value(),
                slo == null ? 0 : slo.good());
    }

    /**
     * The rates of a snapshot. Where producers report samples once they have ended, records arrive in bursts that say nothing of a second: rates are
     * then by the times of events, as of the newest one, until nothing has arrived for {@value #SILENT_SECONDS} s.
     *
     * @param byReceipt the rates by the times of receipt
     */
    public List<Rate> rates(List<Rate> byReceipt) {
        if (!slices.inFlight().isSentAfterwards()
                || byReceipt.stream()
                        .allMatch(each -> each.windowSeconds() > SILENT_SECONDS || each.recordsPerSecond() == 0)) {
            return byReceipt;
        }
        return byReceipt.stream().map(slices::rate).toList();
    }

    /**
     * Counts the samples in flight and the age of the oldest.
     *
     * @param sinceNewestNanos time since the newest event on the daemon's clock; added to the age, which so grows during silence
     */
    public SnapshotExtensions.InFlight inFlight(long sinceNewestNanos) {
        return samples.inFlight()
                .summary(head.newestNanos(), sinceNewestNanos)
                .withPeak(slices.inFlight().peak(), slices.inFlight().isSentAfterwards());
    }

    /** Copies the kinds of error, in the order of their first error. */
    public List<SnapshotExtensions.ErrorRow> errors() {
        return head.errors().rows();
    }

    /** Copies how many samples met the objectives; null if there are none. */
    public @Nullable Goodput goodput() {
        return slo == null ? null : slo.goodput();
    }

    /** Copies the figures from optional keys of the records, of a run without a steady window. */
    public OptionalFigures optional() {
        return optional(null);
    }

    /** Copies the figures from optional keys of the records. */
    public OptionalFigures optional(@Nullable SteadyWindow window) {
        return optional.figures(head.newestNanos(), window);
    }

    /** Copies the samples with the longest latency, then those with the longest time to first token; each slowest first. */
    public List<SlowSample> slowest() {
        return samples.slow.rows();
    }

    /** Copies the samples in the form that adds up; {@code sinceNewestNanos} as for {@link #inFlight}. */
    public FoldPart part(long sinceNewestNanos) {
        SnapshotExtensions.InFlight inFlight = inFlight(sinceNewestNanos).ended();
        return new FoldPart(
                slices.part(),
                windows.part(successes.span()),
                samples.slow.part(),
                inFlight,
                goodput(),
                optional.interactivity.summary(),
                optional.labels.part());
    }

    /**
     * Records that the daemon was down between the previous record and the next one.
     *
     * @param fromWallNanos when it last received something, in ns since 1970 UTC; that of the last outage again replaces its end
     * @param toWallNanos when it was ready to receive again
     * @param receivedNanos monotonic time of what it received last
     */
    public void outage(long fromWallNanos, long toWallNanos, long receivedNanos) {
        boolean first = samples.outages().add(fromWallNanos, toWallNanos, table);
        waits.outage(first, receivedNanos, TimestampMath.saturatedBetween(fromWallNanos, toWallNanos));
    }

    /** Copies the daemon's outages, oldest first. */
    public List<Outage> outages() {
        return samples.outages().rows();
    }

    /** Copies the tracked samples in batches by time of issue, oldest first; empty before the first. */
    public List<SteadyBatch> batches() {
        return batches.copy();
    }

    /** The figures of tracked samples issued from {@code fromNanos}, the start of a batch, to {@code toNanos}, the end of one. */
    public SteadyWindow steadyWindow(long fromNanos, long toNanos) {
        return batches.window(fromNanos, toNanos, slo != null);
    }

    /** The tracked samples by super-pass, to be read after the last event; null in a run without a size of super-passes. */
    public @Nullable SuperPassSamples superPasses() {
        return optional.superPasses.copy();
    }

    /** Copies the tracked windows with a completion, each to the last one among its samples; empty if there were too many to keep. */
    public List<TimeSpan> trackedSpans() {
        windows.follow(head.stamp);
        return windows.spans();
    }

    /** From the start of the session to its newest event; null before it. */
    public @Nullable TimeSpan span() {
        long begun = head.session.begunNanos();
        return head.session.hasBegun() ? new TimeSpan(begun, Math.max(begun, head.newestNanos())) : null;
    }

    /** Timestamp of the first issue, tracked or not; null before it. */
    public @Nullable Long firstIssuedNanos() {
        return head.session.firstIssuedNanos();
    }

    /** Timestamp of the newest event; {@link Long#MIN_VALUE} before the first. */
    public long newestNanos() {
        return head.newestNanos();
    }

    /** Copies the run in slices of event time. */
    public Slices slices() {
        return slices.copy();
    }
}
