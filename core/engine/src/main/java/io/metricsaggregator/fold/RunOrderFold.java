package io.metricsaggregator.fold;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.IdKind;
import io.metricsaggregator.fold.label.LabelCodes;
import io.metricsaggregator.fold.row.SampleContext;
import io.metricsaggregator.fold.row.TrackedWindows;
import io.metricsaggregator.fold.series.FoldOptions;
import io.metricsaggregator.fold.series.LoadgenCounters;
import io.metricsaggregator.fold.steady.SliceTable;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.ledger.WorkerCounts;
import io.metricsaggregator.registry.Registry;
import org.jspecify.annotations.Nullable;

/**
 * Folds what depends on the order of a run's events and on no sample: the session, the tracked windows, the ledger of records, workers, errors, slices of
 * time, the codes of labels. Gives every event of a sample the stamp by which {@link SampleFold} folds it. One a run, on the thread of the fold; an event
 * allocates nothing but what its first error, worker or label needs.
 */
public final class RunOrderFold {
    final SampleContext stamp = new SampleContext();
    final SessionFold session;
    final LabelCodes labels;

    private final LoadgenCounters counters;
    private final RecordLedger ledger;
    private final TrackedWindows windows;
    private final SliceTable slices;
    private final ErrorTable errors = new ErrorTable();
    private final boolean trackAll;
    /** With {@link #trackAll}: whether the first record is still to come. */
    private boolean awaitsFirst;

    /** The worker that sent the present event. */
    private WorkerCounts worker;

    private long newestNanos = Long.MIN_VALUE;
    /** Largest time of an event since the session began. */
    private long passedNanos = Long.MIN_VALUE;

    /**
     * A head before the first record. Registers the counters of the session.
     *
     * @param slices gets the times and numbers of records
     */
    RunOrderFold(
            Registry registry, LoadgenCounters counters, RecordLedger ledger, SliceTable slices, FoldOptions options) {
        this.counters = counters;
        this.ledger = ledger;
        this.worker = ledger.unnamedWorker();
        this.slices = slices;
        this.session = new SessionFold(registry);
        this.labels = new LabelCodes(options.expectedLabels());
        this.windows = new TrackedWindows(options.cut(), stamp);
        this.trackAll = options.trackAll();
        this.awaitsFirst = trackAll;
    }

    /** Records of the load generator received so far, malformed ones included; telemetry is not. */
    long records() {
        return stamp.position;
    }

    /** Timestamp of the newest event; {@link Long#MIN_VALUE} before the first. */
    long newestNanos() {
        return newestNanos;
    }

    ErrorTable errors() {
        return errors;
    }

    /**
     * Counts a record that could not be decoded, and so has no time: as in the reference, a failure without a sample.
     *
     * @return false if the session has ended: the record is late rather than malformed
     */
    boolean malformed() {
        stamp.position++;
        if (session.isEnded()) {
            return false;
        }
        counters.totalFailed.increment();
        return true;
    }

    /**
     * Admits an event to the run: counts it, and sets its position and its slice in the stamp. One of the methods below is to follow, then {@link #passed}.
     *
     * @return its type; null if nothing is to follow, because the event is late, of an unknown type, or of a sample without an id
     */
    @Nullable
    EventType admit(DecodedEvent event) {
        stamp.position++;
        WorkerCounts sender = ledger.received(event);
        if (sender != worker) {
            worker = sender;
        }
        if (session.isEnded()) {
            ledger.eventsLate.increment();
            return null;
        }
        EventType type = event.type();
        if (type == null) {
            ledger.recordsUnknown.increment();
            counters.totalFailed.increment();
            return null;
        }
        long now = event.timestampNanos();
        if (event.idKind() == IdKind.EMPTY && type.isStepOfSample()) {
            passed(now);
            ledger.eventsAnonymous.increment();
            return null;
        }
        if (awaitsFirst) {
            trackFrom(now);
        }
        take(now);
        return type;
    }

    /** Takes note of who sends the records that {@link #admitRun} is to admit, by one of them. */
    void sentBy(DecodedEvent event) {
        worker = ledger.sender(event);
    }

    /** Whether records can be admitted together: the run has not ended, and no time of a record opens or closes the tracked window. */
    boolean admitsRuns() {
        return !session.isEnded() && !awaitsFirst && windows.isUncut();
    }

    /**
     * Admits further chunks of the worker that sent the event before them, or of {@link #sentBy}, as {@link #admit} does an event and {@link #passed} its
     * time.
     *
     * @param sequence number of the first
     * @param newest largest of their times, which are all of slices
     */
    void admitRun(long sequence, long chunks, long life, long newest) {
        stamp.position += chunks;
        ledger.receivedRun(worker, sequence, chunks, life);
        take(newest);
        passed(newest);
    }

    private void take(long now) {
        windows.advance(now);
        int slice = slices.at(now);
        stamp.slice = slice;
        if (now > newestNanos && (slice != SampleContext.NONE || !session.hasBegun())) {
            newestNanos = now;
        }
    }

    /** Applies an event of the session. */
    void session(EventType type, DecodedEvent event) {
        long now = event.timestampNanos();
        switch (type) {
            case SESSION_STARTED -> {
                ledger.appliedOrDuplicate(session.start(now));
                begin(now);
            }
            case SESSION_ENDED -> {
                session.end();
                ledger.recordsApplied.increment();
            }
            case SESSION_STOP_LOADGEN -> ledger.appliedOrDuplicate(session.stopLoadgen());
            case SESSION_INTERRUPTED -> ledger.appliedOrDuplicate(session.interrupt());
            case SESSION_PHASE_START -> {
                session.startPhase(event);
                ledger.recordsApplied.increment();
            }
            case SESSION_START_PERFORMANCE_TRACKING -> {
                session.track();
                ledger.appliedOrDuplicate(trackAll || windows.start(now));
            }
            case SESSION_STOP_PERFORMANCE_TRACKING -> ledger.appliedOrDuplicate(trackAll || windows.stop());
            case SAMPLE_ISSUED,
                    SAMPLE_RECV_FIRST,
                    SAMPLE_RECV_NON_FIRST,
                    SAMPLE_COMPLETE,
                    ERROR_GENERIC,
                    ERROR_LOADGEN,
                    ERROR_SESSION,
                    ERROR_CLIENT -> throw new IllegalArgumentException(type + " is not an event of the session");
        }
    }

    /** Stamps the issue of a sample. */
    void issued(DecodedEvent event) {
        long now = event.timestampNanos();
        worker.issued();
        session.issued(now);
        stamp.isTracking = windows.takes(now);
        if (stamp.isTracking) {
            labels.stamp(event, worker, stamp);
        }
    }

    /** Stamps the completion of a sample. */
    void completed() {
        worker.completed();
        stamp.worker = worker.worker();
    }

    /** Counts an error, with or without a sample. */
    void failed(DecodedEvent event) {
        worker.failed();
        errors.record(event);
    }

    /** Takes the time of an event that was applied, up to which the session lasts. */
    void passed(long now) {
        if (now > passedNanos && session.hasBegun()) {
            passedNanos = now;
        }
    }

    /** Updates the duration of the session; to be called before a snapshot is taken. */
    void refresh() {
        if (session.hasBegun()) {
            counters.extendDuration(session.begunNanos(), passedNanos);
        }
    }

    private void begin(long now) {
        if (session.begin(now)) {
            newestNanos = now;
            slices.start(now);
            windows.sessionStarted(now);
        }
    }

    /** Begins the session and tracking with the first record of a run that tracks all: {@code session.started} may be missing. */
    private void trackFrom(long now) {
        awaitsFirst = false;
        begin(now);
        session.track();
        windows.start(now);
    }
}
