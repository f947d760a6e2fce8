package io.metricsaggregator.proxy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The head of a message: its start line and its headers, in their order. Immutable. */
final class MessageHead {
    private static final int CONTENT_LENGTH_DIGITS = 18;
    private static final String SEPARATORS = "\"(),/:;<=>?@[\\]{}";

    private final byte[] bytes;
    private final String startLine;
    private final List<String> names = new ArrayList<>();
    private final List<String> values = new ArrayList<>();

    /**
     * Reads a head.
     *
     * @param bytes the lines and the empty line, each with CR LF; not to be modified afterwards
     * @throws MalformedHttpException if a header is none, or is folded over two lines
     */
    MessageHead(byte[] bytes) throws MalformedHttpException {
        this.bytes = bytes;
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        int end = text.indexOf("\r\n");
        startLine = text.substring(0, end);
        for (int at = end + 2; at < text.length() - 2; at = end + 2) {
            end = text.indexOf("\r\n", at);
            int colon = text.indexOf(':', at);
            if (colon <= at || colon > end || !isToken(text, at, colon)) {
                throw new MalformedHttpException(400, "a header line is not NAME: VALUE");
            }
            names.add(text.substring(at, colon));
            values.add(text.substring(colon + 1, end).strip());
        }
    }

    static boolean isToken(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (!isTokenChar(text.charAt(i))) {
                return false;
            }
        }
        return to > from;
    }

    static boolean isTokenChar(int c) {
        return c > ' ' && c < 0x7f && SEPARATORS.indexOf(c) < 0;
    }

    /** The line before the headers, without its end. */
    String startLine() {
        return startLine;
    }

    /** Number of headers of a name, in any case. */
    int count(String name) {
        int count = 0;
        for (String each : names) {
            count += each.equalsIgnoreCase(name) ? 1 : 0;
        }
        return count;
    }

    /** The first value of a header, without spaces around it; null if there is none. */
    @Nullable
    String value(String name) {
        for (int i = 0; i < names.size(); i++) {
            if (names.get(i).equalsIgnoreCase(name)) {
                return values.get(i);
            }
        }
        return null;
    }

    /** Whether a header that is a list of words has a word, in any case. */
    boolean hasWord(String name, String word) {
        for (int i = 0; i < names.size(); i++) {
            if (names.get(i).equalsIgnoreCase(name)) {
                for (String each : values.get(i).split(",", -1)) {
                    if (each.strip().equalsIgnoreCase(word)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /**
     * The value of {@code Content-Length}; -1 if there is none.
     *
     * @throws MalformedHttpException if it is not one number
     */
    long contentLength() throws MalformedHttpException {
        long length = -1;
        for (int i = 0; i < names.size(); i++) {
            if (names.get(i).equalsIgnoreCase("content-length")) {
                String value = values.get(i);
                if (!isNumber(value) || (length >= 0 && length != Long.parseLong(value))) {
                    throw new MalformedHttpException(400, "Content-Length is not one number");
                }
                length = Long.parseLong(value);
            }
        }
        return length;
    }

    private static boolean isNumber(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (value.charAt(i) < '0' || value.charAt(i) > '9') {
                return false;
            }
        }
        return !value.isEmpty() && value.length() <= CONTENT_LENGTH_DIGITS;
    }

    /**
     * The bytes of the head with one header changed and one added.
     *
     * @param value of {@code name} instead of the one it has; null to keep it
     * @param addedValue of {@code addedName}, which becomes the last header; null to add none
     */
    byte[] with(String name, @Nullable String value, String addedName, @Nullable String addedValue) {
        if (value == null && addedValue == null) {
            return bytes;
        }
        StringBuilder out =
                new StringBuilder(bytes.length + 64).append(startLine).append("\r\n");
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        for (int at = startLine.length() + 2; at < text.length() - 2; ) {
            int end = text.indexOf("\r\n", at) + 2;
            boolean replaced = value != null && text.regionMatches(true, at, name + ":", 0, name.length() + 1);
            if (replaced) {
                out.append(text, at, at + name.length())
                        .append(": ")
                        .append(value)
                        .append("\r\n");
            } else {
                out.append(text, at, end);
            }
            at = end;
        }
        if (addedValue != null) {
            out.append(addedName).append(": ").append(addedValue).append("\r\n");
        }
        return out.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    /** The first value of a header in lower case and without parameters; empty if there is none. */
    String mediaType(String name) {
        String value = value(name);
        if (value == null) {
            return "";
        }
        int end = value.indexOf(';');
        return (end < 0 ? value : value.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    }
}
