package io.metricsaggregator.fold.row;

import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.snapshot.figures.Outage;
import java.util.ArrayList;
import java.util.List;

/**
 * When the daemon was down, and what that cost: samples in flight at that time that did not complete since, and records of samples that
 * are not in flight. Outages are numbered from 1; beyond {@value #MAX} the last one is extended. Belongs to the thread of the fold.
 */
public final class OutageTable {
    public static final int MAX = 64;
    /** The number of a sample that was not in flight during any outage. */
    public static final int NONE = 0;

    private final RecordLedger ledger;
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

    public OutageTable(RecordLedger ledger) {
        this.ledger = ledger;
    }

    /**
     * Adds an outage, or corrects the end of the last one if both begin at the same time.
     *
     * @return the number of the outage that samples in flight are to be marked with; {@link #NONE} for a correction
     */
    public int add(long fromWallNanos, long toWallNanos) {
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

    /** Counts {@code samples} samples in flight that have been marked with the number of an outage. */
    void met(int number, int samples) {
        Row row = rows.get(number - 1);
        row.inFlight += samples;
        row.orphaned += samples;
    }

    /** Takes a marked sample out of those orphaned: it completed, was issued again, or was evicted. */
    public void left(int number) {
        rows.get(number - 1).orphaned--;
    }

    /** Records an outage as {@link #add(long, long)} does, and marks the samples in flight with it; returns whether it is a new one. */
    public boolean add(long fromWallNanos, long toWallNanos, InFlightTable table) {
        int number = add(fromWallNanos, toWallNanos);
        if (number != NONE) {
            met(number, table.meetOutage(number));
        }
        return number != NONE;
    }

    /** Copies the outages, oldest first. */
    public List<Outage> rows() {
        List<Outage> copies = new ArrayList<>(rows.size());
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            long orphans = i + 1 < rows.size() ? rows.get(i + 1).orphansBefore : ledger.eventsOrphan.value();
            copies.add(new Outage(
                    row.fromWallNanos, row.toWallNanos, row.inFlight, row.orphaned, orphans - row.orphansBefore));
        }
        return copies;
    }
}
