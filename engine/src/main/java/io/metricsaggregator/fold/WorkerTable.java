package io.metricsaggregator.fold;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What each worker sent, and what of it was lost where its records are numbered. A worker is known by its source name, as far as
 * its first {@link #NAME_MAX_BYTES} bytes, or by its number; records with neither share one row. Beyond {@link #MAX_WORKERS} the
 * rest share another.
 */
final class WorkerTable {
    static final int MAX_WORKERS = 1024;
    static final int NAME_MAX_BYTES = 256;

    private static final int INDEX_SIZE = 4 * MAX_WORKERS;

    private final List<Row> rows = new ArrayList<>();
    private final @Nullable Row[] index = new @Nullable Row[INDEX_SIZE];
    private final Row unnamed = new Row("", null, 0);
    private final Row others = new Row("other", null, 0);
    private @Nullable Row last;

    /** One worker's counts. */
    static final class Row {
        private final String worker;
        private final byte @Nullable [] name;
        private final long number;
        private long records;
        private long issued;
        private long completed;
        private long failed;
        private final RecordNumbering numbering = new RecordNumbering();

        Row(String worker, byte @Nullable [] name, long number) {
            this.worker = worker;
            this.name = name;
            this.number = number;
        }

        String worker() {
            return worker;
        }

        void issued() {
            issued++;
        }

        void completed() {
            completed++;
        }

        void failed() {
            failed++;
        }

        private boolean isOf(DecodedEvent event) {
            return event.hasSourceId()
                    ? name != null && event.sourceEquals(name, NAME_MAX_BYTES)
                    : name == null && number == event.workerId();
        }

        private SnapshotExtensions.WorkerRow freeze() {
            return new SnapshotExtensions.WorkerRow(
                    worker,
                    records,
                    issued,
                    completed,
                    failed,
                    numbering.gaps(),
                    numbering.lost(),
                    numbering.repeated(),
                    numbering.unknownStart(),
                    numbering.restarts());
        }
    }

    /** Counts a record for its worker; answers the worker's row. */
    Row record(DecodedEvent event) {
        Row row = unnamed;
        if (event.hasSourceId() || event.hasWorkerId()) {
            row = last != null && last.isOf(event) ? last : find(event);
            last = row == others ? null : row;
        }
        row.records++;
        if (event.hasSequence() && row != others) {
            row.numbering.take(event.sequence(), event.life());
        }
        return row;
    }

    private Row find(DecodedEvent event) {
        int position = hash(event) & (INDEX_SIZE - 1);
        Row found = index[position];
        while (found != null && !found.isOf(event)) {
            position = (position + 1) & (INDEX_SIZE - 1);
            found = index[position];
        }
        if (found != null) {
            return found;
        }
        if (rows.size() >= MAX_WORKERS) {
            return others;
        }
        Row added = newRow(event);
        index[position] = added;
        rows.add(added);
        return added;
    }

    private static int hash(DecodedEvent event) {
        long key = event.hasSourceId() ? event.sourceHash(NAME_MAX_BYTES) : event.workerId();
        long h = key * 0x9e3779b97f4a7c15L;
        return (int) (h >>> 40);
    }

    private static Row newRow(DecodedEvent event) {
        if (event.hasSourceId()) {
            byte[] name = event.copySource(NAME_MAX_BYTES);
            return new Row(new String(name, StandardCharsets.UTF_8), name, 0);
        }
        return new Row(Long.toString(event.workerId()), null, event.workerId());
    }

    List<SnapshotExtensions.WorkerRow> freeze() {
        List<SnapshotExtensions.WorkerRow> frozen = new ArrayList<>(rows.size() + 2);
        if (unnamed.records > 0) {
            frozen.add(unnamed.freeze());
        }
        for (Row row : rows) {
            frozen.add(row.freeze());
        }
        if (others.records > 0) {
            frozen.add(others.freeze());
        }
        return frozen;
    }
}
