package io.metricsaggregator.imports.read;

import io.metricsaggregator.imports.json.Decimals;
import io.metricsaggregator.imports.json.InvalidField;
import io.metricsaggregator.json.InvalidJson;
import io.metricsaggregator.json.JsonCursor;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An array of arrays of decimal numbers, such as the times between the chunks of each request. One owner. */
public final class DecimalRows {
    private final DecimalColumn values = new DecimalColumn();
    private int[] ends = new int[64];
    private int rows;

    /** Appends the arrays in the array at the cursor; an element that is no array becomes an empty row. */
    public void readArrays(JsonCursor cursor) throws IOException, InvalidJson {
        if (!cursor.enterArray()) {
            cursor.skip();
            return;
        }
        while (cursor.nextElement()) {
            values.readArray(cursor);
            if (rows == ends.length) {
                ends = Arrays.copyOf(ends, 2 * rows);
            }
            ends[rows++] = values.size();
        }
    }

    /** Number of arrays. */
    public int rows() {
        return rows;
    }

    /** Number of numbers of array {@code row}; 0 beyond the end. */
    public int length(int row) {
        return row >= rows ? 0 : ends[row] - start(row);
    }

    private int start(int row) {
        return row == 0 ? 0 : ends[row - 1];
    }

    /** Number {@code index} of array {@code row}. */
    public BigDecimal number(int row, int index, String name) throws InvalidField {
        BigDecimal number = values.number(start(row) + index, name);
        if (number == null) {
            throw new InvalidField(name, "invalid");
        }
        return number;
    }

    /**
     * The times of the chunks of a request: {@code first}, and the running sums of array {@code row} after it, each added exactly and
     * rounded once.
     *
     * @param first seconds from the start of the clock to the first chunk
     * @return nanoseconds
     */
    public long[] chunks(int row, BigDecimal first, String name) throws InvalidField {
        long[] nanos = new long[1 + length(row)];
        BigDecimal time = first;
        for (int i = 0; i < nanos.length; i++) {
            if (i > 0) {
                time = time.add(number(row, i - 1, name));
            }
            nanos[i] = nanos(time, name);
        }
        return nanos;
    }

    /** Converts seconds to nanoseconds. */
    public static long nanos(BigDecimal seconds, String name) throws InvalidField {
        @Nullable Long nanos = Decimals.nanos(seconds, 9);
        if (nanos == null) {
            throw new InvalidField(name, "invalid");
        }
        return nanos;
    }
}
