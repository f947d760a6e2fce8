package io.metricsaggregator.fold;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.IdKind;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.snapshot.Goodput;
import io.metricsaggregator.snapshot.Outage;
import io.metricsaggregator.snapshot.SessionInfo;
import io.metricsaggregator.snapshot.Slices;
import io.metricsaggregator.snapshot.SlowSample;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the load-generator events mean. Counters and series agree with MLCommons endpoints on the same stream, whatever its order
 * and however often something is repeated; beside them it keeps the ledger, workers, errors, samples in flight and slices of time.
 */
public final class LoadgenFold {
    private final LoadgenCounters counters;
    private final LedgerCounters ledger;
    private final SuccessCounters successes;
    private final Registry registry;
    private final TextFold texts;
    private final SampleFold samples;
    private final TrackedWindows windows;
    private final WorkerTable workers = new WorkerTable();
    private final ErrorTable errors = new ErrorTable();
    private final SliceTable slices;
    private final @Nullable SloFold slo;

    private final SessionFold session;
    private final boolean trackAll;
    /** With {@link #trackAll}: no record has come yet. */
    private boolean awaitsFirst;

    private long observed;
    private long newestNanos = Long.MIN_VALUE;

    /** A fold that records into {@code registry}, which must be new: the order of its metrics is that of the reference. */
    public LoadgenFold(Registry registry, FoldOptions options) {
        Slo objectives = options.objectives();
        this.registry = registry;
        this.counters = new LoadgenCounters(registry);
        this.ledger = new LedgerCounters(registry);
        this.session = new SessionFold(registry);
        this.successes = new SuccessCounters(registry);
        this.trackAll = options.trackAll();
        this.awaitsFirst = trackAll;
        this.windows = new TrackedWindows(options.cut());
        this.slices = new SliceTable(options.streaming(), objectives != null);
        this.slo = objectives == null ? null : new SloFold(objectives, slices);
        LoadgenSeries series = new LoadgenSeries(registry, options.streaming(), ledger.durationsOverflowed, successes);
        this.texts = new TextFold(series, slo);
        this.samples = new SampleFold(
                counters,
                ledger,
                successes,
                series,
                new InFlightTable(options.maxInFlight(), options.maxLongIdBytes(), options.hashSeed()),
                windows,
                slices,
                slo,
                texts);
    }

    /** Hands the texts of tracked samples to {@code sink}; to be called before the first record. */
    public void countTexts(TextSink sink) {
        texts.countTexts(sink);
    }

    /** Records the length of a prompt whose text has been counted. */
    public void promptCounted(long tokens) {
        texts.promptCounted(tokens);
    }

    /**
     * Records an output whose text has been counted.
     *
     * @param tokens of all of it
     * @param sinceFirstNanos what the sink was told
     * @param tokensAfterFirst of what came after the first chunk; 0 if there was nothing
     * @param completedNanos what the sink was told
     * @param met what the sink was told
     */
    public void outputCounted(long tokens, long sinceFirstNanos, long tokensAfterFirst, long completedNanos, int met) {
        texts.outputCounted(tokens, sinceFirstNanos, tokensAfterFirst, completedNanos, met);
    }

    /** Takes note that an output holds nothing to count; with what the sink was told. */
    public void outputEmpty(long completedNanos, int met) {
        texts.outputJudged(0, 0, completedNanos, met);
    }

    /** Takes note that an output could not be counted; with what the sink was told. */
    public void outputNotCounted(int met) {
        texts.outputNotCounted(met);
    }

    /** The counters that ingest adds to. */
    public LedgerCounters ledger() {
        return ledger;
    }

    /** Whether {@code session.started} has been seen, or any record where all are tracked. */
    public boolean isStarted() {
        return session.hasBegun();
    }

    /** Whether {@code session.started} itself has been seen. */
    public boolean hasSessionStarted() {
        return session.isStarted();
    }

    /** Timestamp of {@code session.started}; 0 before it. */
    public long startedNanos() {
        return session.startedNanos();
    }

    /** Whether {@code session.ended} has been seen. */
    public boolean isEnded() {
        return session.isEnded();
    }

    /** Whether {@code session.interrupted} has been seen: the run, though it ends like any other, is not complete. */
    public boolean isInterrupted() {
        return session.isInterrupted();
    }

    /** Records received that are not telemetry: the load generator's, well-formed or not. */
    public long records() {
        return ledger.recordsReceived.value() - observed;
    }

    /** Samples issued so far, tracked or not. */
    public long issued() {
        return counters.totalIssued.value();
    }

    /** Whether chunks of tracked samples came that no series reports, because the run is to have none. */
    public boolean leavesChunksOut() {
        return samples.leavesChunksOut();
    }

    /** Whether samples are, or have been, tracked. */
    public boolean isTracking() {
        return session.isTracking();
    }

    /** The session as its events announced it. */
    public SessionInfo session() {
        return session.freeze();
    }

    /**
     * Applies well-formed records in order. Those a little ahead are looked at first, so that memory answers in time.
     *
     * @param events at least {@code count}
     */
    public void apply(DecodedEvent[] events, int count) {
        samples.touch(events, count);
        for (int i = 0; i < count; i++) {
            apply(events[i]);
        }
    }

    /**
     * Counts a record that is none: an error without a sample, as the reference has it, and without a time.
     *
     * @return false if it came after the end, and is late rather than malformed
     */
    public boolean malformed() {
        ledger.recordsReceived.increment();
        if (session.isEnded()) {
            ledger.eventsLate.increment();
            return false;
        }
        ledger.recordsMalformed.increment();
        counters.totalFailed.increment();
        return true;
    }

    /**
     * Counts a record of another kind.
     *
     * @param apply applies it, unless it is late; answers whether it was taken
     */
    public void observed(DecodedEvent event, BooleanSupplier apply) {
        ledger.recordsReceived.increment();
        observed++;
        workers.record(event);
        if (session.isEnded()) {
            ledger.eventsLate.increment();
        } else {
            (apply.getAsBoolean() ? ledger.recordsApplied : ledger.recordsMalformed).increment();
        }
    }

    private void apply(DecodedEvent event) {
        ledger.recordsReceived.increment();
        WorkerTable.Row worker = workers.record(event);
        if (session.isEnded()) {
            ledger.eventsLate.increment();
            return;
        }
        EventType type = event.type();
        if (type == null) {
            ledger.recordsUnknown.increment();
            counters.totalFailed.increment();
            return;
        }
        long now = event.timestampNanos();
        boolean forSample = type == EventType.SAMPLE_ISSUED
                || type == EventType.SAMPLE_RECV_FIRST
                || type == EventType.SAMPLE_RECV_NON_FIRST
                || type == EventType.SAMPLE_COMPLETE;
        if (forSample && event.idKind() == IdKind.EMPTY) {
            noteTime(now);
            ledger.eventsAnonymous.increment();
            return;
        }
        if (awaitsFirst) {
            trackFrom(now);
        }
        windows.advance(now);
        int slice = slices.at(now, samples.inFlight());
        if (now > newestNanos && (slice >= 0 || !session.hasBegun())) {
            newestNanos = now;
        }
        switch (type) {
            case SESSION_STARTED -> sessionStarted(now);
            case SESSION_ENDED -> {
                session.end();
                ledger.recordsApplied.increment();
            }
            case SESSION_STOP_LOADGEN -> appliedOrDuplicate(session.stopLoadgen());
            case SESSION_INTERRUPTED -> appliedOrDuplicate(session.interrupt());
            case SESSION_PHASE_START -> {
                session.startPhase(event);
                ledger.recordsApplied.increment();
            }
            case SESSION_START_PERFORMANCE_TRACKING -> {
                session.track();
                appliedOrDuplicate(trackAll || windows.start(now));
            }
            case SESSION_STOP_PERFORMANCE_TRACKING -> appliedOrDuplicate(trackAll || windows.stop());
            case SAMPLE_ISSUED -> {
                worker.issued();
                samples.issued(event, now, slice);
            }
            case SAMPLE_RECV_FIRST -> samples.receivedFirst(event, now, slice);
            case SAMPLE_RECV_NON_FIRST -> samples.receivedNext(event, now);
            case SAMPLE_COMPLETE -> {
                worker.completed();
                samples.completed(event, worker.worker(), now, slice);
            }
            case ERROR_GENERIC, ERROR_LOADGEN, ERROR_SESSION, ERROR_CLIENT -> {
                worker.failed();
                errors.record(event);
                samples.failed(event, slice);
            }
        }
        noteTime(now);
        if (slice >= 0) {
            slices.count(slice, SliceTable.RECORDS);
            slices.inFlight(slice, samples.inFlight());
        }
    }

    private void noteTime(long now) {
        if (!session.hasBegun()) {
            return;
        }
        long startedNanos = session.begunNanos();
        if (TimestampMath.fits(startedNanos, now)) {
            long since = now - startedNanos;
            if (since > counters.totalDurationNanos.value()) {
                counters.totalDurationNanos.set(since);
            }
        } else if (now > startedNanos) {
            counters.totalDurationNanos.set(Long.MAX_VALUE);
        }
    }

    private void sessionStarted(long now) {
        appliedOrDuplicate(session.start(now));
        begin(now);
    }

    private void begin(long now) {
        if (session.begin(now)) {
            newestNanos = now;
            slices.start(now);
            windows.sessionStarted(now);
        }
    }

    /** The first record of a run in which everything is tracked: its session may have started unseen. */
    private void trackFrom(long now) {
        awaitsFirst = false;
        begin(now);
        session.track();
        windows.start(now);
    }

    private void appliedOrDuplicate(boolean applied) {
        (applied ? ledger.recordsApplied : ledger.eventsDuplicate).increment();
    }

    /** Brings counters up to date that follow from others. To be called before a snapshot is taken. */
    public void refresh() {
        counters.trackedDurationNanos.set(windows.trackedNanos());
        counters.loadgenWindowNanos.set(windows.loadgenNanos());
        successes.refresh();
        ledger.valuesClamped.set(registry.clamped());
    }

    /** Notes the totals that rates are made of. */
    public void look(RateMeter meter, long nowNanos) {
        meter.look(
                nowNanos,
                ledger.recordsReceived.value(),
                counters.totalIssued.value(),
                counters.totalCompleted.value(),
                counters.totalFailed.value(),
                ledger.frameBytesReceived.value(),
                slo == null ? 0 : slo.good());
    }

    /**
     * Samples in flight.
     *
     * @param sinceNewestNanos how long ago, on the daemon's clock, the last event came: ages go on growing when nothing comes
     */
    public SnapshotExtensions.InFlight inFlight(long sinceNewestNanos) {
        return samples.inFlight(newestNanos, sinceNewestNanos);
    }

    /** What each worker sent. */
    public List<SnapshotExtensions.WorkerRow> workers() {
        return workers.freeze();
    }

    /** The kinds of error. */
    public List<SnapshotExtensions.ErrorRow> errors() {
        return errors.freeze();
    }

    /** How many samples met the objectives; null if there are none. */
    public @Nullable Goodput goodput() {
        return slo == null ? null : slo.freeze();
    }

    /** The samples that took longest for what they took long for. */
    public List<SlowSample> slowest() {
        return samples.slowest();
    }

    /**
     * Takes note that the daemon was not there between the records before and those to come.
     *
     * @param fromWallNanos when it last received something, since 1970 UTC; that of the last outage again gives that one another end
     * @param toWallNanos when it was ready to receive again
     */
    public void outage(long fromWallNanos, long toWallNanos) {
        samples.outage(fromWallNanos, toWallNanos);
    }

    /** When the daemon was not there, the first time first. */
    public List<Outage> outages() {
        return samples.outages();
    }

    /** The run in slices of time. */
    public Slices slices() {
        return slices.freeze();
    }
}
