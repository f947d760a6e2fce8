package io.metricsaggregator.template;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The methods of Python's strings; {@link ContainerMethods} handles other types. */
final class TextMethods {
    /** All supported methods of strings. */
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
            "rindex",
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
            "center",
            "format");

    /** Methods that produce no text, so that only reading is charged. */
    private static final Set<String> READING = Set.of(
            "startswith",
            "endswith",
            "find",
            "rfind",
            "index",
            "rindex",
            "count",
            "isdigit",
            "isnumeric",
            "isdecimal",
            "isalpha",
            "isalnum",
            "isspace");

    private TextMethods() {}

    /** Calls a method; throws {@link TemplateException} if the type has no such method. */
    static @Nullable Object call(
            Object of,
            String method,
            List<@Nullable Object> arguments,
            Map<String, @Nullable Object> named,
            Budget budget) {
        if (of instanceof String text) {
            if (READING.contains(method)) {
                budget.read(text.length());
            } else {
                budget.make(text.length());
            }
            return onText(text, method, arguments, named, budget);
        }
        return ContainerMethods.call(of, method, arguments, budget);
    }

    private static String textAt(List<@Nullable Object> arguments, int index) {
        if (index < arguments.size() && arguments.get(index) instanceof String text) {
            return text;
        }
        throw new TemplateException("argument " + (index + 1) + " of a str method must be a str");
    }

    private static @Nullable Object onText(
            String text,
            String method,
            List<@Nullable Object> arguments,
            Map<String, @Nullable Object> named,
            Budget budget) {
        return switch (method) {
            case "strip" -> strip(text, arguments, true, true, budget);
            case "lstrip" -> strip(text, arguments, true, false, budget);
            case "rstrip" -> strip(text, arguments, false, true, budget);
            case "lower", "casefold" -> text.toLowerCase(Locale.ROOT);
            case "upper" -> text.toUpperCase(Locale.ROOT);
            case "title" -> title(text);
            case "capitalize" -> capitalize(text);
            case "swapcase" -> swapCase(text);
            case "startswith" -> affix(arguments, budget).stream().anyMatch(text::startsWith);
            case "endswith" -> affix(arguments, budget).stream().anyMatch(text::endsWith);
            case "removeprefix" ->
                text.startsWith(textAt(arguments, 0))
                        ? text.substring(textAt(arguments, 0).length())
                        : text;
            case "removesuffix" ->
                text.endsWith(textAt(arguments, 0))
                        ? text.substring(0, text.length() - textAt(arguments, 0).length())
                        : text;
            case "isdigit", "isnumeric", "isdecimal" -> all(text, Character::isDigit);
            case "isalpha" -> all(text, Character::isLetter);
            case "isalnum" -> all(text, Character::isLetterOrDigit);
            case "isspace" -> all(text, TextMethods::isSpace);
            case "isupper" -> Tests.test("upper", text, List.of(), budget);
            case "islower" -> Tests.test("lower", text, List.of(), budget);
            default -> onParts(text, method, arguments, named, budget);
        };
    }

    /** Calls the methods that search, split, join, replace and pad. */
    private static @Nullable Object onParts(
            String text,
            String method,
            List<@Nullable Object> arguments,
            Map<String, @Nullable Object> named,
            Budget budget) {
        return switch (method) {
            case "split" -> TextSplit.split(text, arguments, named, budget);
            case "rsplit" -> TextSplit.rsplit(text, arguments, named, budget);
            case "splitlines" -> TextSplit.lines(text, !arguments.isEmpty() && Values.truth(arguments.get(0)), budget);
            case "join" -> join(text, texts(arguments.get(0), budget), budget);
            case "replace" ->
                replace(
                        text,
                        textAt(arguments, 0),
                        textAt(arguments, 1),
                        arguments.size() > 2 ? Values.integer(arguments.get(2)) : -1,
                        budget);
            case "find" -> place(text, TextSearch.find(text, textAt(arguments, 0), budget));
            case "rfind" -> place(text, TextSearch.findLast(text, textAt(arguments, 0), budget));
            case "index" -> found(text, TextSearch.find(text, textAt(arguments, 0), budget));
            case "rindex" -> found(text, TextSearch.findLast(text, textAt(arguments, 0), budget));
            case "count" -> count(text, textAt(arguments, 0), budget);
            case "partition" -> TextSplit.partition(text, textAt(arguments, 0), false, budget);
            case "rpartition" -> TextSplit.partition(text, textAt(arguments, 0), true, budget);
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
            case "center" -> center(text, arguments, budget);
            case "format" -> format(text, arguments, named, budget);
            default -> throw new TemplateException("str has no method '" + method + "' that a template may call");
        };
    }

    /** Converts an index in UTF-16 units to one in code points, which Python counts. */
    private static long place(String text, int index) {
        return index < 0 ? -1 : text.codePointCount(0, index);
    }

    private static long found(String text, int index) {
        if (index < 0) {
            throw new TemplateException("substring not found");
        }
        return place(text, index);
    }

    private static boolean all(String text, java.util.function.IntPredicate is) {
        return !text.isEmpty() && text.codePoints().allMatch(is);
    }

    private static List<String> affix(List<@Nullable Object> arguments, Budget budget) {
        List<String> affixes = new ArrayList<>();
        if (arguments.get(0) instanceof List<?> several) {
            budget.makeElements(several.size());
            several.forEach(each -> affixes.add(Repr.text(each, budget)));
        } else {
            affixes.add(textAt(arguments, 0));
        }
        affixes.forEach(affix -> budget.read(affix.length()));
        return affixes;
    }

    /** Python's {@code strip}: removes white space, or the characters in the first argument. The caller has charged for the text. */
    static String strip(String text, List<@Nullable Object> arguments, boolean left, boolean right, Budget budget) {
        String chars = !arguments.isEmpty() && arguments.get(0) != null ? textAt(arguments, 0) : null;
        int start = 0;
        int end = text.length();
        while (left && start < end && strips(text.codePointAt(start), chars, budget)) {
            start += Character.charCount(text.codePointAt(start));
        }
        while (right && end > start && strips(text.codePointBefore(end), chars, budget)) {
            end -= Character.charCount(text.codePointBefore(end));
        }
        return text.substring(start, end);
    }

    private static boolean strips(int c, @Nullable String chars, Budget budget) {
        budget.read(chars == null ? 1 : chars.length());
        return chars == null ? isSpace(c) : chars.indexOf(c) >= 0;
    }

    static boolean isSpace(int c) {
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

    /** Returns the elements of a list; throws {@link TemplateException} if one is not a string. */
    private static List<@Nullable Object> texts(@Nullable Object list, Budget budget) {
        List<@Nullable Object> texts = Values.elements(list, budget);
        for (Object each : texts) {
            if (!(each instanceof String)) {
                throw new TemplateException("join: expected a str, found " + Values.typeName(each));
            }
        }
        return texts;
    }

    static String join(String separator, List<@Nullable Object> elements, Budget budget) {
        StringBuilder made = new StringBuilder();
        boolean first = true;
        for (Object element : elements) {
            budget.step();
            String text = Repr.text(element, budget);
            budget.make((long) text.length() + separator.length());
            made.append(first ? "" : separator).append(text);
            first = false;
        }
        return made.toString();
    }

    static String replace(String text, String what, String by, long count, Budget budget) {
        if (what.isEmpty()) {
            throw new TemplateException("replace: an empty search string is not supported");
        }
        TextSearch.charge(text, what, budget);
        TextSearch.Part part = new TextSearch.Part(what);
        StringBuilder made = new StringBuilder();
        int start = 0;
        long done = 0;
        for (int found = part.next(text, 0); found >= 0 && done != count; found = part.next(text, start)) {
            budget.make((long) by.length() + found - start);
            made.append(text, start, found).append(by);
            start = found + what.length();
            done++;
        }
        budget.make((long) text.length() - start);
        return done == 0 ? text : made.append(text, start, text.length()).toString();
    }

    private static long count(String text, String what, Budget budget) {
        if (what.isEmpty()) {
            return text.codePointCount(0, text.length()) + 1L;
        }
        TextSearch.charge(text, what, budget);
        TextSearch.Part part = new TextSearch.Part(what);
        long count = 0;
        for (int found = part.next(text, 0); found >= 0; found = part.next(text, found + what.length())) {
            count++;
        }
        return count;
    }

    private static String pad(String text, long width, String fill, boolean left, Budget budget) {
        if (Values.length(fill, budget) != 1) {
            throw new TemplateException("the fill character must be exactly one character long");
        }
        long missing = width - Values.length(text, budget);
        if (missing <= 0) {
            return text;
        }
        budget.make(Math.min(missing, Integer.MAX_VALUE) * 2L + text.length());
        String padding = fill.repeat((int) missing);
        return left ? padding + text : text + padding;
    }

    /** Centers like Python: an odd space is added on the left if the width is odd. */
    private static String center(String text, List<@Nullable Object> arguments, Budget budget) {
        String fill = arguments.size() > 1 ? textAt(arguments, 1) : " ";
        long width = Values.integer(arguments.get(0));
        long length = Values.length(text, budget);
        long missing = Math.max(0, width - length);
        long left = missing / 2 + (missing & width & 1);
        return pad(pad(text, length + left, fill, true, budget), width, fill, false, budget);
    }

    /** Fills replacement fields without a format specification: {@code {}}, {@code {0}}, {@code {name}}. */
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
                String shown = Repr.text(value, budget);
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
