package io.metricsaggregator.snapshot.fields;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.codec.MsgpackTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads records from msgpack in place: a field in its usual place without a look-up, another among the keys that were passed over or that follow. What
 * it does not take, such as a value of a wrong type or a key that comes twice, it leaves to {@link TreeReader}, so that both read the same and fail with
 * the same text. Texts that come again are not decoded again. One owner; reused.
 */
public final class FieldsReader extends MapCursor implements Reading {
    private final MsgpackTree trees = new MsgpackTree();
    /** Keys of the map of numbers that was read last: most have the same. Never changed. */
    private String[] realKeys = {};

    /** Reads a value that starts at the cursor. */
    private interface InPlace<T> {
        T read() throws MalformedMessageException;
    }

    /** Reads a value from its tree. */
    public interface TreeDecoder<T> {
        /** Reads the value; the error names what is wrong. */
        T read(@Nullable Object tree) throws MalformedMessageException;
    }

    /**
     * Reads the record that fills a range. Its bytes are one well-formed msgpack value, no key of which is a container.
     *
     * @param path what the range is, for errors
     */
    public <T> T read(String path, byte[] from, int start, int end, Shape<T> shape, T blank)
            throws MalformedMessageException {
        return read(from, start, end, () -> record(shape, blank), tree -> TreeReader.read(path, tree, shape, blank));
    }

    /** As {@link #read}, of an array of records. */
    public <T> List<T> list(String path, byte[] from, int start, int end, Shape<T> shape, T blank)
            throws MalformedMessageException {
        return read(
                from, start, end, () -> records(shape, blank), tree -> TreeReader.readList(path, tree, shape, blank));
    }

    private final Elements elements = new Elements(this);

    /**
     * Reads the positional value that fills a range. Its bytes are one well-formed msgpack value.
     *
     * @param otherwise reads the value's tree, if it has another form
     */
    public <T> T elements(byte[] from, int start, int end, Elements.Reader<T> inPlace, TreeDecoder<T> otherwise)
            throws MalformedMessageException {
        return read(
                from,
                start,
                end,
                () -> {
                    T value = inPlace.read(elements);
                    require(cursor.remaining() == 0);
                    return value;
                },
                otherwise);
    }

    private <T> T read(byte[] from, int start, int end, InPlace<T> inPlace, TreeDecoder<T> otherwise)
            throws MalformedMessageException {
        reset(from, start, end);
        try {
            return inPlace.read();
        } catch (Unusual | IllegalArgumentException | MalformedMessageException e) {
            return otherwise.read(trees.readAt(buffer, start, end - start));
        }
    }

    <T> T record(Shape<T> shape, T blank) throws MalformedMessageException {
        int outerLeft = left;
        int outerBase = base;
        int outerResume = resume;
        int start = cursor.position();
        require(cursor.readMapHeader());
        left = cursor.count();
        base = top;
        resume = -1;
        T value = shape.pass(this, blank);
        goOn();
        while (left > 0) {
            passOver();
        }
        if (top > base) {
            requireNoneTwice(start);
        }
        left = outerLeft;
        top = base;
        base = outerBase;
        resume = outerResume;
        return value;
    }

    private <T> List<T> records(Shape<T> shape, T blank) throws MalformedMessageException {
        require(cursor.readArrayHeader());
        int count = cursor.count();
        List<T> records = new ArrayList<>(Math.min(count, 1024));
        for (int i = 0; i < count; i++) {
            records.add(record(shape, blank));
        }
        return records;
    }

    @Override
    public long count(String key, long value) {
        require(find(key));
        return integer();
    }

    @Override
    public long laterCount(String key, long value) {
        return findKnown(key) ? integer() : 0;
    }

    @Override
    public @Nullable Long maybeCount(String key, @Nullable Long value) {
        return findKnown(key) ? (Long) integer() : null;
    }

    @Override
    public double real(String key, double value) {
        require(find(key));
        return number();
    }

    @Override
    public @Nullable Double maybeReal(String key, @Nullable Double value) {
        return findKnown(key) ? (Double) number() : null;
    }

    @Override
    public boolean flag(String key, boolean value) {
        require(find(key));
        int at = cursor.position();
        boolean isTrue = bytes[at] == (byte) 0xc3;
        require(isTrue || bytes[at] == (byte) 0xc2);
        cursor.position(at + 1);
        return isTrue;
    }

    @Override
    public String text(String key, String value) {
        require(find(key) && cursor.readString());
        return text();
    }

    @Override
    public <E> E word(String key, E value, List<E> all, Function<E, String> name) {
        require(find(key));
        return word(all, name);
    }

    private <E> E word(List<E> all, Function<E, String> name) {
        String word = readText();
        for (E each : all) {
            if (name.apply(each).equals(word)) {
                return each;
            }
        }
        throw Unusual.ONLY;
    }

    @Override
    public byte @Nullable [] maybeBytes(String key, byte @Nullable [] value) {
        if (!findKnown(key)) {
            return null;
        }
        require(cursor.readBinary());
        return Arrays.copyOfRange(bytes, cursor.start(), cursor.start() + cursor.length());
    }

    @Override
    public <T> T record(String key, T value, Shape<T> shape, T blank) throws MalformedMessageException {
        require(find(key));
        return record(shape, blank);
    }

    @Override
    public <T> @Nullable T maybe(String key, @Nullable T value, Shape<T> shape, T blank)
            throws MalformedMessageException {
        return findKnown(key) ? record(shape, blank) : null;
    }

    @Override
    public <T> List<T> list(String key, List<T> values, Shape<T> shape, T blank) throws MalformedMessageException {
        require(find(key));
        return records(shape, blank);
    }

    @Override
    public <T> List<T> absentList(String key, List<T> values, Shape<T> shape, T blank)
            throws MalformedMessageException {
        return findKnown(key) ? records(shape, blank) : List.of();
    }

    @Override
    public <T> List<T> byName(
            String key, List<T> values, Function<T, String> name, Function<String, T> blank, Shape<T> shape)
            throws MalformedMessageException {
        require(find(key) && cursor.readMapHeader());
        return rows(cursor.count(), blank, shape);
    }

    @Override
    public <T> List<T> entries(List<T> values, Function<T, String> name, Function<String, T> blank, Shape<T> shape)
            throws MalformedMessageException {
        int count = left;
        left = 0;
        return rows(count, blank, shape);
    }

    private <T> List<T> rows(int count, Function<String, T> blank, Shape<T> shape) throws MalformedMessageException {
        Set<String> names = new HashSet<>();
        List<T> rows = new ArrayList<>(Math.min(count, 1024));
        for (int i = 0; i < count; i++) {
            String name = newName(names);
            rows.add(record(shape, blank.apply(name)));
        }
        return rows;
    }

    @Override
    public <T> Map<String, T> absentMap(String key, Map<String, T> values, Shape<T> shape, T blank)
            throws MalformedMessageException {
        Map<String, T> records = new LinkedHashMap<>();
        if (findKnown(key)) {
            require(cursor.readMapHeader());
            for (int i = cursor.count(); i > 0; i--) {
                require(cursor.readString());
                String name = text();
                require(!records.containsKey(name));
                records.put(name, record(shape, blank));
            }
        }
        return records;
    }

    private @Nullable Object tree() throws MalformedMessageException {
        int start = cursor.position();
        require(cursor.skip());
        return trees.readAt(buffer, start, cursor.position() - start);
    }

    @Override
    public <T> @Nullable T read(String key, Form<T> form) throws MalformedMessageException {
        return form.read(key, findKnown(key) ? tree() : null);
    }

    @Override
    public <T> Map<String, T> others(Map<String, T> values, Keys keys, Form<T> form) {
        throw Unusual.ONLY;
    }

    @Override
    public List<String> texts(String key, List<String> values) {
        List<String> texts = new ArrayList<>();
        if (findKnown(key)) {
            require(cursor.readArrayHeader());
            for (int i = cursor.count(); i > 0; i--) {
                texts.add(readText());
            }
        }
        return texts;
    }

    @Override
    public Map<String, String> textMap(String key, Map<String, String> values) {
        Map<String, String> texts = new LinkedHashMap<>();
        for (int i = entriesOf(key); i > 0; i--) {
            String name = readText();
            require(texts.put(name, readText()) == null);
        }
        return texts;
    }

    @Override
    public Map<String, Long> counts(String key, Map<String, Long> values) {
        Map<String, Long> counts = new LinkedHashMap<>();
        for (int i = entriesOf(key); i > 0; i--) {
            String name = readText();
            require(counts.put(name, integer()) == null);
        }
        return counts;
    }

    @Override
    public boolean absentFlag(String key, boolean value) {
        if (!find(key)) {
            return false;
        }
        boolean isTrue = bytes[cursor.position()] == (byte) 0xc3;
        require(cursor.skip());
        return isTrue;
    }

    @Override
    public <E> @Nullable E maybeWord(String key, @Nullable E value, List<E> all, Function<E, String> name) {
        return findKnown(key) ? word(all, name) : null;
    }

    @Override
    public @Nullable String absentText(String key, @Nullable String value) {
        return findKnown(key) ? readText() : null;
    }

    @Override
    public Map<String, long[]> columns(String key, Map<String, long[]> columns, long unknown) {
        require(find(key) && cursor.readMapHeader());
        Map<String, long[]> read = new LinkedHashMap<>();
        for (int i = cursor.count(); i > 0; i--) {
            String name = readText();
            require(cursor.readArrayHeader());
            long[] column = new long[cursor.count()];
            for (int j = 0; j < column.length; j++) {
                if (cursor.atNil()) {
                    cursor.skipNil();
                    column[j] = unknown;
                } else {
                    column[j] = integer();
                }
            }
            require(read.put(name, column) == null);
        }
        return read;
    }

    @Override
    public Map<String, Double> absentReals(String key, Map<String, Double> values) {
        if (!findKnown(key)) {
            return new LinkedHashMap<>();
        }
        require(cursor.readMapHeader());
        return reals(cursor.count());
    }

    Map<String, Double> reals(int count) {
        if (count > FixedMap.SMALL) {
            Map<String, Double> numbers = new LinkedHashMap<>();
            for (int i = count; i > 0; i--) {
                String name = readText();
                require(numbers.put(name, number()) == null);
            }
            return numbers;
        }
        String[] names = realKeys.length == count ? realKeys : new String[count];
        Double[] numbers = new Double[count];
        for (int i = 0; i < count; i++) {
            String name = readText();
            numbers[i] = number();
            if (!name.equals(names[i])) {
                names = names == realKeys ? Arrays.copyOf(names, count) : names;
                names[i] = name;
            }
        }
        if (names != realKeys) {
            requireDistinct(names);
            realKeys = names;
        }
        return FixedMap.of(names, numbers);
    }

    @Override
    public boolean group(boolean present, String first) {
        return isKnown(first);
    }

    @Override
    public void derived(String key, @Nullable Object tree) {
        if (find(key)) {
            require(cursor.skip());
        }
    }

    @Override
    public void derivedMap(String key, Body body) {
        derived(key, null);
    }
}
