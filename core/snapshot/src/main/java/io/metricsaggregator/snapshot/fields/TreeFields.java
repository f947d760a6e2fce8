package io.metricsaggregator.snapshot.fields;

import io.metricsaggregator.codec.LazyTree;
import io.metricsaggregator.codec.MalformedMessageException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one map in a decoded tree, typed. An absent field and a null read alike, because older daemons lack fields; a field of another type is an error that names its path.
 */
public final class TreeFields {
    private final String path;
    private final Map<?, ?> fields;

    private TreeFields(String path, Map<?, ?> fields) {
        this.path = path;
        this.fields = fields;
    }

    /** Reads one element of a tree. */
    public interface Reader<T> {
        @Nullable
        T read(String path, @Nullable Object value) throws MalformedMessageException;
    }

    /**
     * The fields of a value that must be a map.
     *
     * @param path names the value in errors
     */
    public static TreeFields of(String path, @Nullable Object value) throws MalformedMessageException {
        if (value instanceof Map<?, ?> map) {
            return new TreeFields(path, map);
        }
        throw wrong(path, "a map", value);
    }

    private static MalformedMessageException wrong(String path, String wanted, @Nullable Object value) {
        String seen = value == null ? "nil" : value.getClass().getSimpleName();
        return new MalformedMessageException(path + " should be " + wanted + ", is " + seen);
    }

    private String path(String name) {
        return path + "." + name;
    }

    public boolean has(String name) {
        return fields.get(name) != null;
    }

    /** The names of the fields, in order. */
    public List<String> names() throws MalformedMessageException {
        List<String> names = new ArrayList<>(fields.size());
        for (Object name : fields.keySet()) {
            names.add(text(path, name));
        }
        return names;
    }

    @Nullable
    public Object value(String name) {
        return fields.get(name);
    }

    /** The fields of a nested map; empty if it is absent. */
    public TreeFields map(String name) throws MalformedMessageException {
        Object value = fields.get(name);
        return value == null ? new TreeFields(path(name), Map.of()) : of(path(name), value);
    }

    /** A whole number; 0 if it is absent. */
    public long integer(String name) throws MalformedMessageException {
        Long value = integerOrNull(name);
        return value == null ? 0 : value;
    }

    @Nullable
    public Long integerOrNull(String name) throws MalformedMessageException {
        Object value = fields.get(name);
        return value == null ? null : (Long) integer(path(name), value);
    }

    /** Adds a count of something rare; readers take 0 without it. */
    public static void putIfAny(Map<String, @Nullable Object> tree, String name, long count) {
        if (count > 0) {
            tree.put(name, count);
        }
    }

    /** A count that {@link #putIfAny} wrote; 0 without it. */
    public long integerOrZero(String name) throws MalformedMessageException {
        Long value = integerOrNull(name);
        return value == null ? 0 : value;
    }

    /** A 64-bit integer. */
    public static long integer(String path, @Nullable Object value) throws MalformedMessageException {
        if (value instanceof Long number) {
            return number;
        }
        throw wrong(path, "a 64-bit integer", value);
    }

    @Nullable
    public Double real(String name) throws MalformedMessageException {
        return real(path(name), fields.get(name));
    }

    /** A number; 0 if it is absent. */
    public double realOrZero(String name) throws MalformedMessageException {
        Double value = real(name);
        return value == null ? 0 : value;
    }

    /** A finite number; null for nil and NaN. */
    public static @Nullable Double real(String path, @Nullable Object value) throws MalformedMessageException {
        if (value == null) {
            return null;
        }
        if (!(value instanceof Double || value instanceof Long || value instanceof BigInteger)) {
            throw wrong(path, "a number", value);
        }
        double number = ((Number) value).doubleValue();
        if (!Double.isFinite(number)) {
            throw new MalformedMessageException(path + " is not finite");
        }
        return number;
    }

    @Nullable
    public String textOrNull(String name) throws MalformedMessageException {
        Object value = fields.get(name);
        return value == null ? null : text(path(name), value);
    }

    /** A whole number of a map by its name; an error if it is anything else. */
    public static Long wholeNumber(String path, @Nullable Object value) throws MalformedMessageException {
        return integer(path, value);
    }

    /** A boolean, a number or a string. */
    public static Object scalar(String path, @Nullable Object value) throws MalformedMessageException {
        if (value instanceof Boolean || value instanceof Number || value instanceof String) {
            return value;
        }
        throw wrong(path, "a boolean, a number or a string", value);
    }

    /** A string; empty if it is absent. */
    public String text(String name) throws MalformedMessageException {
        String value = textOrNull(name);
        return value == null ? "" : value;
    }

    /** A text. */
    public static String text(String path, @Nullable Object value) throws MalformedMessageException {
        if (value instanceof String text) {
            return text;
        }
        throw wrong(path, "a string", value);
    }

    /** A boolean; false if it is absent. */
    public boolean flag(String name) throws MalformedMessageException {
        Object value = fields.get(name);
        if (value == null || value instanceof Boolean) {
            return Boolean.TRUE.equals(value);
        }
        throw wrong(path(name), "a boolean", value);
    }

    /** Each element of a list; empty if the list is absent. */
    public <T extends @Nullable Object> List<T> list(String name, Reader<T> element) throws MalformedMessageException {
        Object value = fields.get(name);
        if (value != null && !(value instanceof List<?>)) {
            throw wrong(path(name), "an array", value);
        }
        List<T> read = new ArrayList<>();
        for (Object each : value == null ? List.of() : (List<?>) value) {
            read.add(element.read(path(name), each));
        }
        return Collections.unmodifiableList(read);
    }

    public List<String> texts(String name) throws MalformedMessageException {
        return list(name, TreeFields::text);
    }

    /** Numbers, null where nothing was measured. The list of the tree itself where it holds nothing else: tables are large. */
    public List<@Nullable Double> reals(String name) throws MalformedMessageException {
        if (fields.get(name) instanceof List<?> list && list.stream().allMatch(TreeFields::isRealOrNull)) {
            @SuppressWarnings("unchecked") // each element was checked
            List<@Nullable Double> reals = (List<@Nullable Double>) list;
            return Collections.unmodifiableList(reals);
        }
        return list(name, TreeFields::real);
    }

    private static boolean isRealOrNull(@Nullable Object value) {
        return value == null || (value instanceof Double number && Double.isFinite(number));
    }

    /** Each value of a map by its key, in order; empty if the map is absent. */
    public <T extends @Nullable Object> Map<String, T> byName(String name, Reader<T> value)
            throws MalformedMessageException {
        return map(name).byName(value);
    }

    /**
     * A view of a map that may have millions of entries: every value is read once, here, so that a wrong one is an error, and again each time
     * the view computes it. Null if the map is absent.
     */
    public <T> @Nullable Map<String, T> viewByName(String name, Reader<T> value) throws MalformedMessageException {
        if (!has(name)) {
            return null;
        }
        TreeFields rows = map(name);
        for (Map.Entry<?, ?> each : rows.fields.entrySet()) {
            value.read(rows.path(text(rows.path, each.getKey())), each.getValue());
        }
        return LazyTree.map(rows.fields, (key, each) -> {
            try {
                return value.read(rows.path(String.valueOf(key)), each);
            } catch (MalformedMessageException e) {
                throw new IllegalStateException("The tree was changed after it was read: " + e.getMessage(), e);
            }
        });
    }

    /** Each of these fields by its name, in order. */
    public <T extends @Nullable Object> Map<String, T> byName(Reader<T> value) throws MalformedMessageException {
        Map<String, T> read = new LinkedHashMap<>();
        for (Map.Entry<?, ?> each : fields.entrySet()) {
            String name = text(path, each.getKey());
            read.put(name, value.read(path(name), each.getValue()));
        }
        return Collections.unmodifiableMap(read);
    }

    /** The value itself where it is finite: sums of numbers that producers chose can overflow, and JSON has no word for the result. */
    public static @Nullable Double finite(@Nullable Double value) {
        return value != null && Double.isFinite(value) ? value : null;
    }
}
