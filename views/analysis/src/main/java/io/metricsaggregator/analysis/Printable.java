package io.metricsaggregator.analysis;

/** Escapes text of producers and files, so that it cannot control a terminal or break a line. */
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

    /**
     * Lines for a terminal: the text with what could steer it written as {@code \}{@code uXXXX}. Ends of lines and tabs stay, and so
     * does everything else.
     */
    public static String forTerminal(String text) {
        StringBuilder safe = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean pair = Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1));
            boolean endOfLine = c == '\n' || (c == '\r' && i + 1 < text.length() && text.charAt(i + 1) == '\n');
            boolean unsafe = !pair && !endOfLine && c != '\t' && isUnsafe(c);
            if (unsafe && safe == null) {
                safe = new StringBuilder(text.length() + 64).append(text, 0, i);
            }
            if (safe != null) {
                safe.append(unsafe ? String.format("\\u%04x", (int) c) : String.valueOf(c));
                if (pair) {
                    safe.append(text.charAt(i + 1));
                }
            }
            i += pair ? 1 : 0;
        }
        return safe == null ? text : safe.toString();
    }

    private static boolean isUnsafe(char c) {
        return Character.isISOControl(c)
                || Character.isSurrogate(c)
                || c == '\u2028'
                || c == '\u2029'
                || Character.getType(c) == Character.FORMAT;
    }
}
