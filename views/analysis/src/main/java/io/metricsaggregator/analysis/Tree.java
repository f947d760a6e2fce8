package io.metricsaggregator.analysis;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Formats figures of telemetry for people; a missing value reads as empty, {@code -} or NaN. */
public final class Tree {
    private Tree() {}

    public static Map<?, ?> map(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? map : Map.of();
    }

    public static List<?> list(@Nullable Object value) {
        return value instanceof List<?> list ? list : List.of();
    }

    public static String text(@Nullable Object value, int length) {
        return value == null ? "-" : Printable.escape(String.valueOf(value), length);
    }

    public static String count(@Nullable Object value) {
        return value instanceof Long number ? String.format(Locale.ROOT, "%,d", number) : "-";
    }

    public static String number(@Nullable Object value, String format) {
        return value instanceof Number number ? String.format(Locale.ROOT, format, number.doubleValue()) : "-";
    }

    /** The number as a double; NaN if it is not a number. */
    public static double real(@Nullable Object value) {
        return value instanceof Number number ? number.doubleValue() : Double.NaN;
    }

    /** Bytes with a binary unit, {@code B} to {@code PiB}; {@code -} if not a number. */
    public static String bytes(@Nullable Object value) {
        double bytes = real(value);
        if (Double.isNaN(bytes)) {
            return "-";
        }
        String[] units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
        int unit = 0;
        while (Math.abs(bytes) >= 1024 && unit < units.length - 1) {
            bytes /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", bytes, units[unit]);
    }

    /** The labels of a series in Prometheus notation; empty without labels. */
    public static String labels(@Nullable Object value) {
        StringBuilder out = new StringBuilder();
        map(value)
                .forEach((name, text) -> out.append(out.isEmpty() ? "{" : ",")
                        .append(name)
                        .append("=\"")
                        .append(text)
                        .append('"'));
        return out.isEmpty() ? "" : out.append('}').toString();
    }
}
