package io.metricsaggregator.ledger;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts by worker. A worker is identified by the first {@value WorkerCounts#NAME_MAX_BYTES} bytes of its source name, or by its number; records
 * with neither share one row. The first {@value #MAX_WORKERS} workers have a row each, all later ones share another. Allocates only
 * when a worker is new.
 */
final class WorkerTable {
    static final int MAX_WORKERS = 1024;

    private static final int INDEX_SIZE = 4 * MAX_WORKERS;

    private final List<WorkerCounts> rows = new ArrayList<>();
    private final @Nullable WorkerCounts[] index = new @Nullable WorkerCounts[INDEX_SIZE];
    private final WorkerCounts unnamed = new WorkerCounts("", null, 0);
    private final WorkerCounts others = new WorkerCounts("other", null, 0);
    /** The worker of the previous record, which most often sent this one too; null for none or {@link #others}. */
    private @Nullable WorkerCounts last;
    /** {@link DecodedEvent#sourceRun} of that record. */
    private long lastRun;

    private @Nullable Object lastRunOf;

    /** Counts a record for its worker, and returns that worker's counts. */
    WorkerCounts received(DecodedEvent event) {
        WorkerCounts row = of(event);
        row.received(1);
        if (event.hasSequence() && row != others) {
            row.numbered(event.sequence(), event.life());
        }
        return row;
    }

    /** The counts of the worker that sent a record. */
    WorkerCounts of(DecodedEvent event) {
        WorkerCounts row = last;
        long run = event.sourceRun();
        Object runOf = event.sourceRunOf();
        if (row != null && run == lastRun && run != 0 && runOf == lastRunOf) {
            return row;
        }
        if (!event.hasSourceId() && !event.hasWorkerId()) {
            return unnamed;
        }
        lastRun = run;
        lastRunOf = runOf;
        if (row != null && row.sent(event)) {
            return row;
        }
        row = find(event);
        last = row == others ? null : row;
        return row;
    }

    /** Counts a further numbered record of a worker that {@link #received} returned. */
    void receivedRun(WorkerCounts row, long sequence, long count, long life) {
        row.received(count);
        if (row != others) {
            row.numbered(sequence, count, life);
        }
    }

    /** The counts of records that name no worker. */
    WorkerCounts unnamed() {
        return unnamed;
    }

    private WorkerCounts find(DecodedEvent event) {
        int position = hash(event) & (INDEX_SIZE - 1);
        WorkerCounts found = index[position];
        while (found != null && !found.sent(event)) {
            position = (position + 1) & (INDEX_SIZE - 1);
            found = index[position];
        }
        if (found != null) {
            return found;
        }
        if (rows.size() >= MAX_WORKERS) {
            return others;
        }
        WorkerCounts added = newRow(event);
        index[position] = added;
        rows.add(added);
        return added;
    }

    private static int hash(DecodedEvent event) {
        long key = event.hasSourceId() ? event.sourceHash(WorkerCounts.NAME_MAX_BYTES) : event.workerId();
        long h = key * 0x9e3779b97f4a7c15L;
        return (int) (h >>> 40);
    }

    private static WorkerCounts newRow(DecodedEvent event) {
        if (event.hasSourceId()) {
            byte[] name = event.copySource(WorkerCounts.NAME_MAX_BYTES);
            return new WorkerCounts(new String(name, StandardCharsets.UTF_8), name, 0);
        }
        return new WorkerCounts(Long.toString(event.workerId()), null, event.workerId());
    }

    /** Copies the counts: records without a worker first, then workers in the order of their first record, then the shared row. */
    List<SnapshotExtensions.WorkerRow> rows() {
        List<SnapshotExtensions.WorkerRow> copies = new ArrayList<>(rows.size() + 2);
        if (unnamed.hasRecords()) {
            copies.add(unnamed.row());
        }
        for (WorkerCounts row : rows) {
            copies.add(row.row());
        }
        if (others.hasRecords()) {
            copies.add(others.row());
        }
        return copies;
    }
}
