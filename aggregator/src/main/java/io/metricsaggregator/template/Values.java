package io.metricsaggregator.template;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What values of a template mean in Python: null is None, Boolean, Long and Double are its numbers, String its text, List and Map
 * its containers, and beside them what is defined here.
 */
final class Values {
    private Values() {}

    /** What a name stands for that nobody set. Prints as nothing, is false, and has no attributes. */
    record Undefined(String name) {}

    /** A list that prints in parentheses. */
    static final class Tuple extends AbstractList<@Nullable Object> {
        private final List<@Nullable Object> elements;

        Tuple(List<@Nullable Object> elements) {
            this.elements = elements;
        }

        @Override
        public @Nullable Object get(int index) {
            return elements.get(index);
        }

        @Override
        public int size() {
            return elements.size();
        }
    }

    /** What {@code namespace()} makes: its attributes may be set from inner scopes. */
    record Namespace(Map<String, @Nullable Object> attributes) {}

    /** Something that can be called. */
    interface Function {
        @Nullable
        Object call(List<@Nullable Object> arguments, Map<String, @Nullable Object> named);
    }

    /** Something with attributes of its own. */
    interface Attributes {
        @Nullable
        Object attribute(String name);
    }

    static boolean truth(@Nullable Object value) {
        if (value == null || value instanceof Undefined) {
            return false;
        }
        if (value instanceof Boolean flag) {
            return flag;
        }
        if (value instanceof Number number) {
            return number.doubleValue() != 0;
        }
        if (value instanceof String text) {
            return !text.isEmpty();
        }
        if (value instanceof List<?> list) {
            return !list.isEmpty();
        }
        return !(value instanceof Map<?, ?> map) || !map.isEmpty();
    }

    static boolean isNumber(@Nullable Object value) {
        return value instanceof Number || value instanceof Boolean;
    }

    static boolean isInteger(@Nullable Object value) {
        return value instanceof Long || value instanceof Boolean;
    }

    static long integer(@Nullable Object value) {
        if (value instanceof Boolean flag) {
            return flag ? 1 : 0;
        }
        if (value instanceof Long number) {
            return number;
        }
        throw new TemplateException(typeName(value) + " is not an integer");
    }

    static double real(@Nullable Object value) {
        return value instanceof Double number ? number : (double) integer(value);
    }

    static boolean equal(@Nullable Object a, @Nullable Object b) {
        if (isNumber(a) && isNumber(b)) {
            return (a instanceof Double || b instanceof Double) ? (real(a) == real(b)) : (integer(a) == integer(b));
        }
        if (a instanceof Undefined) {
            return b instanceof Undefined;
        }
        if (a instanceof List<?> x && b instanceof List<?> y) {
            if (x.size() != y.size() || (x instanceof Tuple) != (y instanceof Tuple)) {
                return false;
            }
            for (int i = 0; i < x.size(); i++) {
                if (!equal(x.get(i), y.get(i))) {
                    return false;
                }
            }
            return true;
        }
        if (a instanceof Map<?, ?> x && b instanceof Map<?, ?> y) {
            return x.size() == y.size()
                    && x.entrySet().stream()
                            .allMatch(entry ->
                                    y.containsKey(entry.getKey()) && equal(entry.getValue(), y.get(entry.getKey())));
        }
        return Objects.equals(a, b);
    }

    static int compare(@Nullable Object a, @Nullable Object b) {
        if (isNumber(a) && isNumber(b)) {
            return a instanceof Double || b instanceof Double
                    ? Double.compare(real(a), real(b))
                    : Long.compare(integer(a), integer(b));
        }
        if (a instanceof String x && b instanceof String y) {
            return compareText(x, y);
        }
        if (a instanceof List<?> x && b instanceof List<?> y) {
            for (int i = 0; i < Math.min(x.size(), y.size()); i++) {
                if (!equal(x.get(i), y.get(i))) {
                    return compare(x.get(i), y.get(i));
                }
            }
            return Integer.compare(x.size(), y.size());
        }
        throw new TemplateException(typeName(a) + " and " + typeName(b) + " have no order");
    }

    /** By code points. */
    private static int compareText(String a, String b) {
        int[] x = a.codePoints().toArray();
        int[] y = b.codePoints().toArray();
        return java.util.Arrays.compare(x, y);
    }

    static boolean contains(@Nullable Object container, @Nullable Object value) {
        if (container instanceof String text) {
            if (!(value instanceof String part)) {
                throw new TemplateException("'in' a string takes a string, not " + typeName(value));
            }
            return text.contains(part);
        }
        if (container instanceof Map<?, ?> map) {
            return map.containsKey(value);
        }
        if (container instanceof Undefined) {
            return false;
        }
        return elements(container).stream().anyMatch(element -> equal(element, value));
    }

    /** What a loop goes through. */
    static List<@Nullable Object> elements(@Nullable Object value) {
        List<@Nullable Object> elements = new ArrayList<>();
        if (value instanceof List<?> list) {
            elements.addAll(list);
        } else if (value instanceof Map<?, ?> map) {
            elements.addAll(map.keySet());
        } else if (value instanceof String text) {
            text.codePoints().forEach(c -> elements.add(Character.toString(c)));
        } else if (!(value instanceof Undefined)) {
            throw new TemplateException(typeName(value) + " cannot be gone through");
        }
        return elements;
    }

    static long length(@Nullable Object value) {
        if (value instanceof String text) {
            return text.codePointCount(0, text.length());
        }
        if (value instanceof List<?> list) {
            return list.size();
        }
        if (value instanceof Map<?, ?> map) {
            return map.size();
        }
        if (value instanceof Undefined) {
            return 0;
        }
        throw new TemplateException(typeName(value) + " has no length");
    }

    /** {@code str(value)}. */
    static String text(@Nullable Object value) {
        if (value instanceof String text) {
            return text;
        }
        return value instanceof Undefined ? "" : repr(value);
    }

    /** {@code repr(value)}. */
    static String repr(@Nullable Object value) {
        if (value == null) {
            return "None";
        }
        if (value instanceof Boolean flag) {
            return flag ? "True" : "False";
        }
        if (value instanceof Double number) {
            return PyJson.real(number);
        }
        if (value instanceof String text) {
            return quoted(text);
        }
        StringBuilder made = new StringBuilder();
        if (value instanceof List<?> list) {
            boolean tuple = list instanceof Tuple;
            made.append(tuple ? '(' : '[');
            for (int i = 0; i < list.size(); i++) {
                made.append(i == 0 ? "" : ", ").append(repr(list.get(i)));
            }
            return made.append(tuple && list.size() == 1 ? ",)" : tuple ? ")" : "]")
                    .toString();
        }
        if (value instanceof Map<?, ?> map) {
            made.append('{');
            map.forEach((key, each) -> made.append(made.length() == 1 ? "" : ", ")
                    .append(repr(key))
                    .append(": ")
                    .append(repr(each)));
            return made.append('}').toString();
        }
        if (value instanceof Undefined) {
            return "Undefined";
        }
        return value instanceof Number ? value.toString() : "<" + typeName(value) + ">";
    }

    private static String quoted(String text) {
        char quote = text.indexOf('\'') >= 0 && text.indexOf('"') < 0 ? '"' : '\'';
        StringBuilder made = new StringBuilder().append(quote);
        text.codePoints().forEach(c -> {
            switch (c) {
                case '\n' -> made.append("\\n");
                case '\r' -> made.append("\\r");
                case '\t' -> made.append("\\t");
                case '\\' -> made.append("\\\\");
                default -> {
                    if (c == quote) {
                        made.append('\\').append(quote);
                    } else if (c < ' ' || (c >= 0x7f && c < 0xa0)) {
                        made.append(String.format(java.util.Locale.ROOT, "\\x%02x", c));
                    } else {
                        made.appendCodePoint(c);
                    }
                }
            }
        });
        return made.append(quote).toString();
    }

    static String typeName(@Nullable Object value) {
        if (value == null) {
            return "None";
        }
        if (value instanceof Undefined undefined) {
            return "'" + undefined.name() + "', which is undefined,";
        }
        return value instanceof String
                ? "str"
                : value instanceof Boolean
                        ? "bool"
                        : value instanceof Long
                                ? "int"
                                : value instanceof Double
                                        ? "float"
                                        : value instanceof Tuple
                                                ? "tuple"
                                                : value instanceof List
                                                        ? "list"
                                                        : value instanceof Map ? "dict" : "object";
    }

    /** A copy that may be changed. */
    static Map<Object, @Nullable Object> copy(Map<?, ?> map) {
        return new LinkedHashMap<>(map);
    }
}
