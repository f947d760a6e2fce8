package io.metricsaggregator.template;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Python's {@code str} and {@code repr}. Output is charged to the budget piece by piece before it is added. */
final class Repr {
    private final Budget budget;
    private final StringBuilder made = new StringBuilder();

    private Repr(Budget budget) {
        this.budget = budget;
    }

    /** Returns {@code str(value)}. */
    static String text(@Nullable Object value, Budget budget) {
        if (value instanceof String text) {
            return text;
        }
        return value instanceof Values.Undefined ? "" : repr(value, budget);
    }

    /** Returns {@code repr(value)}. */
    static String repr(@Nullable Object value, Budget budget) {
        Repr repr = new Repr(budget);
        repr.add(value);
        return repr.made.toString();
    }

    private void write(String text) {
        budget.make(text.length());
        made.append(text);
    }

    private void add(@Nullable Object value) {
        budget.step();
        if (value == null) {
            write("None");
        } else if (value instanceof Boolean flag) {
            write(flag ? "True" : "False");
        } else if (value instanceof Double number) {
            write(PyJson.real(number));
        } else if (value instanceof Number) {
            write(value.toString());
        } else if (value instanceof String text) {
            quote(text);
        } else if (value instanceof Values.View view) {
            addView(view);
        } else if (value instanceof List<?> list) {
            boolean tuple = list instanceof Values.Tuple;
            addList(list, tuple ? "(" : "[", tuple ? (list.size() == 1 ? ",)" : ")") : "]");
        } else if (value instanceof Map<?, ?> map) {
            addMap(map);
        } else {
            write(value instanceof Values.Undefined ? "Undefined" : "<" + Values.typeName(value) + ">");
        }
    }

    private void addView(Values.View view) {
        if (view.shown == null) {
            addList(view, view.type + "([", "])");
        } else {
            write(view.shown);
        }
    }

    private void addList(List<?> list, String open, String close) {
        write(open);
        String separator = "";
        for (Object element : list) {
            write(separator);
            add(element);
            separator = ", ";
        }
        write(close);
    }

    private void addMap(Map<?, ?> map) {
        write("{");
        String separator = "";
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            write(separator);
            add(entry.getKey());
            write(": ");
            add(entry.getValue());
            separator = ", ";
        }
        write("}");
    }

    private void quote(String text) {
        budget.make(text.length() + 2L);
        char quote = text.indexOf('\'') >= 0 && text.indexOf('"') < 0 ? '"' : '\'';
        made.append(quote);
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            int c = text.codePointAt(i);
            switch (c) {
                case '\n' -> write("\\n");
                case '\r' -> write("\\r");
                case '\t' -> write("\\t");
                case '\\' -> write("\\\\");
                default -> {
                    if (c == quote) {
                        write("\\" + quote);
                    } else if (isPrintable(c)) {
                        made.appendCodePoint(c);
                    } else {
                        write(String.format(
                                Locale.ROOT, c < 0x100 ? "\\x%02x" : c < 0x10000 ? "\\u%04x" : "\\U%08x", c));
                    }
                }
            }
        }
        made.append(quote);
    }

    private static boolean isPrintable(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            case Character.SPACE_SEPARATOR -> c == ' ';
            default -> true;
        };
    }
}
