package io.metricsaggregator.template;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Python's equality, order and membership. A list may contain another list many times, so its number of elements can be far larger than
 * its memory suggests: each visited element is charged as a step.
 */
final class Comparison {
    private Comparison() {}

    static boolean equal(@Nullable Object a, @Nullable Object b, Budget budget) {
        budget.step();
        if (Values.isNumber(a) && Values.isNumber(b)) {
            return (a instanceof Double || b instanceof Double)
                    ? (Values.real(a) == Values.real(b))
                    : (Values.integer(a) == Values.integer(b));
        }
        if (a == b) {
            return true;
        }
        if (a instanceof String x && b instanceof String y) {
            budget.read(x.length() == y.length() ? x.length() : 1);
            return x.equals(y);
        }
        if (a instanceof List<?> x && b instanceof List<?> y) {
            return Values.typeName(x).equals(Values.typeName(y)) && equalElements(x, y, budget);
        }
        if (a instanceof Map<?, ?> x && b instanceof Map<?, ?> y) {
            return equalEntries(x, y, budget);
        }
        // Two undefined values are equal; any other type has identity semantics here.
        return a instanceof Values.Undefined && b instanceof Values.Undefined;
    }

    private static boolean equalElements(List<?> x, List<?> y, Budget budget) {
        if (x.size() != y.size()) {
            return false;
        }
        for (int i = 0; i < x.size(); i++) {
            if (!equal(x.get(i), y.get(i), budget)) {
                return false;
            }
        }
        return true;
    }

    private static boolean equalEntries(Map<?, ?> x, Map<?, ?> y, Budget budget) {
        if (x.size() != y.size()) {
            return false;
        }
        for (Map.Entry<?, ?> entry : x.entrySet()) {
            if (!hasKey(y, entry.getKey(), budget) || !equal(entry.getValue(), y.get(entry.getKey()), budget)) {
                return false;
            }
        }
        return true;
    }

    static int compare(@Nullable Object a, @Nullable Object b, Budget budget) {
        budget.step();
        if (Values.isNumber(a) && Values.isNumber(b)) {
            return a instanceof Double || b instanceof Double
                    ? Double.compare(Values.real(a), Values.real(b))
                    : Long.compare(Values.integer(a), Values.integer(b));
        }
        if (a instanceof String x && b instanceof String y) {
            return compareText(x, y, budget);
        }
        if (a instanceof List<?> x && b instanceof List<?> y) {
            for (int i = 0; i < Math.min(x.size(), y.size()); i++) {
                if (!equal(x.get(i), y.get(i), budget)) {
                    return compare(x.get(i), y.get(i), budget);
                }
            }
            return Integer.compare(x.size(), y.size());
        }
        throw new TemplateException("cannot order " + Values.typeName(a) + " and " + Values.typeName(b));
    }

    /** Compares by code points, an order that differs from that of UTF-16 for characters beyond the basic plane. */
    private static int compareText(String x, String y, Budget budget) {
        int common = Math.min(x.length(), y.length());
        budget.read(common);
        for (int i = 0; i < common; i++) {
            char a = x.charAt(i);
            char b = y.charAt(i);
            if (a != b) {
                boolean oneIsSurrogate = Character.isSurrogate(a) != Character.isSurrogate(b);
                return oneIsSurrogate ? (Character.isSurrogate(a) ? 1 : -1) : Character.compare(a, b);
            }
        }
        return Integer.compare(x.length(), y.length());
    }

    /** Evaluates {@code value in container}. */
    static boolean contains(@Nullable Object container, @Nullable Object value, Budget budget) {
        if (container instanceof String text) {
            if (!(value instanceof String part)) {
                throw new TemplateException(
                        "'in <string>' requires a string as left operand, not " + Values.typeName(value));
            }
            return TextSearch.find(text, part, budget) >= 0;
        }
        if (container instanceof Map<?, ?> map) {
            return hasKey(map, value, budget);
        }
        List<?> elements = container instanceof List<?> list ? list : Values.elements(container, budget);
        for (Object element : elements) {
            if (equal(element, value, budget)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns whether a map contains a key.
     *
     * @throws TemplateException if the value is not hashable
     */
    static boolean hasKey(Map<?, ?> map, @Nullable Object key, Budget budget) {
        requireKey(key, budget);
        if (key instanceof Values.Tuple) {
            // An attacker can construct tuples whose hashes collide.
            budget.steps(map.size());
        }
        return map.containsKey(key);
    }

    /** Charges for hashing a key; throws {@link TemplateException} for an unhashable value. */
    static void requireKey(@Nullable Object key, Budget budget) {
        budget.step();
        if (key instanceof Values.Tuple tuple) {
            for (Object element : tuple) {
                requireKey(element, budget);
            }
        } else if (key instanceof List || key instanceof Map) {
            throw new TemplateException(Values.typeName(key) + " cannot be a key");
        }
    }
}
