package io.metricsaggregator.fold.row;

/**
 * Finds rows by the hashes of their ids: an open-addressing table with linear probing. Several rows may have one hash. Belongs to the thread of the fold;
 * allocates only to grow.
 */
final class RowIndex {
    /** The position of no entry. */
    static final int NONE = -1;

    private static final int FIRST_SIZE = 1 << 12;

    /**
     * A table of up to this size, 512 kB, is at most a quarter full: most entries then lie in their first place, and the processor predicts the end of a search.
     * A larger one waits for memory rather than for predictions, and is at most 11/16 full.
     */
    private static final int SPARSE_SIZE_MAX = 1 << 16;

    /** The hash in the upper half, the row + 1 in the lower half; 0 is empty. */
    private long[] entries = new long[FIRST_SIZE];

    private int size;

    /** Returns the position of the first entry with a hash; {@link #NONE} if there is none. */
    int first(int hash) {
        return next(hash, hash);
    }

    /**
     * Returns the position of the next entry with a hash; {@link #NONE} if there is none.
     *
     * @param from the position behind the previous one, or any number whose lower bits are a position
     */
    int next(int hash, int from) {
        long[] table = entries;
        int mask = table.length - 1;
        int position = from & mask;
        long entry = table[position];
        while (entry != 0) {
            if ((int) (entry >>> 32) == hash) {
                return position;
            }
            position = (position + 1) & mask;
            entry = table[position];
        }
        return NONE;
    }

    /** The row of the entry at a position. */
    int row(int position) {
        return (int) entries[position] - 1;
    }

    /** Adds a row. */
    void insert(int hash, int row) {
        size++;
        long sixteenths = entries.length <= SPARSE_SIZE_MAX ? 4 : 11;
        if (16L * size > sixteenths * entries.length) {
            grow();
        }
        insert(entries, (long) hash << 32 | row + 1);
    }

    private static void insert(long[] table, long entry) {
        int mask = table.length - 1;
        int position = (int) (entry >>> 32) & mask;
        while (table[position] != 0) {
            position = (position + 1) & mask;
        }
        table[position] = entry;
    }

    private void grow() {
        long[] larger = new long[2 * entries.length];
        for (long entry : entries) {
            if (entry != 0) {
                insert(larger, entry);
            }
        }
        entries = larger;
    }

    /** Removes a row that was added with a hash. */
    void remove(int hash, int row) {
        long[] table = entries;
        int mask = table.length - 1;
        long wanted = (long) hash << 32 | row + 1;
        int position = hash & mask;
        while (table[position] != wanted) {
            position = (position + 1) & mask;
        }
        closeGap(table, position, mask);
        size--;
    }

    /** Moves back the entries that the one at {@code gap} had displaced. */
    private static void closeGap(long[] table, int gap, int mask) {
        int free = gap;
        int position = (gap + 1) & mask;
        long entry = table[position];
        while (entry != 0) {
            int home = (int) (entry >>> 32) & mask;
            if (((position - home) & mask) >= ((position - free) & mask)) {
                table[free] = entry;
                free = position;
            }
            position = (position + 1) & mask;
            entry = table[position];
        }
        table[free] = 0;
    }
}
