package io.metricsaggregator.template;

import java.util.ArrayList;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Jinja's filters on text. A value of another type is converted to text first. */
final class TextFilters {
    private final Interpreter interpreter;
    private final Budget budget;

    TextFilters(Interpreter interpreter, Budget budget) {
        this.interpreter = interpreter;
        this.budget = budget;
    }

    @Nullable
    Object apply(String name, @Nullable Object value, FilterArguments given) {
        String text = Repr.text(value, budget);
        budget.make(text.length());
        return switch (name) {
            case "trim" -> TextMethods.strip(text, given.positional(), true, true, budget);
            case "upper" -> text.toUpperCase(Locale.ROOT);
            case "lower" -> text.toLowerCase(Locale.ROOT);
            case "capitalize" -> TextMethods.capitalize(text);
            case "title" -> TextMethods.title(text);
            case "e", "escape", "forceescape" -> new Values.Markup(escape(text, budget));
            case "replace" ->
                TextMethods.replace(
                        text,
                        Repr.text(given.get(0, "old", ""), budget),
                        Repr.text(given.get(1, "new", ""), budget),
                        Values.integer(given.get(2, "count", -1L)),
                        budget);
            case "indent" -> indent(text, given);
            case "truncate" -> truncate(text, given);
            case "wordcount" -> wordCount(text);
            case "format" -> interpreter.format(text, new Values.Tuple(new ArrayList<>(given.positional())));
            case "center" -> center(text, given);
            default -> throw new TemplateException("the filter '" + name + "' is not supported");
        };
    }

    /** Replaces the characters that are special in HTML. */
    static String escape(String text, Budget budget) {
        budget.make(5L * text.length());
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("'", "&#39;")
                .replace("\"", "&#34;");
    }

    private static long wordCount(String text) {
        long words = 0;
        boolean inWord = false;
        for (int i = 0; i < text.length(); i++) {
            boolean isWord = Character.isLetterOrDigit(text.charAt(i)) || text.charAt(i) == '_';
            words += isWord && !inWord ? 1 : 0;
            inWord = isWord;
        }
        return words;
    }

    private String center(String text, FilterArguments given) {
        long missing = Math.max(0, Values.integer(given.get(0, "width", 80L)) - Values.length(text, budget));
        budget.make(missing + text.length());
        return " ".repeat((int) (missing / 2)) + text + " ".repeat((int) (missing - missing / 2));
    }

    private String indent(String text, FilterArguments given) {
        Object width = given.get(0, "width", 4L);
        String by = width instanceof String given0
                ? given0
                : " ".repeat((int) Math.max(0, Math.min(1000, Values.integer(width))));
        boolean first = given.flag(1, "first");
        boolean blank = given.flag(2, "blank");
        StringBuilder made = new StringBuilder();
        int start = 0;
        while (start <= text.length()) {
            int newLine = text.indexOf('\n', start);
            int end = newLine < 0 ? text.length() : newLine;
            boolean indented = (start > 0 || first) && (blank || end > start || start == 0);
            budget.make(end - start + 1L + (indented ? by.length() : 0));
            made.append(start == 0 ? "" : "\n").append(indented ? by : "").append(text, start, end);
            start = end + 1;
        }
        return made.toString();
    }

    private String truncate(String text, FilterArguments given) {
        long length = Values.integer(given.get(0, "length", 255L));
        String end = Repr.text(given.get(2, "end", "..."), budget);
        long leeway = Values.integer(given.get(3, "leeway", 5L));
        if (text.length() <= length + leeway) {
            return text;
        }
        String cut = text.substring(0, (int) Math.max(0, length - end.length()));
        int space = cut.lastIndexOf(' ');
        return (given.flag(1, "killwords") || space < 0 ? cut : cut.substring(0, space)) + end;
    }
}
