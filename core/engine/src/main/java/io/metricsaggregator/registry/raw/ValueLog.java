package io.metricsaggregator.registry.raw;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Rows of integers in the order of their arrival, kept where the values of series are kept and within the same bound. Columns are packed one by one: a
 * value takes as many bytes as the range of 4096 neighbours needs. Belongs to the thread that owns the registry; adding allocates only to grow.
 */
public final class ValueLog {
    private final RawValues[] columns;

    /**
     * An empty log.
     *
     * @param store keeps the values
     * @param columns numbers per row, at least 1
     */
    public ValueLog(SlabStore store, int columns) {
        this.columns = new RawValues[columns];
        for (int i = 0; i < columns; i++) {
            this.columns[i] = new RawValues(store);
        }
    }

    /** Adds a row of a log with two columns. */
    public void add(long first, long second) {
        columns[0].add(first);
        columns[1].add(second);
    }

    /** Adds a row of a log with three columns. */
    public void add(long first, long second, long third) {
        add(first, second);
        columns[2].add(third);
    }

    /** Number of rows that are kept; 0 once there was no memory for a row. */
    public long size() {
        return isComplete() ? columns[0].size() : 0;
    }

    /** Whether every row that was added is kept. */
    public boolean isComplete() {
        for (RawValues each : columns) {
            if (!each.isComplete()) {
                return false;
            }
        }
        return true;
    }

    /**
     * Copies a column, in the order of arrival.
     *
     * @throws IllegalStateException if rows were lost
     * @throws UncheckedIOException if they cannot be read back
     */
    public long[] column(int index) {
        if (!isComplete()) {
            throw new IllegalStateException("rows were lost for want of memory");
        }
        long[] copy = new long[Math.toIntExact(size())];
        int[] filled = {0};
        boolean whole = columns[index].visit(0, 1, (values, count) -> {
            System.arraycopy(values, 0, copy, filled[0], count);
            filled[0] += count;
            return true;
        });
        if (!whole) {
            throw new UncheckedIOException(new IOException("values cannot be read back"));
        }
        return copy;
    }
}
