package io.metricsaggregator.template;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code json.dumps} with {@code ensure_ascii=False}, as transformers' {@code tojson} has it. */
final class PyJson {
    private final String itemSeparator;
    private final String keySeparator;
    private final @Nullable String indent;
    private final boolean sorted;
    private final boolean ascii;
    private final StringBuilder made = new StringBuilder();

    private PyJson(String itemSeparator, String keySeparator, @Nullable String indent, boolean sorted, boolean ascii) {
        this.itemSeparator = itemSeparator;
        this.keySeparator = keySeparator;
        this.indent = indent;
        this.sorted = sorted;
        this.ascii = ascii;
    }

    /**
     * Renders a value.
     *
     * @param indent spaces for each level; negative for one line
     * @param separators between items, and between key and value; null for Python's defaults
     */
    static String dump(
            @Nullable Object value, long indent, @Nullable List<?> separators, boolean sorted, boolean ascii) {
        String item = separators == null ? (indent >= 0 ? "," : ", ") : (String) separators.get(0);
        String key = separators == null ? ": " : (String) separators.get(1);
        String step = indent < 0 ? null : " ".repeat((int) Math.min(indent, 64));
        PyJson json = new PyJson(String.valueOf(item), String.valueOf(key), step, sorted, ascii);
        json.write(value, 0);
        return json.made.toString();
    }

    private void write(@Nullable Object value, int depth) {
        if (depth > 200) {
            throw new TemplateException("tojson: nested too deep");
        }
        if (value == null) {
            made.append("null");
        } else if (value instanceof Boolean || value instanceof Long || value instanceof java.math.BigInteger) {
            made.append(value);
        } else if (value instanceof Double number) {
            made.append(real(number));
        } else if (value instanceof String text) {
            string(text);
        } else if (value instanceof List<?> list) {
            container('[', ']', list.size(), depth, i -> write(list.get(i), depth + 1));
        } else if (value instanceof Map<?, ?> map) {
            List<Map.Entry<?, ?>> entries = new ArrayList<>(map.entrySet());
            if (sorted) {
                entries.sort(Comparator.comparing(entry -> String.valueOf(entry.getKey())));
            }
            container('{', '}', entries.size(), depth, i -> {
                string(key(entries.get(i).getKey()));
                made.append(keySeparator);
                write(entries.get(i).getValue(), depth + 1);
            });
        } else {
            throw new TemplateException("tojson: " + Values.typeName(value) + " has no JSON form");
        }
    }

    private static String key(@Nullable Object key) {
        return key == null ? "null" : key instanceof Boolean flag ? (flag ? "true" : "false") : Values.text(key);
    }

    private void container(char open, char close, int size, int depth, java.util.function.IntConsumer element) {
        made.append(open);
        for (int i = 0; i < size; i++) {
            made.append(i == 0 ? "" : itemSeparator);
            newLine(depth + 1);
            element.accept(i);
        }
        if (size > 0) {
            newLine(depth);
        }
        made.append(close);
    }

    private void newLine(int depth) {
        if (indent != null) {
            made.append('\n').append(indent.repeat(depth));
        }
    }

    private void string(String text) {
        made.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> made.append("\\\"");
                case '\\' -> made.append("\\\\");
                case '\n' -> made.append("\\n");
                case '\r' -> made.append("\\r");
                case '\t' -> made.append("\\t");
                case '\b' -> made.append("\\b");
                case '\f' -> made.append("\\f");
                default -> {
                    if (c < ' ' || (ascii && c > '~')) {
                        made.append(String.format(java.util.Locale.ROOT, "\\u%04x", (int) c));
                    } else {
                        made.append(c);
                    }
                }
            }
        }
        made.append('"');
    }

    /** {@code repr} of a float: plain digits between 1e-4 and 1e16, an exponent beyond. */
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
