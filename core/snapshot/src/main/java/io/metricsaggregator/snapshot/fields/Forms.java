package io.metricsaggregator.snapshot.fields;

import io.metricsaggregator.codec.LazyTree;
import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields.Form;
import io.metricsaggregator.snapshot.fields.Fields.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Forms of maps, columns and single values. Trees that are written are views of the values, so that a million rows take no memory. */
public final class Forms {
    /** An integer. */
    public static final Form<Long> INTEGER = of(value -> value, TreeValues::integer);

    /** A text. */
    public static final Form<String> TEXT = of(value -> value, TreeValues::text);

    /** A finite number. */
    public static final Form<Double> NUMBER = of(value -> value, TreeValues::real);

    /** A number, nil if it is unknown or not finite. */
    public static final Form<Double> REAL = of(Forms::finite, Forms::real);

    /** A number; one that is not finite is a text, because JSON has no word for it. */
    public static final Form<Double> ANY_NUMBER =
            of(value -> Double.isFinite(value) ? (Object) value : Double.toString(value), Forms::anyNumber);

    /** A boolean, a number or a text; an empty text where it is missing. */
    public static final Form<Object> SCALAR = of(value -> value, Forms::scalar);

    /** A map of whatever a tree holds. */
    public static final Form<Map<String, @Nullable Object>> ANYTHING = of(value -> value, (path, tree) -> {
        Map<String, @Nullable Object> read = new LinkedHashMap<>();
        for (Map.Entry<?, ?> each : TreeValues.map(path, tree).entrySet()) {
            read.put(TreeValues.text(path, each.getKey()), each.getValue());
        }
        return read;
    });

    /** Numbers, null where nothing was measured. */
    public static final Form<List<@Nullable Double>> COLUMN =
            of(values -> LazyTree.list(values, Forms::finite), Forms::column);

    private Forms() {}

    /** Reads a value from its tree. */
    public interface Reader<T> {
        /** Reads the value; see {@link Form#read}. */
        @Nullable
        T read(String path, @Nullable Object tree) throws MalformedMessageException;
    }

    /** A form of its own. */
    public static <T> Form<T> of(Function<T, @Nullable Object> write, Reader<T> read) {
        return new Form<>() {
            @Override
            public @Nullable Object tree(T value) {
                return write.apply(value);
            }

            @Override
            public @Nullable T read(String path, @Nullable Object tree) throws MalformedMessageException {
                return read.read(path, tree);
            }
        };
    }

    /** The form of a record. */
    public static <T> Form<T> record(Shape<T> shape, T blank) {
        return of(value -> TreeWriter.tree(value, shape), (path, tree) -> TreeReader.read(path, tree, shape, blank));
    }

    /** Records by name. */
    public static <T> Form<Map<String, T>> map(Shape<T> shape, T blank) {
        return map(record(shape, blank));
    }

    /** Values by name; empty where the map is missing. */
    public static <T> Form<Map<String, T>> map(Form<T> value) {
        return of(values -> LazyTree.map(values, (name, each) -> value.tree(each)), (path, tree) -> {
            Map<String, T> read = new LinkedHashMap<>();
            for (Map.Entry<?, ?> each : entries(path, tree).entrySet()) {
                String name = TreeValues.text(path, each.getKey());
                read.put(name, value.read(path + "." + name, each.getValue()));
            }
            return Collections.unmodifiableMap(read);
        });
    }

    /** As {@link #map}, of maybe millions of records: each is read once, so that a wrong one is an error, and again each time it is asked for. */
    public static <T> Form<Map<String, T>> view(Shape<T> shape, T blank) {
        Form<T> row = record(shape, blank);
        return of(values -> LazyTree.map(values, (name, each) -> row.tree(each)), (path, tree) -> {
            Map<?, ?> entries = entries(path, tree);
            for (Map.Entry<?, ?> each : entries.entrySet()) {
                row.read(path + "." + TreeValues.text(path, each.getKey()), each.getValue());
            }
            return LazyTree.map(entries, (name, each) -> {
                try {
                    return row.read(path + "." + name, each);
                } catch (MalformedMessageException e) {
                    throw new IllegalStateException("the tree was changed after it was read: " + e.getMessage(), e);
                }
            });
        });
    }

    /** Keys that are the names themselves. */
    public static Fields.Keys keys(BiPredicate<String, @Nullable Object> which) {
        return new Fields.Keys() {
            @Override
            public String key(String name) {
                return name;
            }

            @Override
            public @Nullable String name(String key, @Nullable Object tree) {
                return which.test(key, tree) ? key : null;
            }
        };
    }

    private static Map<?, ?> entries(String path, @Nullable Object tree) throws MalformedMessageException {
        return tree == null ? Map.of() : TreeValues.map(path, tree);
    }

    /** An array; empty where it is missing. */
    public static <T> Form<List<T>> list(Form<T> element) {
        return of(values -> LazyTree.list(values, element::tree), (path, tree) -> elements(path, tree, element));
    }

    private static <T> List<T> elements(String path, @Nullable Object tree, Form<T> element)
            throws MalformedMessageException {
        List<T> read = new ArrayList<>();
        for (Object each : tree == null ? List.of() : TreeValues.list(path, tree)) {
            read.add(element.read(path, each));
        }
        return Collections.unmodifiableList(read);
    }

    /** The value itself where it is finite. */
    static @Nullable Double finite(@Nullable Double value) {
        return value != null && Double.isFinite(value) ? value : null;
    }

    private static @Nullable Double real(String path, @Nullable Object tree) throws MalformedMessageException {
        return tree == null ? null : (Double) TreeValues.real(path, tree);
    }

    /** The tree's own list where it holds nothing else: tables are large. */
    private static List<@Nullable Double> column(String path, @Nullable Object tree) throws MalformedMessageException {
        if (tree instanceof List<?> list && list.stream().allMatch(Forms::isRealOrNull)) {
            @SuppressWarnings("unchecked") // each element was checked
            List<@Nullable Double> reals = (List<@Nullable Double>) list;
            return Collections.unmodifiableList(reals);
        }
        return elements(path, tree, REAL);
    }

    private static boolean isRealOrNull(@Nullable Object value) {
        return value == null || (value instanceof Double number && Double.isFinite(number));
    }

    private static Object scalar(String path, @Nullable Object tree) throws MalformedMessageException {
        if (tree == null || tree instanceof Boolean || tree instanceof Number || tree instanceof String) {
            return tree == null ? "" : tree;
        }
        throw TreeValues.wrong(path, "a boolean, a number or a string", tree);
    }

    /** Reads {@link #ANY_NUMBER}. */
    public static double anyNumber(String path, @Nullable Object tree) throws MalformedMessageException {
        if (!(tree instanceof String word)) {
            return TreeValues.real(path, tree);
        }
        return switch (word) {
            case "NaN" -> Double.NaN;
            case "Infinity" -> Double.POSITIVE_INFINITY;
            case "-Infinity" -> Double.NEGATIVE_INFINITY;
            default -> throw new MalformedMessageException(path + " should be a number, is \"" + word + "\"");
        };
    }
}
