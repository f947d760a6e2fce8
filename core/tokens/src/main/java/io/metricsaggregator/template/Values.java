package io.metricsaggregator.template;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The types of a template's values, as in Python: null is None; Boolean, Long and Double are numbers; String is text; List and Map are
 * containers; the classes below cover the rest. Values are immutable, except {@link Namespace} and {@link Generator}.
 */
final class Values {
    private Values() {}

    /** The value of an undefined variable. Prints as an empty string, is false, and has no attributes. */
    record Undefined(String name) {}

    /** A list that prints in parentheses and is hashable. */
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

    /** A range, or the items, keys or values of a dictionary: iterable and countable, but without a JSON form. */
    static final class View extends AbstractList<@Nullable Object> {
        /** Python's name of the type. */
        final String type;
        /** The printed form; null to print the type name with the elements. */
        final @Nullable String shown;

        private final List<@Nullable Object> elements;

        View(String type, @Nullable String shown, List<@Nullable Object> elements) {
            this.type = type;
            this.shown = shown;
            this.elements = elements;
        }

        /** Whether elements are accessible by index, as those of a range are. */
        boolean isIndexed() {
            return shown != null;
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

    /** The result of a filter such as {@code map} or {@code select}: can be iterated once, is true, and has no length. */
    static final class Generator {
        private List<@Nullable Object> rest;

        Generator(List<@Nullable Object> elements) {
            this.rest = elements;
        }

        /** Returns the remaining elements and exhausts the generator. */
        List<@Nullable Object> takeAll() {
            List<@Nullable Object> taken = rest;
            rest = new ArrayList<>();
            return taken;
        }

        /** Returns the next element; undefined when the generator is exhausted. */
        @Nullable
        Object takeFirst() {
            if (rest.isEmpty()) {
                return new Undefined("first");
            }
            Object first = rest.get(0);
            rest = rest.subList(1, rest.size());
            return first;
        }
    }

    /** A string from {@code safe} or {@code escape}: plain strings concatenated to it are escaped. Otherwise treated as a String. */
    record Markup(String text) {}

    /** Returns a value without its {@link Markup} wrapper. */
    static @Nullable Object plain(@Nullable Object value) {
        return value instanceof Markup markup ? markup.text() : value;
    }

    /** The result of {@code namespace()}: inner scopes may set its attributes. */
    static final class Namespace {
        private final Map<String, @Nullable Object> attributes;

        Namespace(Map<String, @Nullable Object> attributes) {
            this.attributes = attributes;
        }

        Map<String, @Nullable Object> attributes() {
            return attributes;
        }
    }

    /** A callable value. */
    interface Function {
        @Nullable
        Object call(List<@Nullable Object> arguments, Map<String, @Nullable Object> named);
    }

    /** A value that computes its own attributes. */
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

    /** Returns the elements that a loop iterates, as a new list. */
    static List<@Nullable Object> elements(@Nullable Object value, Budget budget) {
        if (value instanceof Generator generator) {
            return generator.takeAll();
        }
        List<@Nullable Object> elements = new ArrayList<>();
        if (value instanceof List<?> list) {
            budget.makeElements(list.size());
            elements.addAll(list);
        } else if (value instanceof Map<?, ?> map) {
            budget.makeElements(map.size());
            elements.addAll(map.keySet());
        } else if (value instanceof String text) {
            budget.makeElements(text.length());
            text.codePoints().forEach(c -> elements.add(Character.toString(c)));
        } else if (!(value instanceof Undefined)) {
            throw new TemplateException(typeName(value) + " is not iterable");
        }
        return elements;
    }

    static long length(@Nullable Object value, Budget budget) {
        if (value instanceof String text) {
            budget.read(text.length());
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

    static String typeName(@Nullable Object value) {
        if (value == null) {
            return "None";
        }
        if (value instanceof Undefined undefined) {
            return "'" + undefined.name() + "', which is undefined,";
        }
        if (value instanceof View view) {
            return view.type;
        }
        if (value instanceof String) {
            return "str";
        }
        if (isNumber(value)) {
            return value instanceof Boolean ? "bool" : value instanceof Double ? "float" : "int";
        }
        if (value instanceof List) {
            return value instanceof Tuple ? "tuple" : "list";
        }
        return value instanceof Map ? "dict" : value instanceof Generator ? "generator" : "object";
    }
}
