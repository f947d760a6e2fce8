package io.metricsaggregator.telemetry.transfer;

import java.math.BigDecimal;
import java.math.MathContext;

/** Formats doubles as Python prints its floats. Stateless. */
final class PythonFloat {
    /** Decimal digits that distinguish any two doubles. */
    private static final int DIGITS_MAX = 17;

    private PythonFloat() {}

    /**
     * Python's {@code repr} of a float: the fewest digits that read back as the same number, without an exponent from 1e-4 up to below 1e16. Java 17's
     * {@link Double#toString(double)} writes an exponent from 1e7 on, and sometimes more digits.
     */
    static String repr(double number) {
        if (Double.isNaN(number)) {
            return "nan";
        }
        if (Double.isInfinite(number)) {
            return number > 0 ? "inf" : "-inf";
        }
        if (number == 0) {
            return 1 / number < 0 ? "-0.0" : "0.0";
        }
        BigDecimal digits = shortest(number);
        int exponent = digits.precision() - digits.scale() - 1;
        if (exponent >= -4 && exponent < 16) {
            String plain = digits.toPlainString();
            return plain.indexOf('.') < 0 ? plain + ".0" : plain;
        }
        String unscaled = digits.unscaledValue().abs().toString();
        return (number < 0 ? "-" : "")
                + unscaled.charAt(0)
                + (unscaled.length() == 1 ? "" : "." + unscaled.substring(1))
                + (exponent < 0 ? "e-" : "e+")
                + (Math.abs(exponent) < 10 ? "0" : "")
                + Math.abs(exponent);
    }

    private static BigDecimal shortest(double number) {
        BigDecimal exact = new BigDecimal(number);
        for (int digits = 1; digits < DIGITS_MAX; digits++) {
            BigDecimal rounded = exact.round(new MathContext(digits));
            if (rounded.doubleValue() == number) {
                return rounded.stripTrailingZeros();
            }
        }
        return exact.round(new MathContext(DIGITS_MAX)).stripTrailingZeros();
    }
}
