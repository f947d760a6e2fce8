package io.metricsaggregator.snapshot.fields;

import io.metricsaggregator.codec.MalformedMessageException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Fields that are written by others: one that may be left out is left out, or else written as it is everywhere. */
interface Writing extends Fields {
    @Override
    default <E> @Nullable E absentWord(String key, @Nullable E value, List<E> all, Function<E, String> name)
            throws MalformedMessageException {
        return value == null ? null : word(key, value, all, name);
    }

    @Override
    default List<String> texts(String key, List<String> values) throws MalformedMessageException {
        derived(key, values);
        return values;
    }

    @Override
    default List<String> absentTexts(String key, List<String> values) throws MalformedMessageException {
        return values.isEmpty() ? values : texts(key, values);
    }

    @Override
    default Map<String, String> textMap(String key, Map<String, String> values) throws MalformedMessageException {
        derived(key, values);
        return values;
    }

    @Override
    default Map<String, String> absentTextMap(String key, Map<String, String> values) throws MalformedMessageException {
        return values.isEmpty() ? values : textMap(key, values);
    }

    @Override
    default Map<String, Long> counts(String key, Map<String, Long> values) throws MalformedMessageException {
        derived(key, values);
        return values;
    }

    @Override
    default <T> List<T> absentList(String key, List<T> values, Shape<T> shape, T blank)
            throws MalformedMessageException {
        return values.isEmpty() ? values : list(key, values, shape, blank);
    }

    @Override
    default long laterCount(String key, long value) throws MalformedMessageException {
        return count(key, value);
    }

    @Override
    default @Nullable Long absentCount(String key, @Nullable Long value) throws MalformedMessageException {
        return value == null ? null : maybeCount(key, value);
    }

    @Override
    default <E> E word(String key, E value, List<E> all, Function<E, String> name) throws MalformedMessageException {
        text(key, name.apply(value));
        return value;
    }

    @Override
    default <T> @Nullable T absent(String key, @Nullable T value, Shape<T> shape, T blank)
            throws MalformedMessageException {
        return value == null ? null : maybe(key, value, shape, blank);
    }

    @Override
    default boolean laterFlag(String key, boolean value) throws MalformedMessageException {
        return flag(key, value);
    }

    @Override
    default @Nullable String maybeText(String key, @Nullable String value) throws MalformedMessageException {
        derived(key, value);
        return value;
    }

    @Override
    default Map<String, @Nullable Object> anything(String key, Map<String, @Nullable Object> tree)
            throws MalformedMessageException {
        derived(key, tree);
        return tree;
    }

    @Override
    default boolean absentFlag(String key, boolean value) throws MalformedMessageException {
        return value && flag(key, true);
    }

    @Override
    default <E> @Nullable E maybeWord(String key, @Nullable E value, List<E> all, Function<E, String> name)
            throws MalformedMessageException {
        derived(key, value == null ? null : name.apply(value));
        return value;
    }

    @Override
    default @Nullable String absentText(String key, @Nullable String value) throws MalformedMessageException {
        return value == null ? null : text(key, value);
    }

    @Override
    default boolean group(boolean present, String first) throws MalformedMessageException {
        return present;
    }

    @Override
    default String laterText(String key, String value) throws MalformedMessageException {
        return text(key, value);
    }

    @Override
    default <T> T laterRecord(String key, T value, Shape<T> shape, T blank) throws MalformedMessageException {
        return record(key, value, shape, blank);
    }

    @Override
    default <T> List<T> laterList(String key, List<T> values, Shape<T> shape, T blank)
            throws MalformedMessageException {
        return list(key, values, shape, blank);
    }

    @Override
    default <T> T form(String key, T value, Form<T> form) throws MalformedMessageException {
        derived(key, form.tree(value));
        return value;
    }

    @Override
    default @Nullable Double absentReal(String key, @Nullable Double value) throws MalformedMessageException {
        return value == null ? null : maybeReal(key, value);
    }

    @Override
    default <T> @Nullable T maybeForm(String key, @Nullable T value, Form<T> form) throws MalformedMessageException {
        derived(key, value == null ? null : form.tree(value));
        return value;
    }

    @Override
    default <T> @Nullable T absentForm(String key, @Nullable T value, Form<T> form) throws MalformedMessageException {
        return value == null ? null : form(key, value, form);
    }

    @Override
    default <T> Map<String, T> others(Map<String, T> values, Keys keys, Form<T> form) throws MalformedMessageException {
        for (Map.Entry<String, T> each : values.entrySet()) {
            derived(keys.key(each.getKey()), form.tree(each.getValue()));
        }
        return values;
    }
}
