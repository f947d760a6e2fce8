package io.metricsaggregator.template;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code json.dumps} as {@code tojson} of transformers calls it. Output is charged to the budget piece by piece before it is added. */
final class PyJson {
    private static final int DEPTH = 200;

    private final String itemSeparator;
    private final String keySeparator;
    private final @Nullable String indent;
    private final boolean sorted;
    private final boolean ascii;
    private final Budget budget;
    private final StringBuilder made = new StringBuilder();

    private PyJson(
            String itemSeparator,
            String keySeparator,
            @Nullable String indent,
            boolean sorted,
            boolean ascii,
            Budget budget) {
        this.itemSeparator = itemSeparator;
        this.keySeparator = keySeparator;
        this.indent = indent;
        this.sorted = sorted;
        this.ascii = ascii;
        this.budget = budget;
    }

    /**
     * Serialises a value.
     *
     * @param indent of each level; null for a single line
     * @param separators between items, and between key and value; null for Python's defaults
     * @throws TemplateException if a part of the value has no JSON form
     */
    static String dump(
            @Nullable Object value,
            @Nullable String indent,
            @Nullable List<?> separators,
            boolean sorted,
            boolean ascii,
            Budget budget) {
        String item = separators == null ? (indent == null ? ", " : ",") : (String) separators.get(0);
        String key = separators == null ? ": " : (String) separators.get(1);
        PyJson json = new PyJson(String.valueOf(item), String.valueOf(key), indent, sorted, ascii, budget);
        json.write(value, 0);
        return json.made.toString();
    }

    private void add(String text) {
        budget.make(text.length());
        made.append(text);
    }

    private void write(@Nullable Object value, int depth) {
        budget.step();
        if (depth > DEPTH) {
            throw new TemplateException("tojson: nested too deeply");
        }
        if (value == null) {
            add("null");
        } else if (value instanceof Double number) {
            add(number.isNaN() ? "NaN" : number.isInfinite() ? (number > 0 ? "Infinity" : "-Infinity") : real(number));
        } else if (value instanceof Boolean || value instanceof Number) {
            add(value.toString());
        } else if (value instanceof String text) {
            string(text);
        } else if (value instanceof List<?> list && !(value instanceof Values.View)) {
            container("[", "]", list.size(), depth, i -> write(list.get(i), depth + 1));
        } else if (value instanceof Map<?, ?> map) {
            writeMap(map, depth);
        } else {
            throw new TemplateException("tojson: " + Values.typeName(value) + " is not JSON serializable");
        }
    }

    private void writeMap(Map<?, ?> map, int depth) {
        budget.makeElements(map.size());
        List<Map.Entry<?, ?>> entries = new ArrayList<>(map.entrySet());
        if (sorted) {
            budget.steps(8L * entries.size());
            entries.sort(Comparator.comparing(entry -> key(entry.getKey())));
        }
        container("{", "}", entries.size(), depth, i -> {
            string(key(entries.get(i).getKey()));
            add(keySeparator);
            write(entries.get(i).getValue(), depth + 1);
        });
    }

    private static String key(@Nullable Object key) {
        if (key == null) {
            return "null";
        }
        if (key instanceof Boolean flag) {
            return flag ? "true" : "false";
        }
        if (key instanceof Double number) {
            return real(number);
        }
        if (key instanceof String || key instanceof Number) {
            return key.toString();
        }
        throw new TemplateException("tojson: keys must be strings or numbers, not " + Values.typeName(key));
    }

    private void container(String open, String close, int size, int depth, java.util.function.IntConsumer element) {
        add(open);
        for (int i = 0; i < size; i++) {
            add(i == 0 ? "" : itemSeparator);
            newLine(depth + 1);
            element.accept(i);
        }
        if (size > 0) {
            newLine(depth);
        }
        add(close);
    }

    private void newLine(int depth) {
        if (indent != null) {
            budget.make(1 + (long) indent.length() * depth);
            made.append('\n').append(indent.repeat(depth));
        }
    }

    private void string(String text) {
        budget.make(text.length() + 2L);
        made.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> add("\\\"");
                case '\\' -> add("\\\\");
                case '\n' -> add("\\n");
                case '\r' -> add("\\r");
                case '\t' -> add("\\t");
                case '\b' -> add("\\b");
                case '\f' -> add("\\f");
                default -> {
                    if (c < ' ' || (ascii && c > '~')) {
                        add(String.format(java.util.Locale.ROOT, "\\u%04x", (int) c));
                    } else {
                        made.append(c);
                    }
                }
            }
        }
        made.append('"');
    }

    /** Formats a double like Python's {@code repr}: plain digits between 1e-4 and 1e16, with an exponent outside. */
    static String real(double number) {
        if (Double.isNaN(number)) {
            return "nan";
        }
        if (Double.isInfinite(number)) {
            return number > 0 ? "inf" : "-inf";
        }
        if (number == 0) {
            return 1 / number < 0 ? "-0.0" : "0.0";
        }
        BigDecimal digits = new BigDecimal(Double.toString(number)).stripTrailingZeros();
        int exponent = digits.precision() - digits.scale() - 1;
        if (exponent >= -4 && exponent < 16) {
            String plain = digits.toPlainString();
            return plain.indexOf('.') < 0 ? plain + ".0" : plain;
        }
        String unscaled = digits.unscaledValue().abs().toString();
        String mantissa = unscaled.length() == 1 ? unscaled : unscaled.charAt(0) + "." + unscaled.substring(1);
        return (number < 0 ? "-" : "")
                + mantissa
                + (exponent < 0 ? "e-" : "e+")
                + (Math.abs(exponent) < 10 ? "0" : "")
                + Math.abs(exponent);
    }
}
