package io.metricsaggregator.report.plot;

import java.util.Locale;

/**
 * Writes numbers with a fixed number of decimals, as {@code String.format} with {@link Locale#ROOT} does and in a tenth of its time: a page has tens of
 * thousands of coordinates. Where both might round differently, near the middle between two results, {@code String.format} decides.
 */
public final class Decimals {
    /** Below it, the product with a power of ten is exact to a thousandth. */
    private static final double SCALED_MAX = 1e12;

    private static final double MIDDLE = 0.5;
    private static final double DOUBT = 1e-3;
    private static final long THOUSAND = 1000;
    private static final long[] POWERS = {
        1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000
    };

    private Decimals() {}

    /**
     * The text of {@code %.Nf}.
     *
     * @param digits decimals, from 0 on
     */
    public static String fixed(double value, int digits) {
        return text(value, digits, false);
    }

    /**
     * The text of {@code %,.Nf}: with commas between thousands.
     *
     * @param digits decimals, from 0 on
     */
    static String grouped(double value, int digits) {
        return text(value, digits, true);
    }

    private static String text(double value, int digits, boolean grouped) {
        double scaled = digits < POWERS.length ? Math.abs(value) * POWERS[digits] : Double.NaN;
        double whole = Math.floor(scaled);
        // A comparison with NaN is false.
        if (!(scaled < SCALED_MAX) || Math.abs(scaled - whole - MIDDLE) < DOUBT) {
            return String.format(Locale.ROOT, (grouped ? "%,." : "%.") + digits + "f", value);
        }
        long number = (long) whole + (scaled - whole > MIDDLE ? 1 : 0);
        StringBuilder out = new StringBuilder(24);
        if (Double.compare(value, 0) < 0) {
            out.append('-');
        }
        long units = number / POWERS[digits];
        if (grouped) {
            group(out, units);
        } else {
            out.append(units);
        }
        if (digits > 0) {
            out.append('.');
            padded(out, number % POWERS[digits], digits);
        }
        return out.toString();
    }

    private static void group(StringBuilder out, long units) {
        if (units < THOUSAND) {
            out.append(units);
            return;
        }
        group(out, units / THOUSAND);
        out.append(',');
        padded(out, units % THOUSAND, 3);
    }

    /** Appends a number from 0 on with leading zeros. */
    static void padded(StringBuilder out, long number, int digits) {
        for (int i = digits - 1; i > 0 && number < POWERS[i]; i--) {
            out.append('0');
        }
        out.append(number);
    }
}
