package io.metricsaggregator.template;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The methods of Python's strings that split a text. Each reads its text once. */
final class TextSplit {
    private TextSplit() {}

    static List<@Nullable Object> split(
            String text, List<@Nullable Object> arguments, Map<String, @Nullable Object> named, Budget budget) {
        Object separator = !arguments.isEmpty() ? arguments.get(0) : named.get("sep");
        long most = limit(arguments, named);
        if (separator == null) {
            return words(text, most, budget);
        }
        String by = separator(separator);
        TextSearch.charge(text, by, budget);
        TextSearch.Part part = new TextSearch.Part(by);
        List<@Nullable Object> parts = new ArrayList<>();
        int start = 0;
        for (int found = part.next(text, 0); found >= 0 && parts.size() != most; found = part.next(text, start)) {
            budget.makeElements(1);
            parts.add(text.substring(start, found));
            start = found + by.length();
        }
        parts.add(text.substring(start));
        return parts;
    }

    private static long limit(List<@Nullable Object> arguments, Map<String, @Nullable Object> named) {
        Object limit = arguments.size() > 1 ? arguments.get(1) : named.get("maxsplit");
        return limit == null ? -1 : Values.integer(limit);
    }

    private static String separator(Object separator) {
        if (!(separator instanceof String by)) {
            throw new TemplateException("split: the separator must be a str, not " + Values.typeName(separator));
        }
        if (by.isEmpty()) {
            throw new TemplateException("empty separator");
        }
        return by;
    }

    /** Splits at runs of white space; after {@code most} splits the rest is kept unchanged, trailing white space included. */
    private static List<@Nullable Object> words(String text, long most, Budget budget) {
        List<@Nullable Object> words = new ArrayList<>();
        int at = skip(text, 0, true);
        while (at < text.length()) {
            budget.makeElements(1);
            if (words.size() == most) {
                words.add(text.substring(at));
                return words;
            }
            int end = skip(text, at, false);
            words.add(text.substring(at, end));
            at = skip(text, end, true);
        }
        return words;
    }

    private static int skip(String text, int from, boolean spaces) {
        int at = from;
        while (at < text.length() && TextMethods.isSpace(text.charAt(at)) == spaces) {
            at++;
        }
        return at;
    }

    static List<@Nullable Object> rsplit(
            String text, List<@Nullable Object> arguments, Map<String, @Nullable Object> named, Budget budget) {
        long most = limit(arguments, named);
        Object separator = !arguments.isEmpty() ? arguments.get(0) : named.get("sep");
        if (most < 0) {
            return split(text, arguments, named, budget);
        }
        if (separator == null) {
            throw new TemplateException("rsplit with a limit requires a separator");
        }
        String by = separator(separator);
        TextSearch.charge(text, by, budget);
        List<@Nullable Object> parts = new ArrayList<>();
        int end = text.length();
        while (parts.size() != most) {
            int found = TextSearch.findLast(text.substring(0, end), by, budget);
            if (found < 0) {
                break;
            }
            budget.makeElements(1);
            budget.make(end);
            parts.add(text.substring(found + by.length(), end));
            end = found;
        }
        parts.add(text.substring(0, end));
        Collections.reverse(parts);
        return parts;
    }

    /** Python's {@code splitlines}, which knows more line boundaries than Java. */
    static List<@Nullable Object> lines(String text, boolean withEnds, Budget budget) {
        List<@Nullable Object> lines = new ArrayList<>();
        int start = 0;
        while (start < text.length()) {
            int end = start;
            while (end < text.length() && !endsLine(text.charAt(end))) {
                end++;
            }
            int next = text.startsWith("\r\n", end) ? end + 2 : Math.min(end + 1, text.length());
            budget.makeElements(1);
            lines.add(text.substring(start, withEnds ? next : end));
            start = next;
        }
        return lines;
    }

    private static boolean endsLine(char c) {
        return (c >= '\n' && c <= '\r') || (c >= 0x1c && c <= 0x1e) || c == 0x85 || c == 0x2028 || c == 0x2029;
    }

    static Values.Tuple partition(String text, String by, boolean last, Budget budget) {
        String separator = separator(by);
        int found = last ? TextSearch.findLast(text, separator, budget) : TextSearch.find(text, separator, budget);
        if (found < 0) {
            return tuple(last ? List.of("", "", text) : List.of(text, "", ""));
        }
        return tuple(List.of(text.substring(0, found), separator, text.substring(found + separator.length())));
    }

    private static Values.Tuple tuple(List<String> parts) {
        return new Values.Tuple(new ArrayList<@Nullable Object>(parts));
    }
}
