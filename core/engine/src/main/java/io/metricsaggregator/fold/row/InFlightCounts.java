package io.metricsaggregator.fold.row;

import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.snapshot.SnapshotExtensions;

/** How many samples are in flight, are tracked and have failed. Belongs to the thread of the fold. */
public final class InFlightCounts {
    private final InFlightTable table;
    private final boolean failuresLeave;
    private long level;
    private long count;
    private long tracked;
    private long failed;
    private long changedNanos;

    /**
     * Counts before the first sample.
     *
     * @param failuresLeave as of {@code FoldOptions}
     */
    public InFlightCounts(InFlightTable table, boolean failuresLeave) {
        this.table = table;
        this.failuresLeave = failuresLeave;
    }

    /** Number of samples in flight for the levels over time: {@link #count}, less the failed samples where these leave with their error. */
    public long level() {
        return level;
    }

    /** When the sample that came or left last did so; one that left before it was issued did so with its issue. */
    public long changedNanos() {
        return changedNanos;
    }

    /** Counts a sample that was inserted into the table. */
    public void inserted(long now) {
        count++;
        level++;
        changedNanos = now;
    }

    /** Counts a sample in flight that is tracked from now on. */
    public void tracked() {
        tracked++;
    }

    /** Counts a sample in flight that fails, which it has not before; its time of issue must be set. */
    public void failed(int row, long now) {
        failed++;
        if (failuresLeave) {
            level--;
            changedNanos = Math.max(now, table.issued(row));
        }
    }

    /** Takes back {@link #failed}: the sample is issued again. */
    public void unfailed(long now) {
        failed--;
        if (failuresLeave) {
            level++;
            changedNanos = now;
        }
    }

    /** Takes a row that is removed out of the counts; its time of issue must be set. */
    public void left(int row, long now) {
        count--;
        if (!failuresLeave || !table.hasFailed(row)) {
            level--;
            changedNanos = Math.max(now, table.issued(row));
        }
        if (table.isTracked(row)) {
            tracked--;
        }
        if (table.hasFailed(row)) {
            failed--;
        }
    }

    /**
     * Copies the counts and the age of the oldest sample; without a peak.
     *
     * @param newestNanos timestamp of the newest event
     * @param sinceNewestNanos nanoseconds since it was received, on the daemon's clock
     */
    public SnapshotExtensions.InFlight summary(long newestNanos, long sinceNewestNanos) {
        int oldest = table.oldest();
        long age = 0;
        if (oldest != InFlightTable.NONE) {
            age = Math.max(0, TimestampMath.saturatedBetween(table.issued(oldest), newestNanos));
            age = TimestampMath.saturatedAdd(age, Math.max(0, sinceNewestNanos));
        }
        return new SnapshotExtensions.InFlight(count, tracked, failed, 0, age);
    }
}
