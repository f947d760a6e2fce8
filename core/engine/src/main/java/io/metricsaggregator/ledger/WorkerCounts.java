package io.metricsaggregator.ledger;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import org.jspecify.annotations.Nullable;

/** The counts of one worker's records and samples. Belongs to the thread of the main flow; counting allocates nothing. */
public final class WorkerCounts {
    /** Bytes of a source name that tell workers apart. */
    static final int NAME_MAX_BYTES = 256;

    private final String worker;
    /** The first bytes of its source name; null for a worker that has only a number. */
    private final byte @Nullable [] name;

    private final long number;
    private long records;
    private long issued;
    private long completed;
    private long failed;
    private final RecordNumbering numbering = new RecordNumbering();

    WorkerCounts(String worker, byte @Nullable [] name, long number) {
        this.worker = worker;
        this.name = name;
        this.number = number;
    }

    /** Its source name or its number; empty for records that carry neither. */
    public String worker() {
        return worker;
    }

    /** Counts a sample that the worker issued. */
    public void issued() {
        issued++;
    }

    /** Counts a sample that the worker completed. */
    public void completed() {
        completed++;
    }

    /** Counts an error that the worker reported. */
    public void failed() {
        failed++;
    }

    void received(long count) {
        records += count;
    }

    void numbered(long sequence, long life) {
        numbering.take(sequence, life);
    }

    void numbered(long sequence, long count, long life) {
        numbering.take(sequence, count, life);
    }

    boolean hasRecords() {
        return records > 0;
    }

    /** Whether a record that carries a source name or a worker number is this worker's. */
    boolean sent(DecodedEvent event) {
        return event.hasSourceId()
                ? name != null && event.sourceEquals(name, NAME_MAX_BYTES)
                : name == null && number == event.workerId();
    }

    SnapshotExtensions.WorkerRow row() {
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
