package io.metricsaggregator.snapshot;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Passes over blank records and lists their keys: path, type and the meaning that the record's Javadoc gives. Not thread-safe. */
final class KeyTable implements Fields, Sections {
    private static final String MAP = "map";

    /**
     * A key of a snapshot.
     *
     * @param path names joined by dots; {@code *} for a name that the data chooses, {@code []} behind an array
     * @param type type, and whether it may be nil or absent
     * @param merge what a sum of records has, by the record's declaration; empty where it follows from other keys
     */
    record Row(String path, String type, String merge, String meaning) {}

    private final List<Row> rows = new ArrayList<>();
    private final Map<String, String> places = new HashMap<>();
    private final RecordMeanings meanings;
    private String prefix = "";
    private @Nullable Merge rule;
    /** Whether the present record is unknown of several runs, so that its fields have no rules. */
    private boolean unknown;

    KeyTable(RecordMeanings meanings) {
        this.meanings = meanings;
    }

    List<Row> rows() {
        return List.copyOf(rows);
    }

    /** Lists the keys of a record below a name; a record that stands elsewhere already is referred to. */
    <T> T within(String key, String type, T value, Shape<T> shape) throws MalformedMessageException {
        boolean nil = rule == Merge.NONE;
        rule = null;
        String merge = nil ? "nil" : "";
        String before = prefix;
        boolean outside = unknown;
        String path = before + key;
        String first = value instanceof List<?>
                ? null
                : places.putIfAbsent(value.getClass().getName(), path);
        String meaning = meanings.of(key);
        meaning = meaning.isEmpty() && first == null ? meanings.ofType(value.getClass()) : meaning;
        if (first != null && !first.equals("steady.window")) {
            rows.add(new Row(path, type + ", as `" + first + "`", merge, meaning));
            return value;
        }
        rows.add(new Row(path, type, merge, meaning));
        prefix = path + ".";
        unknown |= nil;
        shape.pass(this, value);
        unknown = outside;
        prefix = before;
        return value;
    }

    private void add(String key, String type) {
        Merge given = rule;
        rule = null;
        boolean number = type.startsWith("int") || type.startsWith("real") || type.equals("map of int");
        Merge merge = given != null ? given : number ? Merge.SUM : type.startsWith("true") ? Merge.MAX : null;
        rows.add(new Row(prefix + key, type, merge == null || unknown ? "" : words(merge, number), meanings.of(key)));
    }

    @Override
    public Fields by(Merge merge) {
        rule = merge;
        return this;
    }

    private static String words(Merge merge, boolean number) {
        return switch (merge) {
            case SUM, KNOWN_SUM -> "sum";
            case MAX -> number ? "max" : "any";
            case MIN -> "min";
            case PEAK -> "sum; max of runs one after another";
            case MEAN -> "mean by count";
            case FIRST -> "first";
            case NONE -> "nil";
        };
    }

    private static String words(List<?> all) {
        return all.stream().map(each -> "`" + each + "`").collect(Collectors.joining(", "));
    }

    @Override
    public long count(String key, long value) {
        add(key, "int");
        return value;
    }

    @Override
    public long laterCount(String key, long value) {
        return count(key, value);
    }

    @Override
    public @Nullable Long maybeCount(String key, @Nullable Long value) {
        add(key, "int or nil");
        return value;
    }

    @Override
    public @Nullable Long absentCount(String key, @Nullable Long value) {
        add(key, "int or absent");
        return value;
    }

    @Override
    public double real(String key, double value) {
        add(key, "real");
        return value;
    }

    @Override
    public @Nullable Double maybeReal(String key, @Nullable Double value) {
        add(key, "real or nil");
        return value;
    }

    @Override
    public @Nullable Double absentReal(String key, @Nullable Double value) {
        add(key, "real or absent");
        return value;
    }

    @Override
    public boolean flag(String key, boolean value) {
        add(key, "bool");
        return value;
    }

    @Override
    public boolean absentFlag(String key, boolean value) {
        add(key, "true or absent");
        return value;
    }

    @Override
    public boolean laterFlag(String key, boolean value) {
        return flag(key, value);
    }

    @Override
    public String text(String key, String value) {
        add(key, "str");
        return value;
    }

    @Override
    public String laterText(String key, String value) {
        return text(key, value);
    }

    @Override
    public <E> E word(String key, E value, List<E> all, Function<E, String> name) {
        add(key, words(all.stream().map(name).toList()));
        return value;
    }

    @Override
    public <E> @Nullable E maybeWord(String key, @Nullable E value, List<E> all, Function<E, String> name) {
        add(key, words(all.stream().map(name).toList()) + " or nil");
        return value;
    }

    @Override
    public <E> @Nullable E absentWord(String key, @Nullable E value, List<E> all, Function<E, String> name) {
        add(key, words(all.stream().map(name).toList()) + " or absent");
        return value;
    }

    @Override
    public List<String> texts(String key, List<String> values) {
        add(key, "array of str");
        return values;
    }

    @Override
    public List<String> absentTexts(String key, List<String> values) {
        add(key, "array of str or absent");
        return values;
    }

    @Override
    public Map<String, String> textMap(String key, Map<String, String> values) {
        add(key, "map of str");
        return values;
    }

    @Override
    public Map<String, String> absentTextMap(String key, Map<String, String> values) {
        add(key, "map of str or absent");
        return values;
    }

    @Override
    public Map<String, Long> counts(String key, Map<String, Long> values) {
        add(key, "map of int");
        return values;
    }

    @Override
    public @Nullable String maybeText(String key, @Nullable String value) {
        add(key, "str or nil");
        return value;
    }

    @Override
    public @Nullable String absentText(String key, @Nullable String value) {
        add(key, "str or absent");
        return value;
    }

    @Override
    public byte @Nullable [] maybeBytes(String key, byte @Nullable [] value) {
        add(key, "bin or nil");
        return value;
    }

    @Override
    public <T> T record(String key, T value, Shape<T> shape, T blank) throws MalformedMessageException {
        return within(key, MAP, blank, shape);
    }

    @Override
    public <T> T laterRecord(String key, T value, Shape<T> shape, T blank) throws MalformedMessageException {
        return within(key, MAP, blank, shape);
    }

    @Override
    public <T> @Nullable T maybe(String key, @Nullable T value, Shape<T> shape, T blank)
            throws MalformedMessageException {
        return within(key, "map or nil", blank, shape);
    }

    @Override
    public <T> @Nullable T absent(String key, @Nullable T value, Shape<T> shape, T blank)
            throws MalformedMessageException {
        return within(key, "map or absent", blank, shape);
    }

    @Override
    public <T> List<T> list(String key, List<T> values, Shape<T> shape, T blank) throws MalformedMessageException {
        rule = null; // the rows are merged one by one
        within(key + "[]", "array", blank, shape);
        return values;
    }

    @Override
    public <T> List<T> laterList(String key, List<T> values, Shape<T> shape, T blank) throws MalformedMessageException {
        return list(key, values, shape, blank);
    }

    @Override
    public <T> List<T> absentList(String key, @Nullable List<T> values, Shape<T> shape, T blank)
            throws MalformedMessageException {
        within(key + "[]", "array or absent", blank, shape);
        return values == null ? List.of() : values;
    }

    @Override
    public <T> List<T> byName(
            String key, List<T> values, Function<T, String> name, Function<String, T> blank, Shape<T> shape)
            throws MalformedMessageException {
        within(key + ".*", MAP, blank.apply("0"), shape);
        return values;
    }

    @Override
    public <T> List<T> entries(List<T> values, Function<T, String> name, Function<String, T> blank, Shape<T> shape)
            throws MalformedMessageException {
        within("*", MAP, blank.apply("0"), shape);
        return values;
    }

    @Override
    public <T> Map<String, T> absentMap(String key, Map<String, T> values, Shape<T> shape, T blank)
            throws MalformedMessageException {
        within(key + ".*", "map or absent", blank, shape);
        return values;
    }

    @Override
    public Map<String, long[]> columns(String key, Map<String, long[]> columns, long unknown) {
        add(key, "map of arrays of int or nil");
        return columns;
    }

    @Override
    public Map<String, @Nullable Object> anything(String key, Map<String, @Nullable Object> tree) {
        add(key, MAP);
        return tree;
    }

    @Override
    public Map<String, Double> absentReals(String key, Map<String, Double> values) {
        add(key, "map of real or absent");
        return values;
    }

    @Override
    public <T> T form(String key, T value, Form<T> form) {
        add(key, MAP);
        return value;
    }

    @Override
    public <T> @Nullable T maybeForm(String key, @Nullable T value, Form<T> form) {
        add(key, "map or nil");
        return value;
    }

    @Override
    public <T> @Nullable T absentForm(String key, @Nullable T value, Form<T> form) {
        add(key, "map or absent");
        return value;
    }

    @Override
    public <T> Map<String, T> others(Map<String, T> values, Keys keys, Form<T> form) {
        add("*", "real or nil");
        return values;
    }

    @Override
    public boolean group(boolean present, String first) {
        rule = null;
        return true;
    }

    @Override
    public void derived(String key, @Nullable Object tree) {
        add(key, "computed");
    }

    @Override
    public void derivedMap(String key, Body body) throws MalformedMessageException {
        String before = prefix;
        rows.add(new Row(before + key, MAP, "", meanings.of(key)));
        prefix = before + key + ".";
        body.pass(this);
        prefix = before;
    }
}
