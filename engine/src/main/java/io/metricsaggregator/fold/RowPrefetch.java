package io.metricsaggregator.fold;

import io.metricsaggregator.event.DecodedEvent;

/** Reads the rows that a block of events will need, so that they are in the cache when the events are applied. Belongs to the thread of the fold. */
final class RowPrefetch {
    private final InFlightTable table;
    /** Takes the result of {@link #touch}, so that the compiler does not remove the reads. */
    @SuppressWarnings("UnusedVariable")
    private long touched;

    RowPrefetch(InFlightTable table) {
        this.table = table;
    }

    void touch(DecodedEvent[] events, int count) {
        long seen = 0;
        for (int i = 0; i < count; i++) {
            seen ^= table.touch(table.hash(events[i]));
        }
        touched ^= seen;
    }
}
