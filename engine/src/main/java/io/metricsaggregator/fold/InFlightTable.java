package io.metricsaggregator.fold;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.IdKind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The samples in flight, by id. Rows lie in pages of longs, are found through an open-addressing index, and are chained in the order
 * of their first issue. A row takes 64 bytes, one cache line, and the index 12 to 23 bytes more. Rows are identified by numbers, valid
 * until the row is removed, then reused. Belongs to the thread of the fold; allocates only to grow, and for ids longer than two longs.
 */
final class InFlightTable {
    static final int NONE = -1;
    static final int CHUNKS_MAX = 0xffff;

    private static final int PAGE_BITS = 12;
    private static final int PAGE_ROWS = 1 << PAGE_BITS;
    private static final int ROW_WORDS = 8;
    private static final int FIRST_INDEX_SIZE = 1 << 10;

    private static final int ID_HIGH = 0;
    private static final int ID_LOW = 1;
    private static final int ISSUED = 2;
    private static final int FIRST_RECEIVED = 3;
    private static final int LAST_RECEIVED = 4;
    private static final int LINKS = 5;
    private static final int META = 6;
    private static final int WINDOW_MASK = 0xffffff;
    private static final int SCHEDULED = 7;

    // META from its lowest bit: flags (8 bits), number of an outage (8), chunks (16), tracked window (24), worker (8).
    private static final long KIND_MASK = 0x7;
    private static final long TRACKED = 1 << 3;
    private static final long FAILED = 1 << 4;
    private static final long HAS_FIRST = 1 << 5;
    private static final long HAS_LAST = 1 << 6;
    private static final long HAS_SCHEDULED = 1 << 7;
    private static final long ONE_CHUNK = 1L << 16;
    private static final long CHUNKS_MASK = 0xffffL << 16;
    private static final int OUTAGE_SHIFT = 8;
    private static final long OUTAGE_MASK = 0xff << OUTAGE_SHIFT;
    private static final long OF_TABLE = KIND_MASK | OUTAGE_MASK | (long) WINDOW_MASK << 32;
    private static final int[] OPTIONAL_WORDS = {FIRST_RECEIVED, LAST_RECEIVED, SCHEDULED};
    private static final IdKind[] KINDS = IdKind.values();

    private final int maxRows;
    private final long maxLongIdBytes;
    private final long seed;
    private final List<long[]> pages = new ArrayList<>();
    /** Entries of the index: the hash in the upper half, the row + 1 in the lower half; 0 is empty. */
    private long[] index = new long[FIRST_INDEX_SIZE];

    private final LongIds longIds = new LongIds();
    private int size;
    private int rowsMade;
    private int firstFree = NONE;
    private int oldest = NONE;
    private int newest = NONE;

    /**
     * An empty table.
     *
     * @param maxRows rows at which the table is full
     * @param maxLongIdBytes bytes of ids that two longs cannot hold, beyond which the table is full
     * @param seed secret seed of the hash, so that a producer cannot choose ids that collide
     */
    InFlightTable(int maxRows, long maxLongIdBytes, long seed) {
        this.maxRows = maxRows;
        this.maxLongIdBytes = maxLongIdBytes;
        this.seed = seed;
    }

    int size() {
        return size;
    }

    /** Returns the row that was inserted first; {@link #NONE} if the table is empty. */
    int oldest() {
        return oldest;
    }

    /** Whether a row has to be removed before another is inserted. */
    boolean isFull() {
        return size > 0 && (size >= maxRows || longIds.bytes() > maxLongIdBytes);
    }

    int hash(DecodedEvent event) {
        return hash(event.idHigh(), event.idLow());
    }

    private int hash(long idHigh, long idLow) {
        long h = (idHigh ^ seed) * 0x9e3779b97f4a7c15L + idLow;
        h = (h ^ h >>> 32) * 0xd6e8feb86659fd93L;
        return (int) (h ^ h >>> 32);
    }

    /** Reads the memory that {@link #find} will read, so that it is in the cache by then; the result has no meaning. */
    long touch(int hash) {
        long entry = index[hash & (index.length - 1)];
        if (entry == 0) {
            return 0;
        }
        int row = (int) entry - 1;
        return pages.get(row >>> PAGE_BITS)[(row & (PAGE_ROWS - 1)) * ROW_WORDS];
    }

    /** Returns the row of an event's sample, or {@link #NONE}. */
    int find(DecodedEvent event, int hash) {
        int mask = index.length - 1;
        int position = hash & mask;
        while (true) {
            long entry = index[position];
            if (entry == 0) {
                return NONE;
            }
            if ((int) (entry >>> 32) == hash) {
                int row = (int) entry - 1;
                if (isSample(row, event)) {
                    return row;
                }
            }
            position = (position + 1) & mask;
        }
    }

    private boolean isSample(int row, DecodedEvent event) {
        long[] page = pages.get(row >>> PAGE_BITS);
        int at = (row & (PAGE_ROWS - 1)) * ROW_WORDS;
        if (page[at + ID_HIGH] != event.idHigh() || page[at + ID_LOW] != event.idLow()) {
            return false;
        }
        IdKind kind = KINDS[(int) (page[at + META] & KIND_MASK)];
        return kind == event.idKind() && (kind != IdKind.LONG || longIds.isOf(row, event));
    }

    /** Inserts a row for an event's sample, which must have none, and returns it. Its times are unset and its flags off. */
    int insert(DecodedEvent event, int hash) {
        if (16L * (size + 1) > 11L * index.length) {
            growIndex();
        }
        int row = takeRow();
        long[] page = pages.get(row >>> PAGE_BITS);
        int at = (row & (PAGE_ROWS - 1)) * ROW_WORDS;
        page[at + ID_HIGH] = event.idHigh();
        page[at + ID_LOW] = event.idLow();
        page[at + META] = event.idKind().ordinal();
        if (event.idKind() == IdKind.LONG) {
            longIds.keep(row, event.copyIdText());
        }
        int mask = index.length - 1;
        int position = hash & mask;
        while (index[position] != 0) {
            position = (position + 1) & mask;
        }
        index[position] = (long) hash << 32 | row + 1;
        link(row);
        size++;
        return row;
    }

    private int takeRow() {
        if (firstFree != NONE) {
            int row = firstFree;
            firstFree = next(row);
            return row;
        }
        if (rowsMade == pages.size() << PAGE_BITS) {
            pages.add(new long[PAGE_ROWS * ROW_WORDS]);
        }
        return rowsMade++;
    }

    /** Removes a row whose sample has the hash {@code hash}. */
    void remove(int row, int hash) {
        int mask = index.length - 1;
        int position = hash & mask;
        while ((int) index[position] != row + 1) {
            position = (position + 1) & mask;
        }
        closeGap(position, mask);
        unlink(row);
        setNext(row, firstFree);
        firstFree = row;
        size--;
        longIds.forget(row);
    }

    /** Removes the oldest row; the table must not be empty. */
    void removeOldest() {
        remove(oldest, hash(get(oldest, ID_HIGH), get(oldest, ID_LOW)));
    }

    /** Moves back the entries that the one at {@code gap} had displaced. */
    private void closeGap(int gap, int mask) {
        int free = gap;
        int position = (gap + 1) & mask;
        while (index[position] != 0) {
            int home = (int) (index[position] >>> 32) & mask;
            if (((position - home) & mask) >= ((position - free) & mask)) {
                index[free] = index[position];
                free = position;
            }
            position = (position + 1) & mask;
        }
        index[free] = 0;
    }

    private void growIndex() {
        long[] old = index;
        index = new long[2 * old.length];
        int mask = index.length - 1;
        for (long entry : old) {
            if (entry != 0) {
                int position = (int) (entry >>> 32) & mask;
                while (index[position] != 0) {
                    position = (position + 1) & mask;
                }
                index[position] = entry;
            }
        }
    }

    private void link(int row) {
        set(row, LINKS, ((long) newest << 32) | (NONE & 0xffffffffL));
        if (newest == NONE) {
            oldest = row;
        } else {
            setNext(/* row= */ newest, /* next= */ row);
        }
        newest = row;
    }

    private void unlink(int row) {
        int before = (int) (get(row, LINKS) >>> 32);
        int after = next(row);
        if (before == NONE) {
            oldest = after;
        } else {
            setNext(before, after);
        }
        if (after == NONE) {
            newest = before;
        } else {
            set(after, LINKS, ((long) before << 32) | (get(after, LINKS) & 0xffffffffL));
        }
    }

    private int next(int row) {
        return (int) get(row, LINKS);
    }

    private void setNext(int row, int next) {
        set(row, LINKS, (get(row, LINKS) & 0xffffffff00000000L) | (next & 0xffffffffL));
    }

    private long get(int row, int word) {
        return pages.get(row >>> PAGE_BITS)[(row & (PAGE_ROWS - 1)) * ROW_WORDS + word];
    }

    private void set(int row, int word, long value) {
        pages.get(row >>> PAGE_BITS)[(row & (PAGE_ROWS - 1)) * ROW_WORDS + word] = value;
    }

    long issued(int row) {
        return get(row, ISSUED);
    }

    void issued(int row, long timestampNanos) {
        set(row, ISSUED, timestampNanos);
    }

    long firstReceived(int row) {
        return get(row, FIRST_RECEIVED);
    }

    boolean hasFirstReceived(int row) {
        return (get(row, META) & HAS_FIRST) != 0;
    }

    long lastReceived(int row) {
        return get(row, LAST_RECEIVED);
    }

    boolean hasLastReceived(int row) {
        return (get(row, META) & HAS_LAST) != 0;
    }

    void firstReceived(int row, long timestampNanos) {
        set(row, FIRST_RECEIVED, timestampNanos);
        set(row, META, get(row, META) | HAS_FIRST);
    }

    void lastReceived(int row, long timestampNanos) {
        set(row, LAST_RECEIVED, timestampNanos);
        long meta = get(row, META) | HAS_LAST;
        set(row, META, (meta & CHUNKS_MASK) == CHUNKS_MASK ? meta : meta + ONE_CHUNK);
    }

    /** Returns the number of chunks, first ones included; {@value #CHUNKS_MAX} or more. */
    int chunks(int row) {
        return (int) ((get(row, META) & CHUNKS_MASK) >>> 16);
    }

    long scheduled(int row) {
        return get(row, SCHEDULED);
    }

    boolean hasScheduled(int row) {
        return (get(row, META) & HAS_SCHEDULED) != 0;
    }

    void scheduled(int row, long timestampNanos) {
        set(row, SCHEDULED, timestampNanos);
        set(row, META, get(row, META) | HAS_SCHEDULED);
    }

    void forgetScheduled(int row) {
        set(row, META, get(row, META) & ~HAS_SCHEDULED);
    }

    void forgetReceived(int row) {
        set(row, META, get(row, META) & ~(HAS_FIRST | HAS_LAST | CHUNKS_MASK));
    }

    boolean isTracked(int row) {
        return (get(row, META) & TRACKED) != 0;
    }

    int window(int row) {
        return (int) (get(row, META) >>> 32) & WINDOW_MASK;
    }

    /** The code of the worker that issued a tracked row. */
    int worker(int row) {
        return (int) (get(row, META) >>> 56);
    }

    void track(int row, int window, int worker) {
        set(row, META, (get(row, META) & 0xffffffffL) | TRACKED | ((long) window << 32) | ((long) worker << 56));
    }

    boolean hasFailed(int row) {
        return (get(row, META) & FAILED) != 0;
    }

    void fail(int row) {
        set(row, META, get(row, META) | FAILED);
    }

    void unfail(int row) {
        set(row, META, get(row, META) & ~FAILED);
    }

    /** Writes the times and flags of a row. */
    void write(int row, ByteBuffer to) {
        long meta = get(row, META) & ~OF_TABLE;
        to.putLong(meta).putLong(issued(row));
        for (int i = 0; i < OPTIONAL_WORDS.length; i++) {
            if ((meta & HAS_FIRST << i) != 0) {
                to.putLong(get(row, OPTIONAL_WORDS[i]));
            }
        }
    }

    /** Reads the times and flags of a new row; throws if no table writes them. */
    void restore(int row, ByteBuffer from) throws PartitionFormatException {
        long meta = from.getLong();
        if ((meta & OF_TABLE) != 0 || meta >>> 56 >= LabelKey.CODES) {
            throw new PartitionFormatException("the flags of a sample's row are " + Long.toHexString(meta));
        }
        set(row, META, meta | (get(row, META) & KIND_MASK));
        set(row, ISSUED, from.getLong());
        for (int i = 0; i < OPTIONAL_WORDS.length; i++) {
            set(row, OPTIONAL_WORDS[i], (meta & HAS_FIRST << i) == 0 ? 0 : from.getLong());
        }
    }

    /** Returns the number of the first outage that the sample was in flight in; {@link OutageTable#NONE} for none. */
    int outage(int row) {
        return (int) ((get(row, META) & OUTAGE_MASK) >>> OUTAGE_SHIFT);
    }

    void forgetOutage(int row) {
        set(row, META, get(row, META) & ~OUTAGE_MASK);
    }

    /** Marks all rows that have no outage with a number; returns how many those are. */
    int meetOutage(int number) {
        int met = 0;
        for (int row = oldest; row != NONE; row = next(row)) {
            if (outage(row) == OutageTable.NONE) {
                set(row, META, get(row, META) | (long) number << OUTAGE_SHIFT);
                met++;
            }
        }
        return met;
    }
}
