package io.metricsaggregator.snapshot.fields;

import io.metricsaggregator.codec.MalformedMessageException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads records from decoded trees, those of JSON and of msgpack. An error names the field by its path, as in {@code by_label.model.values}. */
public final class TreeReader implements Reading {
    private static final Map<?, ?> NOTHING = Map.of();

    /** Keys on the way to the map that is read. */
    private String[] path = new String[8];

    private int depth;
    private Map<?, ?> map = NOTHING;

    private TreeReader() {}

    /**
     * Reads a record.
     *
     * @param path where the tree was found, for errors
     */
    public static <T> T read(String path, @Nullable Object tree, Shape<T> shape, T blank)
            throws MalformedMessageException {
        return new TreeReader().from(path, tree, shape, blank);
    }

    /** As {@link #read}; null for nil. */
    public static <T> @Nullable T readMaybe(String path, @Nullable Object tree, Shape<T> shape, T blank)
            throws MalformedMessageException {
        return tree == null ? null : read(path, tree, shape, blank);
    }

    /** Reads an array of records. */
    public static <T> List<T> readList(String path, @Nullable Object tree, Shape<T> shape, T blank)
            throws MalformedMessageException {
        return new TreeReader().records(path, tree, shape, blank);
    }

    private <T> T from(String key, @Nullable Object tree, Shape<T> shape, T blank) throws MalformedMessageException {
        Map<?, ?> outer = map;
        map = tree instanceof Map<?, ?> found ? found : TreeValues.map(at(key), tree);
        enter(key);
        T value = shape.pass(this, blank);
        depth--;
        map = outer;
        return value;
    }

    private void enter(String key) {
        if (depth == path.length) {
            path = Arrays.copyOf(path, 2 * depth);
        }
        path[depth++] = key;
    }

    private <T> List<T> records(String key, @Nullable Object tree, Shape<T> shape, T blank)
            throws MalformedMessageException {
        List<?> elements = tree instanceof List<?> list ? list : TreeValues.list(at(key), tree);
        List<T> records = new ArrayList<>(elements.size());
        for (Object each : elements) {
            records.add(from(key, each, shape, blank));
        }
        return records;
    }

    /** The path of a key. */
    private String at(Object key) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < depth; i++) {
            text.append(path[i]).append('.');
        }
        return text.append(key).toString();
    }

    @Override
    public long count(String key, long value) throws MalformedMessageException {
        Object found = map.get(key);
        return found instanceof Long number ? number : TreeValues.integer(at(key), found);
    }

    @Override
    public long laterCount(String key, long value) throws MalformedMessageException {
        return map.get(key) == null ? 0 : count(key, value);
    }

    @Override
    public @Nullable Long maybeCount(String key, @Nullable Long value) throws MalformedMessageException {
        return map.get(key) == null ? null : (Long) count(key, 0);
    }

    @Override
    public double real(String key, double value) throws MalformedMessageException {
        return number(key, map.get(key));
    }

    private double number(String key, @Nullable Object found) throws MalformedMessageException {
        return found instanceof Double number && Double.isFinite(number) ? number : TreeValues.real(at(key), found);
    }

    @Override
    public @Nullable Double maybeReal(String key, @Nullable Double value) throws MalformedMessageException {
        return map.get(key) == null ? null : (Double) real(key, 0);
    }

    @Override
    public boolean flag(String key, boolean value) throws MalformedMessageException {
        Object found = map.get(key);
        return found instanceof Boolean flag ? flag : TreeValues.flag(at(key), found);
    }

    @Override
    public String text(String key, String value) throws MalformedMessageException {
        Object found = map.get(key);
        return found instanceof String text ? text : TreeValues.text(at(key), found);
    }

    @Override
    public <E> E word(String key, E value, List<E> all, Function<E, String> name) throws MalformedMessageException {
        return word(key, all, name);
    }

    private <E> E word(String key, List<E> all, Function<E, String> name) throws MalformedMessageException {
        String word = text(key, "");
        for (E each : all) {
            if (name.apply(each).equals(word)) {
                return each;
            }
        }
        throw new MalformedMessageException(at(key) + " is " + word);
    }

    @Override
    public byte @Nullable [] maybeBytes(String key, byte @Nullable [] value) throws MalformedMessageException {
        Object found = map.get(key);
        if (found == null || found instanceof byte[]) {
            return (byte[]) found;
        }
        try {
            return Base64.getDecoder().decode(TreeValues.text(at(key), found));
        } catch (IllegalArgumentException e) {
            throw new MalformedMessageException(at(key) + " is not base64");
        }
    }

    @Override
    public <T> T record(String key, T value, Shape<T> shape, T blank) throws MalformedMessageException {
        return from(key, map.get(key), shape, blank);
    }

    @Override
    public <T> @Nullable T maybe(String key, @Nullable T value, Shape<T> shape, T blank)
            throws MalformedMessageException {
        Object found = map.get(key);
        return found == null ? null : from(key, found, shape, blank);
    }

    @Override
    public <T> List<T> list(String key, List<T> values, Shape<T> shape, T blank) throws MalformedMessageException {
        return records(key, map.get(key), shape, blank);
    }

    @Override
    public <T> List<T> absentList(String key, List<T> values, Shape<T> shape, T blank)
            throws MalformedMessageException {
        return map.get(key) == null ? List.of() : list(key, values, shape, blank);
    }

    @Override
    public <T> List<T> byName(
            String key, List<T> values, Function<T, String> name, Function<String, T> blank, Shape<T> shape)
            throws MalformedMessageException {
        Map<?, ?> from = map(key);
        enter(key);
        List<T> rows = rows(from, blank, shape);
        depth--;
        return rows;
    }

    @Override
    public <T> List<T> entries(List<T> values, Function<T, String> name, Function<String, T> blank, Shape<T> shape)
            throws MalformedMessageException {
        return rows(map, blank, shape);
    }

    private <T> List<T> rows(Map<?, ?> from, Function<String, T> blank, Shape<T> shape)
            throws MalformedMessageException {
        List<T> rows = new ArrayList<>(from.size());
        for (Map.Entry<?, ?> each : from.entrySet()) {
            String name = name(each.getKey());
            rows.add(from(name, each.getValue(), shape, blank.apply(name)));
        }
        return rows;
    }

    /** A key as the name of a row. */
    private String name(@Nullable Object key) throws MalformedMessageException {
        return key instanceof String name ? name : TreeValues.text(at("a key"), key);
    }

    private Map<?, ?> map(String key) throws MalformedMessageException {
        Object found = map.get(key);
        return found instanceof Map<?, ?> inner ? inner : TreeValues.map(at(key), found);
    }

    @Override
    public <T> Map<String, T> absentMap(String key, Map<String, T> values, Shape<T> shape, T blank)
            throws MalformedMessageException {
        Map<String, T> records = new LinkedHashMap<>();
        if (map.get(key) != null) {
            Map<?, ?> from = map(key);
            enter(key);
            for (Map.Entry<?, ?> each : from.entrySet()) {
                String name = name(each.getKey());
                records.put(name, from(name, each.getValue(), shape, blank));
            }
            depth--;
        }
        return records;
    }

    @Override
    public List<String> texts(String key, List<String> values) throws MalformedMessageException {
        Object found = map.get(key);
        List<String> texts = new ArrayList<>();
        for (Object each : found == null ? List.of() : TreeValues.list(at(key), found)) {
            texts.add(TreeValues.text(at(key), each));
        }
        return texts;
    }

    @Override
    public Map<String, String> textMap(String key, Map<String, String> values) throws MalformedMessageException {
        Map<String, String> texts = new LinkedHashMap<>();
        for (Map.Entry<?, ?> each : mapOrNothing(key).entrySet()) {
            texts.put(TreeValues.text(at(key), each.getKey()), TreeValues.text(at(key), each.getValue()));
        }
        return texts;
    }

    @Override
    public Map<String, Long> counts(String key, Map<String, Long> values) throws MalformedMessageException {
        Map<String, Long> counts = new LinkedHashMap<>();
        for (Map.Entry<?, ?> each : mapOrNothing(key).entrySet()) {
            counts.put(TreeValues.text(at(key), each.getKey()), TreeValues.integer(at(key), each.getValue()));
        }
        return counts;
    }

    private Map<?, ?> mapOrNothing(String key) throws MalformedMessageException {
        return map.get(key) == null ? NOTHING : map(key);
    }

    @Override
    public boolean absentFlag(String key, boolean value) {
        return Boolean.TRUE.equals(map.get(key));
    }

    @Override
    public <E> @Nullable E maybeWord(String key, @Nullable E value, List<E> all, Function<E, String> name)
            throws MalformedMessageException {
        return map.get(key) == null ? null : word(key, all, name);
    }

    @Override
    public @Nullable String absentText(String key, @Nullable String value) throws MalformedMessageException {
        return map.get(key) == null ? null : text(key, "");
    }

    @Override
    public Map<String, long[]> columns(String key, Map<String, long[]> columns, long unknown)
            throws MalformedMessageException {
        Map<String, long[]> read = new LinkedHashMap<>();
        Map<?, ?> from = map(key);
        enter(key);
        for (Map.Entry<?, ?> each : from.entrySet()) {
            String name = name(each.getKey());
            Object value = each.getValue();
            List<?> numbers = value instanceof List<?> list ? list : TreeValues.list(at(name), value);
            long[] column = new long[numbers.size()];
            for (int i = 0; i < column.length; i++) {
                Object number = numbers.get(i);
                column[i] =
                        number == null ? unknown : number instanceof Long n ? n : TreeValues.integer(at(name), number);
            }
            read.put(name, column);
        }
        depth--;
        return read;
    }

    @Override
    public Map<String, Double> absentReals(String key, Map<String, Double> values) throws MalformedMessageException {
        Map<String, Double> numbers = new LinkedHashMap<>();
        if (map.get(key) != null) {
            Map<?, ?> from = map(key);
            enter(key);
            for (Map.Entry<?, ?> each : from.entrySet()) {
                numbers.put(name(each.getKey()), number(String.valueOf(each.getKey()), each.getValue()));
            }
            depth--;
        }
        return numbers;
    }

    @Override
    public <T> @Nullable T read(String key, Form<T> form) throws MalformedMessageException {
        return form.read(at(key), map.get(key));
    }

    @Override
    public <T> Map<String, T> others(Map<String, T> values, Keys keys, Form<T> form) throws MalformedMessageException {
        Map<String, T> read = new LinkedHashMap<>();
        for (Map.Entry<?, ?> each : map.entrySet()) {
            String key = name(each.getKey());
            String name = keys.name(key, each.getValue());
            if (name != null) {
                read.put(name, form.read(at(key), each.getValue()));
            }
        }
        return read;
    }

    @Override
    public boolean group(boolean present, String first) {
        return map.get(first) != null;
    }

    @Override
    public void derived(String key, @Nullable Object tree) {
        // Computed from what is read.
    }

    @Override
    public void derivedMap(String key, Body body) {
        // Computed from what is read.
    }
}
