package io.metricsaggregator.fold.conversation;

import io.metricsaggregator.event.DecodedEvent;
import java.util.ArrayList;
import java.util.List;

/**
 * The conversations of a run, by the hash of their id. Rows lie in pages of longs and are found through an open-addressing index; a row takes
 * 112 bytes, the index 12 to 23 bytes more. A row is in one list at most, in the order in which it came there. Rows are identified by numbers, valid
 * until the row is freed, then reused. Belongs to the thread of the fold; allocates only to grow.
 */
final class ConversationTable {
    static final int NONE = -1;

    /** The lists: turns in flight; none in flight; none in flight for long. */
    enum Place {
        NOWHERE,
        ACTIVE,
        IDLE,
        STALE
    }

    // Words of a row.
    static final int FIRST_ISSUED = 3;
    static final int LAST_COMPLETED = 4;
    /** Turns issued. */
    static final int TURNS = 5;

    static final int IN_FLIGHT = 6;
    /** Outputs of completed turns that are being counted. */
    static final int UNCOUNTED = 7;

    static final int COMPLETED = 8;
    /** Latency and tokens of the turns that succeeded and are counted. */
    static final int LATENCY = 9;

    static final int TOKENS = 10;
    /** Tokens of the turns that reported both. */
    static final int PROMPT = 11;

    static final int CACHED = 12;
    static final int FLAGS = 13;

    private static final int ID_HIGH = 0;
    private static final int ID_LOW = 1;
    private static final int LINKS = 2;
    private static final int ROW_WORDS = 14;
    private static final int PAGE_BITS = 10;
    private static final int PAGE_ROWS = 1 << PAGE_BITS;
    private static final int FIRST_INDEX_SIZE = 1 << 8;
    private static final int PLACE_SHIFT = 8;
    private static final long PLACE_MASK = 3L << PLACE_SHIFT;
    private static final long INDEXED = 1L << 10;

    private final Place[] places = Place.values();
    private final long seed;
    private final List<long[]> pages = new ArrayList<>();
    /** Entries of the index: the hash in the upper half, the row + 1 in the lower half; 0 is empty. */
    private long[] index = new long[FIRST_INDEX_SIZE];

    private final int[] first = {NONE, NONE, NONE, NONE};
    private final int[] last = {NONE, NONE, NONE, NONE};
    private final int[] counts = new int[4];
    private int indexed;
    private int rowsMade;
    private int firstFree = NONE;
    private long wantedHigh;
    private long wantedLow;

    /**
     * An empty table.
     *
     * @param seed secret, so that a producer cannot choose ids that collide
     */
    ConversationTable(long seed) {
        this.seed = seed;
    }

    /** Number of conversations that {@link #find} finds. */
    int size() {
        return indexed;
    }

    /** Number of conversations in a list. */
    int count(Place place) {
        return counts[place.ordinal()];
    }

    /** The row that came into a list first; {@link #NONE} if it is empty. */
    int first(Place place) {
        return first[place.ordinal()];
    }

    /** Returns the row of an event's conversation, which it must have, or {@link #NONE}; {@link #insert} then makes one of that id. */
    int find(DecodedEvent event) {
        wantedHigh = event.conversation().hash(seed);
        wantedLow = event.conversation().hash(~seed);
        int mask = index.length - 1;
        int hash = hash(wantedHigh);
        int position = hash & mask;
        while (index[position] != 0) {
            int row = (int) index[position] - 1;
            if ((int) (index[position] >>> 32) == hash
                    && get(row, ID_HIGH) == wantedHigh
                    && get(row, ID_LOW) == wantedLow) {
                return row;
            }
            position = (position + 1) & mask;
        }
        return NONE;
    }

    private static int hash(long idHigh) {
        return (int) (idHigh ^ idHigh >>> 32);
    }

    /** A hash of the conversation last looked for. */
    long wanted() {
        return wantedHigh;
    }

    /** A hash of a row's conversation. */
    long id(int row) {
        return get(row, ID_HIGH);
    }

    /** Makes the row of the conversation that {@link #find} did not find; all its numbers are 0, and it is in no list. */
    int insert() {
        if (16L * (indexed + 1) > 11L * index.length) {
            growIndex();
        }
        int row = takeRow();
        for (int word = 0; word < ROW_WORDS; word++) {
            set(row, word, 0);
        }
        set(row, ID_HIGH, wantedHigh);
        set(row, ID_LOW, wantedLow);
        set(row, FLAGS, INDEXED);
        int hash = hash(wantedHigh);
        place((long) hash << 32 | row + 1);
        indexed++;
        return row;
    }

    private void place(long entry) {
        int mask = index.length - 1;
        int position = (int) (entry >>> 32) & mask;
        while (index[position] != 0) {
            position = (position + 1) & mask;
        }
        index[position] = entry;
    }

    private int takeRow() {
        if (firstFree != NONE) {
            int row = firstFree;
            firstFree = (int) get(row, LINKS);
            return row;
        }
        if (rowsMade == pages.size() << PAGE_BITS) {
            pages.add(new long[PAGE_ROWS * ROW_WORDS]);
        }
        return rowsMade++;
    }

    private void growIndex() {
        long[] old = index;
        index = new long[2 * old.length];
        for (long entry : old) {
            if (entry != 0) {
                place(entry);
            }
        }
    }

    /** Takes a row out of the index and of its list; a later turn of the conversation begins another row. */
    void detach(int row) {
        moveTo(row, Place.NOWHERE);
        if ((get(row, FLAGS) & INDEXED) == 0) {
            return;
        }
        set(row, FLAGS, get(row, FLAGS) & ~INDEXED);
        indexed--;
        int mask = index.length - 1;
        int position = hash(get(row, ID_HIGH)) & mask;
        while ((int) index[position] != row + 1) {
            position = (position + 1) & mask;
        }
        int free = position;
        position = (position + 1) & mask;
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

    /** Frees a row that is detached. */
    void free(int row) {
        set(row, LINKS, firstFree & 0xffffffffL);
        firstFree = row;
    }

    /** Puts a row behind the others of a list, out of the one it was in. */
    void moveTo(int row, Place to) {
        long flags = get(row, FLAGS);
        int from = (int) ((flags & PLACE_MASK) >>> PLACE_SHIFT);
        if (places[from] != Place.NOWHERE) {
            unlink(row, from);
        }
        set(row, FLAGS, (flags & ~PLACE_MASK) | ((long) to.ordinal() << PLACE_SHIFT));
        if (to != Place.NOWHERE) {
            link(row, to.ordinal());
        }
    }

    private void link(int row, int list) {
        set(row, LINKS, ((long) last[list] << 32) | (NONE & 0xffffffffL));
        if (last[list] == NONE) {
            first[list] = row;
        } else {
            setNext(/* row= */ last[list], /* next= */ row);
        }
        last[list] = row;
        counts[list]++;
    }

    private void unlink(int row, int list) {
        int before = (int) (get(row, LINKS) >>> 32);
        int after = (int) get(row, LINKS);
        if (before == NONE) {
            first[list] = after;
        } else {
            setNext(before, after);
        }
        if (after == NONE) {
            last[list] = before;
        } else {
            set(after, LINKS, ((long) before << 32) | (get(after, LINKS) & 0xffffffffL));
        }
        counts[list]--;
    }

    private void setNext(int row, int next) {
        set(row, LINKS, (get(row, LINKS) & 0xffffffff00000000L) | (next & 0xffffffffL));
    }

    long get(int row, int word) {
        return pages.get(row >>> PAGE_BITS)[(row & (PAGE_ROWS - 1)) * ROW_WORDS + word];
    }

    void set(int row, int word, long value) {
        pages.get(row >>> PAGE_BITS)[(row & (PAGE_ROWS - 1)) * ROW_WORDS + word] = value;
    }

    /** Adds to a number of a row and returns the sum. */
    long add(int row, int word, long increment) {
        int at = (row & (PAGE_ROWS - 1)) * ROW_WORDS + word;
        long[] page = pages.get(row >>> PAGE_BITS);
        page[at] += increment;
        return page[at];
    }

    boolean is(int row, long flag) {
        return (get(row, FLAGS) & flag) != 0;
    }

    /** Sets a flag of a row, one of the lowest eight bits. */
    void mark(int row, long flag) {
        set(row, FLAGS, get(row, FLAGS) | flag);
    }
}
