package io.metricsaggregator.sweep;

import java.math.BigDecimal;
import java.math.MathContext;

/** Formats numbers of a sweep for people. */
public final class Rounded {
    private static final MathContext SIX_DIGITS = new MathContext(6);

    private Rounded() {}

    /** A finite number with at most six significant digits, without trailing zeros and exponent: {@code 0.97}, {@code 72500}. */
    public static String of(double value) {
        BigDecimal rounded = new BigDecimal(value, SIX_DIGITS);
        return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }
}
