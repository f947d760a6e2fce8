package io.metricsaggregator.fold.row;

import java.util.Arrays;

/**
 * How often each row of a table was given up, so that one who noted a row can tell whether it is still of the same sample, without a look at the row. Belongs to
 * the thread of the fold; allocates only to grow.
 */
final class RowAges {
    private static final int FIRST_ROWS = 1024;

    private final int first;
    private int[] ages = {};

    RowAges() {
        this(1);
    }

    /** Ages that begin with one, rather than 1. */
    RowAges(int first) {
        this.first = first;
    }

    /** Begins with a row, the next one; rows are added in order, from 0. */
    void add(int row) {
        if (row == ages.length) {
            ages = Arrays.copyOf(ages, Math.max(FIRST_ROWS, 2 * row));
        }
        ages[row] = first;
    }

    /** Makes every place of a row invalid; returns whether the row can be used again, which ends after 2<sup>32</sup> samples. */
    boolean end(int row) {
        return ++ages[row] != 0;
    }

    /** A row in the lower half and its age in the upper half, which is not 0. */
    long place(int row) {
        return (long) ages[row] << Integer.SIZE | row;
    }

    /** Whether a row still has the age of a place; false for 0. */
    boolean isAt(long place) {
        int row = (int) place;
        return place != 0 && row < ages.length && ages[row] == (int) (place >>> Integer.SIZE);
    }
}
