package io.metricsaggregator.fold;

import io.metricsaggregator.snapshot.Outage;
import java.util.ArrayList;
import java.util.List;

/**
 * When the daemon was not there, and what that cost: the samples that were in flight then and have no end since, and records of
 * samples that are not in flight. Each outage has a number from 1; beyond {@link #MAX} the last one grows.
 */
final class OutageTable {
    static final int MAX = 64;
    /** The number of samples that no outage has met. */
    static final int NONE = 0;

    private final LedgerCounters ledger;
    private final List<Row> rows = new ArrayList<>();

    private static final class Row {
        private final long fromWallNanos;
        private final long orphansBefore;
        private long toWallNanos;
        private long inFlight;
        private long orphaned;

        Row(long fromWallNanos, long orphansBefore) {
            this.fromWallNanos = fromWallNanos;
            this.orphansBefore = orphansBefore;
        }
    }

    OutageTable(LedgerCounters ledger) {
        this.ledger = ledger;
    }

    /** Takes an outage, or a better end of the last one; answers the number of a new one, {@link #NONE} for the last again. */
    int add(long fromWallNanos, long toWallNanos) {
        Row last = rows.isEmpty() ? null : rows.get(rows.size() - 1);
        if (last != null && last.fromWallNanos == fromWallNanos) {
            last.toWallNanos = toWallNanos;
            return NONE;
        }
        if (last != null && rows.size() == MAX) {
            last.toWallNanos = toWallNanos;
            return MAX;
        }
        Row added = new Row(fromWallNanos, ledger.eventsOrphan.value());
        added.toWallNanos = toWallNanos;
        rows.add(added);
        return rows.size();
    }

    /** So many samples in flight carry the number of an outage. */
    void met(int number, int samples) {
        Row row = rows.get(number - 1);
        row.inFlight += samples;
        row.orphaned += samples;
    }

    /** A sample with the number of an outage completed, was issued again, or was evicted. */
    void left(int number) {
        rows.get(number - 1).orphaned--;
    }

    List<Outage> freeze() {
        List<Outage> frozen = new ArrayList<>(rows.size());
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            long orphans = i + 1 < rows.size() ? rows.get(i + 1).orphansBefore : ledger.eventsOrphan.value();
            frozen.add(new Outage(
                    row.fromWallNanos, row.toWallNanos, row.inFlight, row.orphaned, orphans - row.orphansBefore));
        }
        return frozen;
    }
}
