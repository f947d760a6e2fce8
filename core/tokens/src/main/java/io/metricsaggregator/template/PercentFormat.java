package io.metricsaggregator.template;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The {@code %} operator of Python's strings. */
final class PercentFormat {
    private static final Pattern FIELD = Pattern.compile("%(-?0?\\d{0,3})(\\.\\d{1,2})?([sdirf%])");

    private PercentFormat() {}

    /** Evaluates {@code text % values} with {@code %s}, {@code %r}, {@code %d}, {@code %f}, widths, precisions, and {@code %%}. */
    static String format(String text, @Nullable Object values, Budget budget) {
        List<?> given = values instanceof Values.Tuple tuple ? tuple : java.util.Collections.singletonList(values);
        budget.make(text.length());
        Matcher field = FIELD.matcher(text);
        StringBuilder made = new StringBuilder();
        int next = 0;
        int from = 0;
        for (int at = text.indexOf('%'); at >= 0; at = text.indexOf('%', from)) {
            made.append(text, from, at);
            if (!field.find(at) || field.start() != at) {
                throw new TemplateException("the format '" + text + "' is not supported");
            }
            if (field.group(3).equals("%")) {
                made.append('%');
            } else if (next == given.size()) {
                throw new TemplateException("not enough arguments for the format '" + text + "'");
            } else {
                String shown = field(field, given.get(next++), budget);
                budget.make(shown.length());
                made.append(shown);
            }
            from = field.end();
        }
        return made.append(text, from, text.length()).toString();
    }

    private static String field(Matcher field, @Nullable Object value, Budget budget) {
        String width = field.group(1);
        String precision = field.group(2) == null ? "" : field.group(2);
        return switch (field.group(3)) {
            case "d", "i" -> String.format(java.util.Locale.ROOT, "%" + width + "d", (long) Values.real(value));
            case "f" -> String.format(java.util.Locale.ROOT, "%" + width + precision + "f", Values.real(value));
            case "r" ->
                String.format(
                        java.util.Locale.ROOT,
                        "%" + width.replace("0", "") + precision + "s",
                        Repr.repr(value, budget));
            default ->
                String.format(
                        java.util.Locale.ROOT,
                        "%" + width.replaceFirst("^0", "") + precision + "s",
                        Repr.text(value, budget));
        };
    }
}
