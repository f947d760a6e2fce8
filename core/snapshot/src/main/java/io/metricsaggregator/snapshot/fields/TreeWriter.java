package io.metricsaggregator.snapshot.fields;

import io.metricsaggregator.codec.LazyTree;
import io.metricsaggregator.codec.MalformedMessageException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Writes records as trees of maps, lists, texts and numbers. Elements of arrays are made each time they are read. */
public final class TreeWriter implements Writing {
    private final Map<String, @Nullable Object> map = new LinkedHashMap<>();

    private TreeWriter() {}

    /** The tree of a record. */
    public static <T> Map<String, @Nullable Object> tree(T value, Shape<T> shape) {
        TreeWriter writer = new TreeWriter();
        try {
            shape.pass(writer, value);
        } catch (MalformedMessageException e) {
            throw new IllegalStateException("a writer reads nothing", e);
        }
        return writer.map;
    }

    @Override
    public void derived(String key, @Nullable Object tree) {
        map.put(key, tree);
    }

    @Override
    public void derivedMap(String key, Body body) {
        map.put(key, tree(body, (fields, each) -> {
            each.pass(fields);
            return each;
        }));
    }

    @Override
    public long count(String key, long value) {
        map.put(key, value);
        return value;
    }

    @Override
    public @Nullable Long maybeCount(String key, @Nullable Long value) {
        map.put(key, value);
        return value;
    }

    @Override
    public double real(String key, double value) {
        map.put(key, value);
        return value;
    }

    @Override
    public @Nullable Double maybeReal(String key, @Nullable Double value) {
        map.put(key, Forms.finite(value));
        return value;
    }

    @Override
    public boolean flag(String key, boolean value) {
        map.put(key, value);
        return value;
    }

    @Override
    public String text(String key, String value) {
        map.put(key, value);
        return value;
    }

    @Override
    public byte @Nullable [] maybeBytes(String key, byte @Nullable [] value) {
        map.put(key, value);
        return value;
    }

    @Override
    public <T> T record(String key, T value, Shape<T> shape, T blank) {
        map.put(key, tree(value, shape));
        return value;
    }

    @Override
    public <T> @Nullable T maybe(String key, @Nullable T value, Shape<T> shape, T blank) {
        map.put(key, value == null ? null : tree(value, shape));
        return value;
    }

    @Override
    public <T> List<T> list(String key, List<T> values, Shape<T> shape, T blank) {
        map.put(key, LazyTree.list(values, each -> tree(each, shape)));
        return values;
    }

    @Override
    public <T> List<T> byName(
            String key, List<T> values, Function<T, String> name, Function<String, T> blank, Shape<T> shape) {
        Map<String, @Nullable Object> rows = new LinkedHashMap<>();
        values.forEach(each -> rows.put(name.apply(each), tree(each, shape)));
        map.put(key, rows);
        return values;
    }

    @Override
    public <T> List<T> entries(List<T> values, Function<T, String> name, Function<String, T> blank, Shape<T> shape) {
        values.forEach(each -> map.put(name.apply(each), tree(each, shape)));
        return values;
    }

    @Override
    public <T> Map<String, T> absentMap(String key, Map<String, T> values, Shape<T> shape, T blank) {
        if (!values.isEmpty()) {
            map.put(key, LazyTree.map(values, (name, each) -> tree(each, shape)));
        }
        return values;
    }

    @Override
    public Map<String, long[]> columns(String key, Map<String, long[]> columns, long unknown) {
        map.put(key, LazyTree.map(columns, (name, column) -> {
            List<@Nullable Object> numbers = new ArrayList<>(column.length);
            for (long each : column) {
                numbers.add(each == unknown ? null : (Object) each);
            }
            return numbers;
        }));
        return columns;
    }

    @Override
    public Map<String, Double> absentReals(String key, Map<String, Double> values) {
        if (!values.isEmpty()) {
            map.put(key, values);
        }
        return values;
    }
}
