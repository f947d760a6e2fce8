package io.metricsaggregator.imports.json;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * Exact conversion of decimal numbers to nanoseconds. Sums of decimals are added exactly and rounded once, half to even; a double is
 * never involved. Stateless.
 */
public final class Decimals {
    private static final int DIGITS_OF_LONG = 19;
    /** Below 10^-SMALLEST units a number is 0 in every unit of time. */
    private static final int SMALLEST = 30;

    private Decimals() {}

    /**
     * Converts a number to nanoseconds.
     *
     * @param number in units of 10^{@code exponent} nanoseconds
     * @param exponent 9 for seconds, 6 for milliseconds, 3 for microseconds, 0 for nanoseconds
     * @return null if 64 bits cannot hold the nanoseconds
     */
    public static @Nullable Long nanos(BigDecimal number, int exponent) {
        // Bounds on the magnitude come first: a number such as 1e999999999 must not become an integer of as many
        // digits.
        if (number.signum() == 0) {
            return 0L;
        }
        long magnitude = (long) number.precision() - number.scale();
        if (magnitude + exponent > DIGITS_OF_LONG) {
            return null;
        }
        if (magnitude < -SMALLEST) {
            return 0L;
        }
        BigDecimal whole = number.movePointRight(exponent).setScale(0, RoundingMode.HALF_EVEN);
        try {
            return whole.longValueExact();
        } catch (ArithmeticException e) {
            return null;
        }
    }

    /** Whether sums with {@code number} stay short: its digits lie between 10^30 and 10^-30. */
    static boolean isPlain(BigDecimal number) {
        return number.signum() == 0
                || ((long) number.precision() - number.scale() <= SMALLEST && number.scale() <= 2 * SMALLEST);
    }

    /** Returns {@code number} in a form whose sums stay short: rounded to 10^-60, and 0 if it is smaller. */
    static BigDecimal plain(BigDecimal number) {
        if (isPlain(number)) {
            return number;
        }
        long magnitude = (long) number.precision() - number.scale();
        return magnitude < -2 * SMALLEST ? BigDecimal.ZERO : number.setScale(2 * SMALLEST, RoundingMode.HALF_EVEN);
    }
}
