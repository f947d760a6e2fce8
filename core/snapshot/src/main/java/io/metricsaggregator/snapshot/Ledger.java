package io.metricsaggregator.snapshot;

import io.metricsaggregator.catalogue.CounterName;

/**
 * The record counters of a snapshot as a balance: every record received is either applied or set aside under exactly one reason.
 *
 * @param received {@code records_received}
 * @param applied {@code records_applied}
 * @param malformed {@code records_malformed}
 * @param unknown {@code records_unknown}: well-formed, of a type this daemon does not know
 * @param duplicate {@code events_duplicate}: a step its sample or session had already made
 * @param orphan {@code events_orphan}: of a sample that is not in flight
 * @param late {@code events_late}: after {@code session.ended}, or too late for the order of a joined run
 * @param anonymous {@code events_anonymous}: sample events without a sample id
 */
public record Ledger(
        long received,
        long applied,
        long malformed,
        long unknown,
        long duplicate,
        long orphan,
        long late,
        long anonymous) {

    /** The balance of a snapshot; all zero if another daemon wrote it. */
    public static Ledger of(MetricsSnapshot snapshot) {
        return new Ledger(
                snapshot.counter(CounterName.RECORDS_RECEIVED),
                snapshot.counter(CounterName.RECORDS_APPLIED),
                snapshot.counter(CounterName.RECORDS_MALFORMED),
                snapshot.counter(CounterName.RECORDS_UNKNOWN),
                snapshot.counter(CounterName.EVENTS_DUPLICATE),
                snapshot.counter(CounterName.EVENTS_ORPHAN),
                snapshot.counter(CounterName.EVENTS_LATE),
                snapshot.counter(CounterName.EVENTS_ANONYMOUS));
    }

    /** The records received and not applied. */
    public long setAside() {
        return malformed + unknown + duplicate + orphan + late + anonymous;
    }

    /** Whether the records received are as many as those applied and those set aside together. */
    public boolean balanced() {
        return received == applied + setAside();
    }
}
