package io.metricsaggregator.ledger;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.registry.LongCounter;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts records of every kind: each one once when it is received, and once for what became of it. A record is in exactly one of
 * applied, malformed, unknown, duplicate, orphan, late and anonymous; {@link io.metricsaggregator.snapshot.Ledger} checks the sum.
 * The other counters are of frames, batches, values and samples. Ingest and the folds share one ledger a run, on the thread of the main
 * flow; counting allocates nothing but the row of a new worker.
 */
public final class RecordLedger {
    /** Frames received. */
    public final LongCounter framesReceived = new LongCounter(CounterName.FRAMES_RECEIVED);
    /** Frames of 40 bytes or fewer: a topic at most, and no payload. */
    public final LongCounter framesEmpty = new LongCounter(CounterName.FRAMES_EMPTY);
    /** Bytes of all frames received. */
    public final LongCounter frameBytesReceived = new LongCounter(CounterName.FRAME_BYTES_RECEIVED);
    /** Batches received, malformed ones included. */
    public final LongCounter batchesReceived = new LongCounter(CounterName.BATCHES_RECEIVED);
    /** Batches discarded as a whole; how many records they held is unknown, and no other counter includes them. */
    public final LongCounter batchesMalformed = new LongCounter(CounterName.BATCHES_MALFORMED);
    /** Elements of batches that have no bytes. */
    public final LongCounter batchElementsEmpty = new LongCounter(CounterName.BATCH_ELEMENTS_EMPTY);
    /** Records received, of every kind. */
    public final LongCounter recordsReceived = new LongCounter(CounterName.RECORDS_RECEIVED);
    /** Records that had their effect on counters, series or state. */
    public final LongCounter recordsApplied = new LongCounter(CounterName.RECORDS_APPLIED);
    /** Records that could not be decoded, or that a fold rejected. */
    public final LongCounter recordsMalformed = new LongCounter(CounterName.RECORDS_MALFORMED);
    /** Well-formed records of a type that this daemon does not know. */
    public final LongCounter recordsUnknown = new LongCounter(CounterName.RECORDS_UNKNOWN);
    /** Records of a step that their sample or session had already made; the figures treat them as MLCommons endpoints does. */
    public final LongCounter eventsDuplicate = new LongCounter(CounterName.EVENTS_DUPLICATE);
    /** Records of a sample that is not in flight; they count in totals only. */
    public final LongCounter eventsOrphan = new LongCounter(CounterName.EVENTS_ORPHAN);
    /** Records after {@code session.ended}, and those that came too late to be put in the order of a joined run. */
    public final LongCounter eventsLate = new LongCounter(CounterName.EVENTS_LATE);
    /** Sample events without a sample id. */
    public final LongCounter eventsAnonymous = new LongCounter(CounterName.EVENTS_ANONYMOUS);
    /** Values outside a histogram's range, over all series. */
    public final LongCounter valuesClamped = new LongCounter(CounterName.VALUES_CLAMPED);
    /** Durations beyond 64 bits, recorded in no series. */
    public final LongCounter durationsOverflowed = new LongCounter(CounterName.DURATIONS_OVERFLOWED);
    /** Samples evicted from the table of samples in flight because it was full. */
    public final LongCounter inFlightEvicted = new LongCounter(CounterName.INFLIGHT_EVICTED);
    /** Samples issued again while they were in flight. */
    public final LongCounter samplesReissued = new LongCounter(CounterName.SAMPLES_REISSUED);
    /** Completions of samples that are not in flight. */
    public final LongCounter completionsOrphan = new LongCounter(CounterName.COMPLETIONS_ORPHAN);
    /** Well-formed records without {@code timestamp_ns}; the time of receipt takes its place. */
    public final LongCounter recordsWithoutTimestamp = new LongCounter(CounterName.RECORDS_WITHOUT_TIMESTAMP);

    private final WorkerTable workers = new WorkerTable();
    private final Map<CounterName, LongCounter> late = new EnumMap<>(CounterName.class);
    private @Nullable Registry registry;

    /** Registers all counters, in the order of the snapshot. To be called once. */
    public void registerIn(Registry into) {
        registry = into;
        List.of(
                        framesReceived,
                        framesEmpty,
                        frameBytesReceived,
                        batchesReceived,
                        batchesMalformed,
                        batchElementsEmpty,
                        recordsReceived,
                        recordsApplied,
                        recordsMalformed,
                        recordsUnknown,
                        eventsDuplicate,
                        eventsOrphan,
                        eventsLate,
                        eventsAnonymous,
                        valuesClamped,
                        durationsOverflowed,
                        inFlightEvicted,
                        samplesReissued,
                        completionsOrphan,
                        recordsWithoutTimestamp)
                .forEach(into::register);
    }

    /** Adds to a counter that is registered with its first value, so that a run without it has none. */
    public void count(CounterName name, long number) {
        if (number > 0 && registry != null) {
            LongCounter counter = late.get(name);
            if (counter == null) {
                counter = registry.counter(name);
                late.put(name, counter);
            }
            counter.add(number);
        }
    }

    /** Counts a well-formed record on receipt, and returns the counts of the worker that sent it. */
    public WorkerCounts received(DecodedEvent event) {
        recordsReceived.increment();
        return workers.received(event);
    }

    /** The counts of the worker that sent a record, which this does not count. */
    public WorkerCounts sender(DecodedEvent event) {
        return workers.of(event);
    }

    /** Counts further records of a worker, whose counts the record before them returned, and whose records are numbered from {@code sequence} on. */
    public void receivedRun(WorkerCounts worker, long sequence, long records, long life) {
        recordsReceived.add(records);
        workers.receivedRun(worker, sequence, records, life);
    }

    /** The counts of records that name no worker. */
    public WorkerCounts unnamedWorker() {
        return workers.unnamed();
    }

    /** Counts a record on receipt that could not be decoded, and that therefore no worker is known of. */
    public void receivedUndecoded() {
        recordsReceived.increment();
    }

    /** Counts a record as applied, or as a duplicate: the one step that each sample or session makes at most once. */
    public void appliedOrDuplicate(boolean applied) {
        (applied ? recordsApplied : eventsDuplicate).increment();
    }

    /**
     * Counts every record that was received and has no outcome as malformed: the rest of a block whose application broke. Keeps the
     * sum right.
     */
    public void settleAsMalformed() {
        recordsMalformed.add(Math.max(0, recordsReceived.value() - recordsAccounted()));
    }

    /** Records that have an outcome; equal to {@link #recordsReceived} between two records. */
    public long recordsAccounted() {
        return recordsApplied.value()
                + recordsMalformed.value()
                + recordsUnknown.value()
                + eventsDuplicate.value()
                + eventsOrphan.value()
                + eventsLate.value()
                + eventsAnonymous.value();
    }

    /** Copies the counts of every worker. */
    public List<SnapshotExtensions.WorkerRow> workers() {
        return workers.rows();
    }
}
