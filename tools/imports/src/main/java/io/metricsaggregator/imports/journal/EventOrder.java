package io.metricsaggregator.imports.journal;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Orders pairs of a time and a tag, 16 bytes each, by time and then by tag. Sorts runs of {@link #RUN} pairs in memory, spills full ones to a
 * temporary file and merges them: 32 MiB of memory, and 16 KiB for each run. One thread.
 */
final class EventOrder implements Closeable {
    static final int RUN = 1 << 20;
    private static final int PAIR_BYTES = 16;
    private static final int CURSOR_BYTES = 1 << 14;

    private final Path folder;
    private final int runLength;
    private long[] times;
    private long[] tags;
    private long[] spareTimes = new long[0];
    private long[] spareTags = new long[0];
    private int length;
    private long size;
    private final List<Integer> runs = new ArrayList<>();
    private @Nullable FileChannel spilled;

    /** Receives the pairs in order. */
    interface Visitor {
        /** Takes the next pair. */
        void event(long time, long tag) throws IOException;
    }

    EventOrder(Path folder) {
        this(folder, RUN);
    }

    EventOrder(Path folder, int runLength) {
        this.folder = folder;
        this.runLength = runLength;
        int first = Math.min(runLength, 1024);
        times = new long[first];
        tags = new long[first];
    }

    /** Adds a pair; the tag must not be negative. */
    void add(long time, long tag) throws IOException {
        if (length == runLength) {
            spill();
        } else if (length == times.length) {
            int larger = Math.min(runLength, 2 * length);
            times = java.util.Arrays.copyOf(times, larger);
            tags = java.util.Arrays.copyOf(tags, larger);
        }
        times[length] = time;
        tags[length++] = tag;
        size++;
    }

    /** Number of pairs. */
    long size() {
        return size;
    }

    private void spill() throws IOException {
        FileChannel into = spilled;
        if (into == null) {
            into = Scratch.temporary(folder);
            spilled = into;
        }
        sort();
        ByteBuffer bytes = ByteBuffer.allocate(1 << 16);
        for (int i = 0; i < length; i++) {
            bytes.putLong(times[i]).putLong(tags[i]);
            if (!bytes.hasRemaining() || i == length - 1) {
                bytes.flip();
                while (bytes.hasRemaining()) {
                    into.write(bytes);
                }
                bytes.clear();
            }
        }
        runs.add(length);
        length = 0;
    }

    /** Visits all pairs in order. Can be called again; {@link #add} may not follow. */
    void forEach(Visitor visitor) throws IOException {
        sort();
        if (runs.isEmpty()) {
            for (int i = 0; i < length; i++) {
                visitor.event(times[i], tags[i]);
            }
            return;
        }
        PriorityQueue<Cursor> cursors = new PriorityQueue<>(
                Comparator.comparingLong((Cursor each) -> each.time).thenComparingLong(each -> each.tag));
        long start = 0;
        for (int run : runs) {
            open(new Cursor(start, run), cursors);
            start += (long) run * PAIR_BYTES;
        }
        open(new Cursor(-1, length), cursors);
        for (Cursor next = cursors.poll(); next != null; next = cursors.poll()) {
            visitor.event(next.time, next.tag);
            open(next, cursors);
        }
    }

    private static void open(Cursor cursor, PriorityQueue<Cursor> cursors) throws IOException {
        if (cursor.next()) {
            cursors.add(cursor);
        }
    }

    /** Sorts the run in memory. Events arrive nearly in order, so ordered halves are left as they are. */
    private void sort() {
        if (spareTimes.length < length) {
            spareTimes = new long[length];
            spareTags = new long[length];
        }
        for (int width = 1; width < length; width *= 2) {
            for (int start = 0; start + width < length; start += 2 * width) {
                merge(start, start + width, Math.min(length, start + 2 * width));
            }
        }
    }

    private void merge(int start, int middle, int end) {
        if (!before(times[middle], tags[middle], times[middle - 1], tags[middle - 1])) {
            return;
        }
        int half = middle - start;
        System.arraycopy(times, start, spareTimes, 0, half);
        System.arraycopy(tags, start, spareTags, 0, half);
        int left = 0;
        int right = middle;
        for (int to = start; left < half; to++) {
            if (right < end && before(times[right], tags[right], spareTimes[left], spareTags[left])) {
                times[to] = times[right];
                tags[to] = tags[right++];
            } else {
                times[to] = spareTimes[left];
                tags[to] = spareTags[left++];
            }
        }
    }

    private static boolean before(long time, long tag, long otherTime, long otherTag) {
        return time < otherTime || (time == otherTime && tag < otherTag);
    }

    @Override
    public void close() throws IOException {
        if (spilled != null) {
            spilled.close();
        }
    }

    /** Reads one run: from the file, or the run in memory. */
    private final class Cursor {
        private final ByteBuffer buffer = ByteBuffer.allocate(CURSOR_BYTES).limit(0);
        private long position;
        private final int count;
        private int index;
        private long time;
        private long tag;

        /**
         * Starts before the first pair.
         *
         * @param position of the run in the file; −1 for the run in memory
         */
        Cursor(long position, int count) {
            this.position = position;
            this.count = count;
        }

        boolean next() throws IOException {
            if (index == count) {
                return false;
            }
            if (position < 0) {
                time = times[index];
                tag = tags[index];
            } else {
                if (!buffer.hasRemaining()) {
                    fill();
                }
                time = buffer.getLong();
                tag = buffer.getLong();
            }
            index++;
            return true;
        }

        private void fill() throws IOException {
            FileChannel from = spilled;
            buffer.clear().limit((int) Math.min(CURSOR_BYTES, (long) (count - index) * PAIR_BYTES));
            while (buffer.hasRemaining()) {
                int read = from == null ? -1 : from.read(buffer, position);
                if (read < 0) {
                    throw new EOFException("a temporary file became shorter while it was read");
                }
                position += read;
            }
            buffer.flip();
        }
    }
}
