package io.metricsaggregator.fold.row;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.frame.ChunkFrames;
import java.util.Arrays;

/**
 * Samples in flight whose chunks come in frames, by producer and handle: the time of the last chunk, and how many came since the sample is here. A chunk of
 * a frame so needs neither the id nor the row of its sample. {@link InFlightTable} settles a row, which takes the sample out and writes both numbers into the
 * row, before it reads or changes them. What is kept is bounded, whatever producers send. Belongs to the thread of the fold; allocates only to grow.
 */
public final class HotRows {
    /** Handles of all producers: 4 Mi take 80 MB. */
    static final int HANDLES_MAX = 1 << 22;

    private static final int FIRST_HANDLES = 64;
    private static final long NO_SAMPLE = 0;
    private static final Handles NO_HANDLES = new Handles();

    // A handle has two words: the time of the last chunk; then whether the sample is tracked (1 bit), its worker (8)
    // and the number of chunks.
    private static final int WORDS = 2;
    private static final long TRACKED = Long.MIN_VALUE;
    private static final int WORKER_SHIFT = 55;
    private static final long COUNT_MASK = (1L << WORKER_SHIFT) - 1;

    private final int handlesMax;
    /** By row the number of the producer plus 1 and the handle; 0 for a row that is not here. */
    private final RowColumn places = new RowColumn();

    private Handles[] producers = {};
    private int handles;
    private int size;

    private final long[] times = new long[ChunkFrames.AHEAD_MAX];
    private int gaps;
    private boolean alike;
    private long latest;

    /** What the handles of one producer stand for. */
    private static final class Handles {
        private long[] words = {};
        private int[] rows = {};
        private int size;
        /** Worker of the sample that was the first when there was no other. */
        private int worker;
        /** Samples that are not tracked or that another worker issued. */
        private int others;

        /** Counts a sample that comes or goes. */
        private void count(long word, int step) {
            others += (word & TRACKED) == 0 || worker(word) != worker ? step : 0;
            size += step;
        }
    }

    /**
     * None.
     *
     * @param handlesMax handles for which there is room
     */
    HotRows(int handlesMax) {
        this.handlesMax = handlesMax;
    }

    /**
     * Takes the next chunks of a frame up to one whose sample is not here or whose time is out of bounds, at most those read ahead. Moves behind none.
     *
     * @param fromNanos lower bound of the times, at least 1
     * @param toNanos upper bound of the times, exclusive
     * @param gapNanos takes the time since the chunk before, of each chunk of a tracked sample; has room for {@link ChunkFrames#AHEAD_MAX}
     * @return how many were taken
     */
    public int take(ChunkFrames chunks, long fromNanos, long toNanos, long[] gapNanos) {
        int most = readTimes(chunks, chunks.readAhead(), fromNanos, toNanos);
        Handles of = handles(chunks.producer());
        int taken = take(chunks, most, of.words, gapNanos);
        if (taken < most) {
            readTimes(chunks, taken, fromNanos, toNanos);
        }
        alike = of.others == 0;
        gaps = alike ? taken : keepTracked(chunks, of.words, taken, gapNanos);
        return taken;
    }

    /** Takes the times of the next chunks up to one that is out of bounds, and the largest; returns how many. */
    private int readTimes(ChunkFrames chunks, int most, long fromNanos, long toNanos) {
        long last = Long.MIN_VALUE;
        int read = 0;
        while (read < most) {
            long now = chunks.nanosAhead(read);
            if (now < fromNanos || now >= toNanos) {
                break;
            }
            times[read++] = now;
            last = Math.max(last, now);
        }
        latest = last;
        return read;
    }

    /** Takes the next chunks, of {@link #times}, up to one whose sample is not here; returns how many. */
    private int take(ChunkFrames chunks, int most, long[] words, long[] gapNanos) {
        int taken = 0;
        while (taken < most) {
            int at = WORDS * chunks.handleAhead(taken);
            if (at >= words.length) {
                break;
            }
            // Both at once: the compiler then checks the bounds of the array once.
            long before = words[at];
            long word = words[at + 1];
            if (before == NO_SAMPLE) {
                break;
            }
            long now = times[taken];
            gapNanos[taken++] = now - before;
            words[at] = now;
            words[at + 1] = word + 1;
        }
        return taken;
    }

    /** Leaves those of the first {@code taken} numbers that are of tracked samples; returns how many these are. */
    private static int keepTracked(ChunkFrames chunks, long[] words, int taken, long[] gapNanos) {
        int kept = 0;
        for (int i = 0; i < taken; i++) {
            gapNanos[kept] = gapNanos[i];
            kept += (words[WORDS * chunks.handleAhead(i) + 1] & TRACKED) != 0 ? 1 : 0;
        }
        return kept;
    }

    /** How many of the chunks taken last are of tracked samples. */
    public int gaps() {
        return gaps;
    }

    /** Whether all samples of the producer that are here are tracked and of one worker, so that the chunks taken last are, too. */
    public boolean areAlike() {
        return alike;
    }

    /** The largest of the times taken last, of at least one. */
    public long latest() {
        return latest;
    }

    /** The row of the sample that a handle stands for; {@link InFlightTable#NONE} if it is not here. */
    public int row(int producer, int handle) {
        Handles of = handles(producer);
        return handle >= 0 && handle < of.rows.length && of.words[WORDS * handle] != NO_SAMPLE
                ? of.rows[handle]
                : InFlightTable.NONE;
    }

    /**
     * Takes a sample, unless its last chunk came at a time that is not positive, or there is no room for its handle; neither the row nor the handle may be here.
     *
     * @param producer number of a producer, or {@link ChunkFrames#NO_PRODUCER}
     * @return whether it is here now
     */
    boolean insert(int row, int producer, int handle, long lastNanos, boolean tracked, int worker) {
        if (producer == ChunkFrames.NO_PRODUCER
                || handle > DecodedEvent.HANDLE_MAX
                || lastNanos <= NO_SAMPLE
                || !hasRoom(producer, handle)) {
            return false;
        }
        Handles into = producers[producer];
        long word = (tracked ? TRACKED : 0) | (long) worker << WORKER_SHIFT;
        into.words[WORDS * handle] = lastNanos;
        into.words[WORDS * handle + 1] = word;
        if (into.size == 0) {
            into.worker = worker;
        }
        into.count(word, 1);
        into.rows[handle] = row;
        places.set(row, (producer + 1L) << Integer.SIZE | handle);
        size++;
        return true;
    }

    private boolean hasRoom(int producer, int handle) {
        Handles known = handles(producer);
        int length = Math.max(FIRST_HANDLES, 2 * Integer.highestOneBit(handle));
        int more = length - known.rows.length;
        if (more <= 0) {
            return true;
        }
        if (more > handlesMax - handles) {
            return false;
        }
        if (producer >= producers.length) {
            int before = producers.length;
            producers = Arrays.copyOf(producers, 2 * producer + 1);
            Arrays.fill(producers, before, producers.length, NO_HANDLES);
        }
        if (known == NO_HANDLES) {
            known = new Handles();
            producers[producer] = known;
        }
        known.words = Arrays.copyOf(known.words, WORDS * length);
        known.rows = Arrays.copyOf(known.rows, length);
        handles += more;
        return true;
    }

    private Handles handles(int producer) {
        return producer >= 0 && producer < producers.length ? producers[producer] : NO_HANDLES;
    }

    /** Where a row's sample is; 0 if it is not here. */
    long place(int row) {
        return size == 0 ? 0 : places.get(row);
    }

    private static int worker(long word) {
        return (int) ((word & ~TRACKED) >>> WORKER_SHIFT);
    }

    private long word(long place, int word) {
        return producers[(int) (place >>> Integer.SIZE) - 1].words[WORDS * (int) place + word];
    }

    /** The time of the last chunk of a sample. */
    long lastNanos(long place) {
        return word(place, 0);
    }

    /** How many chunks came since a sample is here. */
    long chunks(long place) {
        return word(place, 1) & COUNT_MASK;
    }

    /** Takes out the sample of a row, which is at a place. */
    void remove(int row, long place) {
        Handles from = producers[(int) (place >>> Integer.SIZE) - 1];
        from.words[WORDS * (int) place] = NO_SAMPLE;
        from.count(from.words[WORDS * (int) place + 1], -1);
        places.set(row, 0);
        size--;
    }
}
