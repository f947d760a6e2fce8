package io.metricsaggregator.registry;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * A series of integers that is not recorded: the values of one series ("whole") that remain when those of another ("part"), which are
 * all in the first too, are taken away. It is computed from copies of both at each snapshot, and from their values at the end, so that
 * recording costs nothing. Belongs to the thread that owns the registry.
 */
final class SeriesRemainder {
    private final String name;
    private final String whole;
    private final String part;
    private final List<LongSupplier> expected = new ArrayList<>();

    /**
     * A remainder.
     *
     * @param whole name of the series with all values
     * @param part name of the series whose values are taken away
     * @param expected number of values that must remain, negative if unknown; asked for when it is copied
     */
    SeriesRemainder(String name, String whole, String part, LongSupplier expected) {
        this.name = name;
        this.whole = whole;
        this.part = part;
        this.expected.add(expected);
    }

    String name() {
        return name;
    }

    String whole() {
        return whole;
    }

    String part() {
        return part;
    }

    /** Number of values that must remain; negative if it is unknown. */
    long expected() {
        long sum = 0;
        for (LongSupplier each : expected) {
            long one = each.getAsLong();
            if (one < 0) {
                return -1;
            }
            sum += one;
        }
        return sum;
    }

    /** Adds the number of values that another registry expects of its remainder of this name. */
    void add(SeriesRemainder other) {
        expected.addAll(other.expected);
    }
}
