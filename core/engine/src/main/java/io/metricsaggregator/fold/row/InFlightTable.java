package io.metricsaggregator.fold.row;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.IdKind;
import java.util.Arrays;

/**
 * The samples in flight, by id. Rows lie in pages of longs, are found through a {@link RowIndex}, and are chained in the order
 * of their first issue. A row takes 64 bytes, one cache line, and the index 12 to 23 bytes more, up to 64 below 90,000 rows. Rows are identified by numbers, valid
 * until the row is removed, then reused. Belongs to the thread of the fold; allocates only to grow, and for ids longer than two longs.
 */
public final class InFlightTable {
    public static final int NONE = -1;
    public static final int CHUNKS_MAX = 0xffff;

    private static final int PAGE_BITS = 12;
    private static final int PAGE_ROWS = 1 << PAGE_BITS;
    private static final int ROW_WORDS = 8;

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
    private static final int CHUNKS_SHIFT = 16;
    private static final long CHUNKS_MASK = (long) CHUNKS_MAX << CHUNKS_SHIFT;
    private static final int OUTAGE_SHIFT = 8;
    private static final int WORKER_SHIFT = 56;
    private static final long OUTAGE_MASK = 0xff << OUTAGE_SHIFT;
    /** META of a row that is in no use: of an id that no sample has. */
    private static final long FREE = IdKind.EMPTY.ordinal();

    private final int maxRows;
    private final long maxLongIdBytes;
    private final long seed;
    private final RowIndex index = new RowIndex();
    private long[][] pages = {};

    private final LongIds longIds = new LongIds();
    private final HotRows hot = new HotRows(HotRows.HANDLES_MAX);
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
    public InFlightTable(int maxRows, long maxLongIdBytes, long seed) {
        this.maxRows = maxRows;
        this.maxLongIdBytes = maxLongIdBytes;
        this.seed = seed;
    }

    public int size() {
        return size;
    }

    /** Returns the row that was inserted first; {@link #NONE} if the table is empty. */
    public int oldest() {
        return oldest;
    }

    /** Whether a row has to be removed before another is inserted. */
    public boolean isFull() {
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

    /**
     * Returns a row that may be the one of a sample with a hash, without a look at its id; {@link #NONE} if the sample has none. Reads from the row, so that
     * it is in the cache when {@link #find} needs it.
     */
    int guess(int hash) {
        int position = index.first(hash);
        if (position == RowIndex.NONE) {
            return NONE;
        }
        int row = index.row(position);
        // No row has this in its meta word; the comparison is what makes the processor read the row.
        return get(row, META) == -1 ? NONE : row;
    }

    /** As {@link #find(DecodedEvent, int)}, with what {@link #guess} returned for the hash at any time before, or {@link #NONE}. */
    int find(DecodedEvent event, int hash, int guess) {
        return guess != NONE && isSample(guess, event) ? guess : find(event, hash);
    }

    /** Returns the row of an event's sample, or {@link #NONE}. */
    int find(DecodedEvent event, int hash) {
        for (int at = index.first(hash); at != RowIndex.NONE; at = index.next(hash, at + 1)) {
            int row = index.row(at);
            if (isSample(row, event)) {
                return row;
            }
        }
        return NONE;
    }

    /** Whether a row, free ones included, has the id of an event. */
    private boolean isSample(int row, DecodedEvent event) {
        long[] page = pages[row >>> PAGE_BITS];
        int at = (row & (PAGE_ROWS - 1)) * ROW_WORDS;
        return page[at + ID_HIGH] == event.idHigh()
                && page[at + ID_LOW] == event.idLow()
                && (int) (page[at + META] & KIND_MASK) == event.idKind().ordinal()
                && (event.idKind() != IdKind.LONG || longIds.isOf(row, event));
    }

    /** Returns the row of an event's sample, or {@link #NONE}. */
    public int find(DecodedEvent event) {
        return find(event, hash(event));
    }

    /** The samples whose chunks come in frames. */
    public HotRows hot() {
        return hot;
    }

    /** Lets {@link #hot} have the sample of a row by a handle, which is no other's there; returns false if it cannot, or no chunk of the sample was received. */
    public boolean makeHot(int row, int producer, int handle) {
        settle(row);
        return hasLastReceived(row)
                && hot.insert(row, producer, handle, get(row, LAST_RECEIVED), isTracked(row), worker(row));
    }

    /** Takes the sample that a handle stands for out of {@link #hot}, if it is there: another is to have the handle. */
    public void settle(int producer, int handle) {
        int row = hot.row(producer, handle);
        if (row != NONE) {
            settle(row);
        }
    }

    /** Notes in a row what {@link #hot} has of its sample, and takes it out there. */
    private void settle(int row) {
        long place = hot.place(row);
        if (place != 0) {
            received(row, hot.lastNanos(place), hot.chunks(place));
            hot.remove(row, place);
        }
    }

    /** Inserts a row for an event's sample, which must have none, and returns it. Its times are unset and its flags off. */
    public int insert(DecodedEvent event, int hash) {
        int row = takeRow();
        long[] page = pages[row >>> PAGE_BITS];
        int at = (row & (PAGE_ROWS - 1)) * ROW_WORDS;
        page[at + ID_HIGH] = event.idHigh();
        page[at + ID_LOW] = event.idLow();
        page[at + META] = event.idKind().ordinal();
        if (event.idKind() == IdKind.LONG) {
            longIds.keep(row, event.copyIdText());
        }
        index.insert(hash, row);
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
        int page = rowsMade >>> PAGE_BITS;
        if (page == pages.length) {
            pages = Arrays.copyOf(pages, page + 1);
            pages[page] = new long[PAGE_ROWS * ROW_WORDS];
        }
        return rowsMade++;
    }

    /** Removes a row whose sample has the hash {@code hash}. */
    public void remove(int row, int hash) {
        settle(row);
        index.remove(hash, row);
        unlink(row);
        set(row, META, FREE);
        setNext(row, firstFree);
        firstFree = row;
        size--;
        longIds.forget(row);
    }

    /** Removes the oldest row; the table must not be empty. */
    public void removeOldest() {
        remove(oldest, hash(get(oldest, ID_HIGH), get(oldest, ID_LOW)));
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
        return pages[row >>> PAGE_BITS][(row & (PAGE_ROWS - 1)) * ROW_WORDS + word];
    }

    private void set(int row, int word, long value) {
        pages[row >>> PAGE_BITS][(row & (PAGE_ROWS - 1)) * ROW_WORDS + word] = value;
    }

    public long issued(int row) {
        return get(row, ISSUED);
    }

    public void issued(int row, long timestampNanos) {
        set(row, ISSUED, timestampNanos);
    }

    /** The time of its last first chunk; of its first receipt if it had none. */
    public long firstReceived(int row) {
        return get(row, FIRST_RECEIVED);
    }

    public boolean hasFirstReceived(int row) {
        return (get(row, META) & HAS_FIRST) != 0;
    }

    public long lastReceived(int row) {
        settle(row);
        return get(row, LAST_RECEIVED);
    }

    public boolean hasLastReceived(int row) {
        return (get(row, META) & HAS_LAST) != 0;
    }

    /** Whether a chunk was received that is not the first one. */
    boolean hasLaterChunk(int row) {
        return hasLastReceived(row) && chunks(row) > (hasFirstReceived(row) ? 1 : 0);
    }

    public void firstReceived(int row, long timestampNanos) {
        set(row, FIRST_RECEIVED, timestampNanos);
        set(row, META, get(row, META) | HAS_FIRST);
    }

    /** Notes the time of the chunk received last. */
    public void lastReceived(int row, long timestampNanos) {
        settle(row);
        if ((get(row, META) & (HAS_FIRST | HAS_LAST)) == 0) {
            set(row, FIRST_RECEIVED, timestampNanos);
        }
        received(row, timestampNanos, 1);
    }

    /** Notes further chunks of a row, and the time of the last. */
    void received(int row, long lastNanos, long more) {
        long meta = get(row, META);
        long chunks = Math.min(CHUNKS_MAX, ((meta & CHUNKS_MASK) >>> CHUNKS_SHIFT) + more);
        set(row, LAST_RECEIVED, lastNanos);
        set(row, META, (meta & ~CHUNKS_MASK) | HAS_LAST | chunks << CHUNKS_SHIFT);
    }

    /** Returns the number of receipts, repeated first chunks included, at most {@value #CHUNKS_MAX}. */
    public int chunks(int row) {
        settle(row);
        return (int) ((get(row, META) & CHUNKS_MASK) >>> CHUNKS_SHIFT);
    }

    public long scheduled(int row) {
        return get(row, SCHEDULED);
    }

    public boolean hasScheduled(int row) {
        return (get(row, META) & HAS_SCHEDULED) != 0;
    }

    public void scheduled(int row, long timestampNanos) {
        set(row, SCHEDULED, timestampNanos);
        set(row, META, get(row, META) | HAS_SCHEDULED);
    }

    public void forgetScheduled(int row) {
        set(row, META, get(row, META) & ~HAS_SCHEDULED);
    }

    public void forgetReceived(int row) {
        settle(row);
        set(row, META, get(row, META) & ~(HAS_FIRST | HAS_LAST | CHUNKS_MASK));
    }

    public boolean isTracked(int row) {
        return (get(row, META) & TRACKED) != 0;
    }

    public int window(int row) {
        return (int) (get(row, META) >>> 32) & WINDOW_MASK;
    }

    /** The code of the worker that issued a tracked row. */
    public int worker(int row) {
        return (int) (get(row, META) >>> WORKER_SHIFT);
    }

    public void track(int row, int window, int worker) {
        settle(row);
        long tracked = ((long) worker << WORKER_SHIFT) | ((long) window << 32) | TRACKED;
        set(row, META, (get(row, META) & 0xffffffffL) | tracked);
    }

    public boolean hasFailed(int row) {
        return (get(row, META) & FAILED) != 0;
    }

    public void fail(int row) {
        set(row, META, get(row, META) | FAILED);
    }

    public void unfail(int row) {
        set(row, META, get(row, META) & ~FAILED);
    }

    /** Returns the number of the first outage that the sample was in flight in; {@link OutageTable#NONE} for none. */
    public int outage(int row) {
        return (int) ((get(row, META) & OUTAGE_MASK) >>> OUTAGE_SHIFT);
    }

    public void forgetOutage(int row) {
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
