package io.metricsaggregator.template;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The methods of Python's strings, and by {@link ContainerMethods} those of its other values. */
final class TextMethods {
    /** The methods of strings. */
    static final Set<String> NAMES = Set.of(
            "strip",
            "lstrip",
            "rstrip",
            "lower",
            "casefold",
            "upper",
            "title",
            "capitalize",
            "swapcase",
            "startswith",
            "endswith",
            "removeprefix",
            "removesuffix",
            "split",
            "rsplit",
            "splitlines",
            "join",
            "replace",
            "find",
            "rfind",
            "index",
            "count",
            "partition",
            "rpartition",
            "isdigit",
            "isnumeric",
            "isdecimal",
            "isalpha",
            "isalnum",
            "isspace",
            "isupper",
            "islower",
            "zfill",
            "ljust",
            "rjust",
            "format");

    private TextMethods() {}

    /** Calls a method; {@link TemplateException} if there is none of that name. */
    static @Nullable Object call(
            Object of,
            String method,
            List<@Nullable Object> arguments,
            Map<String, @Nullable Object> named,
            Budget budget) {
        if (of instanceof String text) {
            budget.make(text.length());
            return onText(text, method, arguments, named, budget);
        }
        return ContainerMethods.call(of, method, arguments);
    }

    private static String textAt(List<@Nullable Object> arguments, int index) {
        if (index < arguments.size() && arguments.get(index) instanceof String text) {
            return text;
        }
        throw new TemplateException("a method of str takes a str as argument " + (index + 1));
    }

    private static @Nullable Object onText(
            String text,
            String method,
            List<@Nullable Object> arguments,
            Map<String, @Nullable Object> named,
            Budget budget) {
        return switch (method) {
            case "strip" -> strip(text, arguments, true, true);
            case "lstrip" -> strip(text, arguments, true, false);
            case "rstrip" -> strip(text, arguments, false, true);
            case "lower", "casefold" -> text.toLowerCase(Locale.ROOT);
            case "upper" -> text.toUpperCase(Locale.ROOT);
            case "title" -> title(text);
            case "capitalize" -> capitalize(text);
            case "swapcase" -> swapCase(text);
            case "startswith" -> affix(arguments).stream().anyMatch(text::startsWith);
            case "endswith" -> affix(arguments).stream().anyMatch(text::endsWith);
            case "removeprefix" ->
                text.startsWith(textAt(arguments, 0))
                        ? text.substring(textAt(arguments, 0).length())
                        : text;
            case "removesuffix" ->
                text.endsWith(textAt(arguments, 0))
                        ? text.substring(0, text.length() - textAt(arguments, 0).length())
                        : text;
            case "split" -> split(text, arguments, named);
            case "rsplit" -> rsplit(text, arguments, named);
            case "splitlines" -> lines(text);
            case "join" -> join(text, arguments.get(0), budget);
            case "replace" ->
                replace(
                        text,
                        textAt(arguments, 0),
                        textAt(arguments, 1),
                        arguments.size() > 2 ? Values.integer(arguments.get(2)) : -1,
                        budget);
            case "find" -> place(text, text.indexOf(textAt(arguments, 0)));
            case "rfind" -> place(text, text.lastIndexOf(textAt(arguments, 0)));
            case "index" -> {
                if (!text.contains(textAt(arguments, 0))) {
                    throw new TemplateException("substring not found");
                }
                yield place(text, text.indexOf(textAt(arguments, 0)));
            }
            case "count" -> count(text, textAt(arguments, 0));
            case "partition" -> partition(text, textAt(arguments, 0), text.indexOf(textAt(arguments, 0)), false);
            case "rpartition" -> partition(text, textAt(arguments, 0), text.lastIndexOf(textAt(arguments, 0)), true);
            case "isdigit", "isnumeric", "isdecimal" -> all(text, Character::isDigit);
            case "isalpha" -> all(text, Character::isLetter);
            case "isalnum" -> all(text, Character::isLetterOrDigit);
            case "isspace" -> all(text, Character::isWhitespace);
            case "isupper" -> !text.equals(text.toLowerCase(Locale.ROOT)) && text.equals(text.toUpperCase(Locale.ROOT));
            case "islower" -> !text.equals(text.toUpperCase(Locale.ROOT)) && text.equals(text.toLowerCase(Locale.ROOT));
            case "zfill" -> pad(text, Values.integer(arguments.get(0)), "0", true, budget);
            case "ljust" ->
                pad(
                        text,
                        Values.integer(arguments.get(0)),
                        arguments.size() > 1 ? textAt(arguments, 1) : " ",
                        false,
                        budget);
            case "rjust" ->
                pad(
                        text,
                        Values.integer(arguments.get(0)),
                        arguments.size() > 1 ? textAt(arguments, 1) : " ",
                        true,
                        budget);
            case "format" -> format(text, arguments, named, budget);
            default -> throw new TemplateException("str has no method '" + method + "' that a template may call");
        };
    }

    /** Where something was found, in characters as Python counts them. */
    private static long place(String text, int index) {
        return index < 0 ? -1 : text.codePointCount(0, index);
    }

    private static boolean all(String text, java.util.function.IntPredicate is) {
        return !text.isEmpty() && text.codePoints().allMatch(is);
    }

    private static List<String> affix(List<@Nullable Object> arguments) {
        if (arguments.get(0) instanceof List<?> several) {
            return several.stream().map(Values::text).toList();
        }
        return List.of(textAt(arguments, 0));
    }

    static String strip(String text, List<@Nullable Object> arguments, boolean left, boolean right) {
        String chars = !arguments.isEmpty() && arguments.get(0) != null ? textAt(arguments, 0) : null;
        int start = 0;
        int end = text.length();
        while (left && start < end && strips(text.codePointAt(start), chars)) {
            start += Character.charCount(text.codePointAt(start));
        }
        while (right && end > start && strips(text.codePointBefore(end), chars)) {
            end -= Character.charCount(text.codePointBefore(end));
        }
        return text.substring(start, end);
    }

    private static boolean strips(int c, @Nullable String chars) {
        return chars == null ? isSpace(c) : chars.indexOf(c) >= 0;
    }

    private static boolean isSpace(int c) {
        return Character.isWhitespace(c) || Character.isSpaceChar(c) || c == 0x85;
    }

    static String capitalize(String text) {
        int first = text.isEmpty() ? 0 : Character.charCount(text.codePointAt(0));
        return text.substring(0, first).toUpperCase(Locale.ROOT)
                + text.substring(first).toLowerCase(Locale.ROOT);
    }

    static String title(String text) {
        StringBuilder made = new StringBuilder();
        boolean inWord = false;
        for (int c : text.codePoints().toArray()) {
            made.appendCodePoint(inWord ? Character.toLowerCase(c) : Character.toTitleCase(c));
            inWord = Character.isLetter(c);
        }
        return made.toString();
    }

    private static String swapCase(String text) {
        StringBuilder made = new StringBuilder();
        text.codePoints()
                .forEach(c -> made.appendCodePoint(
                        Character.isUpperCase(c) ? Character.toLowerCase(c) : Character.toUpperCase(c)));
        return made.toString();
    }

    private static List<@Nullable Object> split(
            String text, List<@Nullable Object> arguments, Map<String, @Nullable Object> named) {
        Object separator = !arguments.isEmpty() ? arguments.get(0) : named.get("sep");
        Object limit = arguments.size() > 1 ? arguments.get(1) : named.get("maxsplit");
        long most = limit == null ? -1 : Values.integer(limit);
        List<@Nullable Object> parts = new ArrayList<>();
        if (separator == null) {
            String rest = strip(text, List.of(), true, false);
            while (!rest.isEmpty()) {
                int end = 0;
                while (end < rest.length() && !isSpace(rest.charAt(end))) {
                    end++;
                }
                if (parts.size() == most || end == rest.length()) {
                    parts.add(parts.size() == most ? strip(rest, List.of(), false, true) : rest);
                    break;
                }
                parts.add(rest.substring(0, end));
                rest = strip(rest.substring(end), List.of(), true, false);
            }
            return parts;
        }
        String by = Values.text(separator);
        requireSeparator(by);
        int start = 0;
        for (int found = text.indexOf(by); found >= 0 && parts.size() != most; found = text.indexOf(by, start)) {
            parts.add(text.substring(start, found));
            start = found + by.length();
        }
        parts.add(text.substring(start));
        return parts;
    }

    private static void requireSeparator(String by) {
        if (by.isEmpty()) {
            throw new TemplateException("empty separator");
        }
    }

    private static List<@Nullable Object> rsplit(
            String text, List<@Nullable Object> arguments, Map<String, @Nullable Object> named) {
        Object limit = arguments.size() > 1 ? arguments.get(1) : named.get("maxsplit");
        if (arguments.isEmpty() || arguments.get(0) == null || limit == null) {
            return split(text, arguments, named);
        }
        String by = textAt(arguments, 0);
        requireSeparator(by);
        List<@Nullable Object> parts = new ArrayList<>();
        int end = text.length();
        long most = Values.integer(limit);
        int found = text.lastIndexOf(by);
        while (found >= 0 && parts.size() != most) {
            parts.add(0, text.substring(found + by.length(), end));
            end = found;
            found = end == 0 ? -1 : text.substring(0, end).lastIndexOf(by);
        }
        parts.add(0, text.substring(0, end));
        return parts;
    }

    private static List<@Nullable Object> lines(String text) {
        List<@Nullable Object> lines = new ArrayList<>(text.lines().toList());
        return lines;
    }

    static String join(String separator, @Nullable Object elements, Budget budget) {
        StringBuilder made = new StringBuilder();
        boolean first = true;
        budget.makeElementsOf(elements);
        for (Object element : Values.elements(elements)) {
            String text = Values.text(element);
            budget.make(text.length() + separator.length());
            made.append(first ? "" : separator).append(text);
            first = false;
        }
        return made.toString();
    }

    static String replace(String text, String what, String by, long count, Budget budget) {
        StringBuilder made = new StringBuilder();
        int start = 0;
        long done = 0;
        if (what.isEmpty()) {
            throw new TemplateException("replacing nothing is not supported");
        }
        for (int found = text.indexOf(what); found >= 0 && done != count; found = text.indexOf(what, start)) {
            budget.make(by.length());
            made.append(text, start, found).append(by);
            start = found + what.length();
            done++;
        }
        return made.append(text.substring(start)).toString();
    }

    private static long count(String text, String what) {
        long count = 0;
        for (int found = text.indexOf(what);
                found >= 0 && !what.isEmpty();
                found = text.indexOf(what, found + what.length())) {
            count++;
        }
        return count;
    }

    private static Values.Tuple partition(String text, String by, int found, boolean last) {
        List<@Nullable Object> parts = new ArrayList<>();
        if (found < 0) {
            parts.addAll(last ? List.of("", "", text) : List.of(text, "", ""));
        } else {
            parts.addAll(List.of(text.substring(0, found), by, text.substring(found + by.length())));
        }
        return new Values.Tuple(parts);
    }

    private static String pad(String text, long width, String fill, boolean left, Budget budget) {
        long missing = width - Values.length(text);
        if (missing <= 0) {
            return text;
        }
        budget.make(missing);
        String padding = fill.repeat((int) missing);
        return left ? padding + text : text + padding;
    }

    /** Fields without a format: {@code {}}, {@code {0}}, {@code {name}}. */
    private static String format(
            String text, List<@Nullable Object> arguments, Map<String, @Nullable Object> named, Budget budget) {
        StringBuilder made = new StringBuilder();
        int next = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ((c == '{' || c == '}') && i + 1 < text.length() && text.charAt(i + 1) == c) {
                made.append(c);
                i++;
            } else if (c == '{') {
                int end = text.indexOf('}', i);
                String field = end < 0 ? "!" : text.substring(i + 1, end);
                if (!field.matches("\\w*")) {
                    throw new TemplateException("format: the field '" + field + "' is not supported");
                }
                Object value = field.isEmpty()
                        ? arguments.get(next++)
                        : Character.isDigit(field.charAt(0))
                                ? arguments.get(Integer.parseInt(field))
                                : named.get(field);
                String shown = Values.text(value);
                budget.make(shown.length());
                made.append(shown);
                i = end;
            } else {
                made.append(c);
            }
        }
        return made.toString();
    }
}
