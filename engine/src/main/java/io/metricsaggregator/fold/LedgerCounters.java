package io.metricsaggregator.fold;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.registry.LongCounter;
import io.metricsaggregator.registry.Registry;

/**
 * The counters that say what became of everything received. A record is in exactly one of: applied, malformed, unknown,
 * duplicate, orphan, late, anonymous; {@link io.metricsaggregator.snapshot.Ledger} checks it. The others count frames, values
 * and samples, which are no records.
 */
public final class LedgerCounters {
    /** Frames received. */
    public final LongCounter framesReceived;
    /** Frames of 40 bytes or fewer, which carry nothing. */
    public final LongCounter framesEmpty;
    /** Bytes of frames received. */
    public final LongCounter frameBytesReceived;
    /** Batches received, malformed ones included. */
    public final LongCounter batchesReceived;
    /** Batches that were lost whole, with a number of records nobody knows. */
    public final LongCounter batchesMalformed;
    /** Elements of batches that hold nothing. */
    public final LongCounter batchElementsEmpty;
    /** Records received. */
    public final LongCounter recordsReceived;
    /** Records that did what they are meant to do. */
    public final LongCounter recordsApplied;
    /** Records that are none. */
    public final LongCounter recordsMalformed;
    /** Well-formed records of an unknown type. */
    public final LongCounter recordsUnknown;
    /** Records of a step that their sample or session had made before; they count as the compatible rules have it. */
    public final LongCounter eventsDuplicate;
    /** Records of a sample that is not in flight; they count in totals only. */
    public final LongCounter eventsOrphan;
    /** Records after {@code session.ended}. */
    public final LongCounter eventsLate;
    /** Sample events without a sample. */
    public final LongCounter eventsAnonymous;
    /** Values outside a histogram's range, over all series. */
    public final LongCounter valuesClamped;
    /** Durations beyond 64 bits, recorded nowhere. */
    public final LongCounter durationsOverflowed;
    /** Samples in flight that had to go because there were too many. */
    public final LongCounter inFlightEvicted;
    /** Well-formed records without {@code timestamp_ns}: their time is that of their receipt. */
    public final LongCounter recordsWithoutTimestamp;

    /** Samples issued again while they were in flight. */
    public final LongCounter samplesReissued;
    /** Completions of samples that are not in flight. */
    public final LongCounter completionsOrphan;

    /** Records of which it is known what became of them. */
    public long recordsAccounted() {
        return recordsApplied.value()
                + recordsMalformed.value()
                + recordsUnknown.value()
                + eventsDuplicate.value()
                + eventsOrphan.value()
                + eventsLate.value()
                + eventsAnonymous.value();
    }

    LedgerCounters(Registry registry) {
        framesReceived = registry.counter(CounterName.FRAMES_RECEIVED);
        framesEmpty = registry.counter(CounterName.FRAMES_EMPTY);
        frameBytesReceived = registry.counter(CounterName.FRAME_BYTES_RECEIVED);
        batchesReceived = registry.counter(CounterName.BATCHES_RECEIVED);
        batchesMalformed = registry.counter(CounterName.BATCHES_MALFORMED);
        batchElementsEmpty = registry.counter(CounterName.BATCH_ELEMENTS_EMPTY);
        recordsReceived = registry.counter(CounterName.RECORDS_RECEIVED);
        recordsApplied = registry.counter(CounterName.RECORDS_APPLIED);
        recordsMalformed = registry.counter(CounterName.RECORDS_MALFORMED);
        recordsUnknown = registry.counter(CounterName.RECORDS_UNKNOWN);
        eventsDuplicate = registry.counter(CounterName.EVENTS_DUPLICATE);
        eventsOrphan = registry.counter(CounterName.EVENTS_ORPHAN);
        eventsLate = registry.counter(CounterName.EVENTS_LATE);
        eventsAnonymous = registry.counter(CounterName.EVENTS_ANONYMOUS);
        valuesClamped = registry.counter(CounterName.VALUES_CLAMPED);
        durationsOverflowed = registry.counter(CounterName.DURATIONS_OVERFLOWED);
        inFlightEvicted = registry.counter(CounterName.INFLIGHT_EVICTED);
        samplesReissued = registry.counter(CounterName.SAMPLES_REISSUED);
        completionsOrphan = registry.counter(CounterName.COMPLETIONS_ORPHAN);
        recordsWithoutTimestamp = registry.counter(CounterName.RECORDS_WITHOUT_TIMESTAMP);
    }
}
