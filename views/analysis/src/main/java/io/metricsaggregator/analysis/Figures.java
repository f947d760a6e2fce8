package io.metricsaggregator.analysis;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Formats numbers for people, in the root locale. */
public final class Figures {
    private static final double NANOS_PER_MILLI = 1e6;

    private Figures() {}

    /** Nanoseconds as milliseconds without a unit: four significant digits or more, below a microsecond down to the nanosecond; {@code -} for NaN. */
    public static String millis(double nanos) {
        if (Double.isNaN(nanos)) {
            return "-";
        }
        double millis = nanos / NANOS_PER_MILLI;
        double size = Math.abs(millis);
        int digits = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 1 || size == 0 ? 2 : size >= 0.001 ? 4 : 6;
        return String.format(Locale.ROOT, "%,." + digits + "f", millis);
    }

    /** Nanoseconds as {@code ns}, {@code us}, {@code ms}, {@code s} or, from a minute on, {@code h:mm:ss}. */
    public static String duration(long nanos) {
        return duration((double) nanos);
    }

    /** Nanoseconds from one timestamp to another, without overflow: clocks of producers may differ by more than 64 bits. */
    public static double between(long fromNanos, long toNanos) {
        long between = toNanos - fromNanos;
        boolean fits = ((toNanos ^ fromNanos) & (toNanos ^ between)) >= 0;
        return fits ? between : (double) toNanos - (double) fromNanos;
    }

    /** Nanoseconds as {@code ns}, {@code us}, {@code ms}, {@code s} or, from a minute on, {@code h:mm:ss}; may be negative. */
    public static String duration(double nanos) {
        double size = Math.abs(nanos);
        if (size >= 60e9) {
            return clock(Math.round(nanos / 1e9), true);
        }
        if (size >= 1e9) {
            return String.format(Locale.ROOT, "%.3f s", nanos / 1e9);
        }
        if (size >= 1e6) {
            return String.format(Locale.ROOT, "%.2f ms", nanos / 1e6);
        }
        return size >= 1e3
                ? String.format(Locale.ROOT, "%.2f us", nanos / 1e3)
                : String.format(Locale.ROOT, "%.0f ns", nanos);
    }

    /**
     * Seconds as {@code m:ss} or {@code h:mm:ss}, with one sign in front if they are negative.
     *
     * @param alwaysHours whether hours are shown even if there are none
     */
    public static String clock(long seconds, boolean alwaysHours) {
        long size = Math.abs(seconds);
        String sign = seconds < 0 ? "-" : "";
        return alwaysHours || size >= 3600
                ? String.format(Locale.ROOT, "%s%d:%02d:%02d", sign, size / 3600, size / 60 % 60, size % 60)
                : String.format(Locale.ROOT, "%s%d:%02d", sign, size / 60, size % 60);
    }

    /** A count with thousands separators; one decimal if it is not an integer; {@code -} for NaN. */
    public static String count(double value) {
        if (Double.isNaN(value)) {
            return "-";
        }
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%,.0f", value)
                : String.format(Locale.ROOT, "%,.1f", value);
    }

    /** A mean or deviation of whole numbers with at most one decimal; {@code -} for NaN. */
    public static String moment(double value) {
        return Double.isNaN(value) ? "-" : count(Math.round(value * 10) / 10.0);
    }

    /** A rate per second with about four significant digits. */
    public static String rate(double perSecond) {
        return String.format(Locale.ROOT, perSecond >= 1000 ? "%,.0f" : perSecond >= 10 ? "%,.1f" : "%,.3f", perSecond);
    }

    /** A part of a whole in percent with two decimals; {@code -} if the whole is 0. */
    public static String share(long part, long whole) {
        return whole == 0 ? "-" : String.format(Locale.ROOT, "%.2f%%", 100.0 * part / whole);
    }

    /** A share from 0 to 1 in percent with two decimals; {@code -} for null. */
    public static String share(@Nullable Double share) {
        return share == null ? "-" : String.format(Locale.ROOT, "%.2f%%", 100 * share);
    }
}
