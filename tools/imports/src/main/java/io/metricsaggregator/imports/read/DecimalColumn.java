package io.metricsaggregator.imports.read;

import io.metricsaggregator.imports.json.InvalidField;
import io.metricsaggregator.imports.json.JsonFields;
import io.metricsaggregator.json.InvalidJson;
import io.metricsaggregator.json.JsonCursor;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A growing list of decimal numbers in nine bytes each, for files that keep one array per quantity. Numbers of up to 18 digits, which
 * is more than a double has, are exact; longer ones are rounded to 18. One owner.
 */
public final class DecimalColumn {
    /** Most numbers of a column. */
    static final int SIZE_MAX = 1 << 27;

    private static final int DIGITS = 18;
    /** Scale of a null. */
    private static final byte MISSING = Byte.MIN_VALUE;
    /** Scale of a value that is no number, or out of range. */
    private static final byte INVALID = Byte.MIN_VALUE + 1;

    private long[] unscaled = new long[64];
    private byte[] scales = new byte[64];
    private int size;

    /** Appends the elements of the array at the cursor. */
    public void readArray(JsonCursor cursor) throws IOException, InvalidJson {
        if (!cursor.enterArray()) {
            cursor.skip();
            return;
        }
        while (cursor.nextElement()) {
            add(cursor.value());
        }
    }

    /**
     * Appends a value as {@link JsonCursor#value} returns it; null, and what is no number, keeps its place.
     *
     * @throws IOException if the column has {@link #SIZE_MAX} numbers
     */
    public void add(@Nullable Object value) throws IOException {
        if (size == unscaled.length) {
            if (size == SIZE_MAX) {
                throw new IOException("the file has more than " + SIZE_MAX + " numbers in one array");
            }
            unscaled = Arrays.copyOf(unscaled, 2 * size);
            scales = Arrays.copyOf(scales, 2 * size);
        }
        unscaled[size] = 0;
        scales[size] = MISSING;
        if (value != null) {
            try {
                BigDecimal number = JsonFields.number(value, "").round(new MathContext(DIGITS, RoundingMode.HALF_EVEN));
                unscaled[size] = number.unscaledValue().longValueExact();
                scales[size] = (byte) number.scale();
            } catch (InvalidField e) {
                scales[size] = INVALID;
            }
        }
        size++;
    }

    /** Number of values, missing ones included. */
    public int size() {
        return size;
    }

    /** Whether the column has a number at {@code index}. */
    public boolean has(int index) {
        return index < size && scales[index] > INVALID;
    }

    /**
     * The number at {@code index}; null if it is missing or beyond the end.
     *
     * @param name name of the column, for the error
     */
    @Nullable
    public BigDecimal number(int index, String name) throws InvalidField {
        if (index >= size || scales[index] == MISSING) {
            return null;
        }
        if (scales[index] == INVALID) {
            throw new InvalidField(name, "invalid");
        }
        return BigDecimal.valueOf(unscaled[index], scales[index]);
    }

    /** The integer of at least 0 at {@code index}; null if it is missing or beyond the end. */
    @Nullable
    public Long count(int index, String name) throws InvalidField {
        BigDecimal number = number(index, name);
        if (number == null) {
            return null;
        }
        try {
            if (number.signum() >= 0) {
                return number.longValueExact();
            }
        } catch (ArithmeticException e) {
            // not an integer of 64 bits
        }
        throw new InvalidField(name, "invalid");
    }
}
