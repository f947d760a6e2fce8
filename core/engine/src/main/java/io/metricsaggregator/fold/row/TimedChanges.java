package io.metricsaggregator.fold.row;

import java.util.Arrays;

/**
 * Changes with their times, in the order of time once {@link #sort} was called; those of equal times in the order in which they were added. Adding takes the same time whatever
 * the order, and sorting a few passes over what is out of order. Belongs to the thread of the fold; allocates only to grow.
 */
final class TimedChanges {
    private static final int FIRST_ROOM = 1 << 6;
    private static final int DIGIT_BITS = 11;
    private static final int DIGITS = 1 << DIGIT_BITS;

    private long[] times = {};
    private int[] steps = {};
    private int size;
    /** How many of the first changes are in order. */
    private int ordered;
    /** The earliest time behind those in order. */
    private long earliest;

    private long[] spareTimes = {};
    private int[] spareSteps = {};
    private int[] places = {};

    /** Adds a change behind the others. */
    void add(long nanos, int by) {
        if (size == times.length) {
            grow();
        }
        if (ordered < size) {
            earliest = Math.min(earliest, nanos);
        } else if (size > 0 && nanos < times[size - 1]) {
            earliest = nanos;
        } else {
            ordered++;
        }
        times[size] = nanos;
        steps[size] = by;
        size++;
    }

    /** Makes room in both arrays, or, without memory, in neither. */
    private void grow() {
        long[] moreTimes = Arrays.copyOf(times, Math.max(FIRST_ROOM, 2 * size));
        steps = Arrays.copyOf(steps, moreTimes.length);
        times = moreTimes;
    }

    int size() {
        return size;
    }

    long nanos(int i) {
        return times[i];
    }

    int by(int i) {
        return steps[i];
    }

    /** Removes the earliest {@code count} changes, once they are sorted. */
    void removeFirst(int count) {
        size -= count;
        ordered = size;
        System.arraycopy(times, count, times, 0, size);
        System.arraycopy(steps, count, steps, 0, size);
    }

    /** Brings the changes into the order of time. */
    void sort() {
        if (ordered == size) {
            return;
        }
        if (places.length == 0) {
            places = new int[DIGITS];
        }
        if (spareTimes.length < times.length) {
            spareSteps = new int[times.length];
            spareTimes = new long[times.length];
        }
        int from = placeOf(earliest);
        long least = earliest;
        long most = earliest;
        for (int i = from; i < size; i++) {
            most = Math.max(most, times[i]);
        }
        // The distances of 64-bit times from the least one, as unsigned numbers, by their digits from the lowest up.
        int bits = Long.SIZE - Long.numberOfLeadingZeros(most - least);
        for (int shift = 0; shift < bits; shift += DIGIT_BITS) {
            sortByDigit(from, least, shift);
        }
        ordered = size;
    }

    /** The number of changes in order that are not later than a time. */
    private int placeOf(long nanos) {
        int low = 0;
        int high = ordered;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (times[middle] <= nanos) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Sorts the changes from {@code from} on by one digit of their distance from {@code least}; the order of those with the same digit stays. */
    private void sortByDigit(int from, long least, int shift) {
        int[] next = places;
        Arrays.fill(next, 0);
        for (int i = from; i < size; i++) {
            next[digit(times[i] - least, shift)]++;
        }
        int place = from;
        for (int i = 0; i < DIGITS; i++) {
            int count = next[i];
            next[i] = place;
            place += count;
        }
        for (int i = from; i < size; i++) {
            int to = next[digit(times[i] - least, shift)]++;
            spareTimes[to] = times[i];
            spareSteps[to] = steps[i];
        }
        System.arraycopy(spareTimes, from, times, from, size - from);
        System.arraycopy(spareSteps, from, steps, from, size - from);
    }

    private static int digit(long distance, int shift) {
        return (int) (distance >>> shift) & (DIGITS - 1);
    }
}
