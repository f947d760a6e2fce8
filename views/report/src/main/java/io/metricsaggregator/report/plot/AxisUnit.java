package io.metricsaggregator.report.plot;

import java.util.Locale;

/**
 * The unit of an axis: how its values read beside a tick and in a tooltip.
 *
 * @param form how numbers are written
 * @param symbol such as {@code W} or {@code requests/s}; empty for numbers without a unit, and where each number carries its own unit
 */
public record AxisUnit(Form form, String symbol) {
    /** Values are milliseconds; each number is written in ns, µs, ms or s. */
    public static final AxisUnit MILLIS = new AxisUnit(Form.MILLIS, "");

    /** Values are seconds of the run, written as {@code m:ss} or {@code h:mm:ss}. */
    public static final AxisUnit CLOCK = new AxisUnit(Form.CLOCK, "");

    public static final AxisUnit PERCENT = new AxisUnit(Form.NUMBER, "%");

    /** How numbers are written. */
    public enum Form {
        NUMBER,
        MILLIS,
        CLOCK
    }

    /** Numbers with one unit, which may be empty. */
    public static AxisUnit of(String symbol) {
        return new AxisUnit(Form.NUMBER, symbol);
    }

    /** A value beside a tick: without the unit where the axis names it. */
    public String tick(double value) {
        return switch (form) {
            case NUMBER -> number(value);
            case MILLIS -> millis(value);
            case CLOCK -> clock(value);
        };
    }

    /** A value with its unit. */
    public String value(double value) {
        return symbol.isEmpty() ? tick(value) : tick(value) + (symbol.equals("%") ? " %" : " " + symbol);
    }

    /** The title of an axis: the quantity, and the unit where ticks do not carry it. */
    public String title(String quantity) {
        return symbol.isEmpty() ? quantity : quantity.isEmpty() ? symbol : quantity + ", " + symbol;
    }

    private static String millis(double value) {
        double size = Math.abs(value);
        if (size == 0) {
            return "0";
        }
        if (size >= 1000) {
            return number(value / 1000) + " s";
        }
        if (size >= 1) {
            return number(value) + " ms";
        }
        return size >= 1e-3 ? number(value * 1e3) + " µs" : number(value * 1e6) + " ns";
    }

    private static String clock(double seconds) {
        double size = Math.abs(seconds);
        long tenths = Math.round(size * 10);
        long whole = tenths / 10;
        String sign = seconds < 0 && tenths > 0 ? "-" : "";
        String part = tenths % 10 == 0 ? "" : "." + tenths % 10;
        StringBuilder text = new StringBuilder(sign);
        if (whole >= 3600) {
            text.append(whole / 3600).append(':');
            Decimals.padded(text, whole / 60 % 60, 2);
        } else {
            text.append(whole / 60);
        }
        text.append(':');
        Decimals.padded(text, whole % 60, 2);
        return text.append(part).toString();
    }

    /** A number without the zeros at the end of its decimals. */
    private static String withoutZeros(String text) {
        if (text.indexOf('.') < 0) {
            return text;
        }
        int end = text.length();
        while (text.charAt(end - 1) == '0') {
            end--;
        }
        return text.substring(0, text.charAt(end - 1) == '.' ? end - 1 : end);
    }

    /** At most four significant digits; thousands separators, M from a million and G from a thousand million on. */
    static String number(double value) {
        double size = Math.abs(value);
        if (size >= 1e15) {
            return String.format(Locale.ROOT, "%.2e", value);
        }
        if (size >= 1e9) {
            return number(value / 1e9) + " G";
        }
        if (size >= 1e6) {
            return number(value / 1e6) + " M";
        }
        if (value == Math.rint(value)) {
            return Decimals.grouped(value, 0);
        }
        if (size < 1e-6) {
            return String.format(Locale.ROOT, "%.2e", value);
        }
        int digits = (int) Math.max(0, 3 - Math.floor(Math.log10(size)));
        return withoutZeros(Decimals.grouped(value, digits));
    }
}
