package io.metricsaggregator.fold.row;

import java.util.ArrayList;
import java.util.List;

/**
 * One more number for each row of {@link InFlightTable}, kept beside the table so that a run that does not need it pays nothing: a page of
 * memory is made when a row of it is set. A row keeps its number until it is set again, also when another sample takes it. Belongs to the
 * thread of the fold; allocates only to grow.
 */
public final class RowColumn {
    private static final int PAGE_BITS = 12;
    private static final int PAGE_ROWS = 1 << PAGE_BITS;
    private static final long[] NO_PAGE = {};

    private final List<long[]> pages = new ArrayList<>();

    /** The number of a row; 0 if it was never set. */
    public long get(int row) {
        int page = row >>> PAGE_BITS;
        if (page >= pages.size()) {
            return 0;
        }
        long[] values = pages.get(page);
        return values.length == 0 ? 0 : values[row & (PAGE_ROWS - 1)];
    }

    /** Sets the value of a row. */
    public void set(int row, long value) {
        int page = row >>> PAGE_BITS;
        while (page >= pages.size()) {
            pages.add(NO_PAGE);
        }
        long[] values = pages.get(page);
        if (values.length == 0) {
            values = new long[PAGE_ROWS];
            pages.set(page, values);
        }
        values[row & (PAGE_ROWS - 1)] = value;
    }
}
