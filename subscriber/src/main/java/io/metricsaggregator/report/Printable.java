package io.metricsaggregator.report;

/** Text from elsewhere, made safe to show on a terminal or in a line of its own. */
public final class Printable {
    private Printable() {}

    /**
     * The text with control characters, line breaks, bidirectional overrides and lone surrogates written as {@code \}{@code uXXXX},
     * and cut to a length.
     */
    public static String escape(String text, int maxLength) {
        StringBuilder safe = new StringBuilder(Math.min(text.length(), maxLength) + 16);
        for (int i = 0; i < text.length(); i++) {
            if (safe.length() >= maxLength) {
                return safe.append('…').toString();
            }
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                safe.append(c).append(text.charAt(++i));
            } else if (isUnsafe(c)) {
                safe.append(String.format("\\u%04x", (int) c));
            } else {
                safe.append(c);
            }
        }
        return safe.toString();
    }

    private static boolean isUnsafe(char c) {
        return Character.isISOControl(c)
                || Character.isSurrogate(c)
                || c == '\u2028'
                || c == '\u2029'
                || Character.getType(c) == Character.FORMAT;
    }
}
