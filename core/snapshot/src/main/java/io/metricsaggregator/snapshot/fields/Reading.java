package io.metricsaggregator.snapshot.fields;

import io.metricsaggregator.codec.MalformedMessageException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Fields that are read as others are: nil and a missing key are the same. */
interface Reading extends Fields {
    @Override
    default <E> @Nullable E absentWord(String key, @Nullable E value, List<E> all, Function<E, String> name)
            throws MalformedMessageException {
        return maybeWord(key, value, all, name);
    }

    @Override
    default List<String> absentTexts(String key, List<String> values) throws MalformedMessageException {
        return texts(key, values);
    }

    @Override
    default Map<String, String> absentTextMap(String key, Map<String, String> values) throws MalformedMessageException {
        return textMap(key, values);
    }

    @Override
    default @Nullable Long absentCount(String key, @Nullable Long value) throws MalformedMessageException {
        return maybeCount(key, value);
    }

    @Override
    default <T> @Nullable T absent(String key, @Nullable T value, Shape<T> shape, T blank)
            throws MalformedMessageException {
        return maybe(key, value, shape, blank);
    }

    @Override
    default boolean laterFlag(String key, boolean value) throws MalformedMessageException {
        return absentFlag(key, value);
    }

    @Override
    default @Nullable String maybeText(String key, @Nullable String value) throws MalformedMessageException {
        return absentText(key, value);
    }

    @Override
    default String laterText(String key, String value) throws MalformedMessageException {
        String read = absentText(key, value);
        return read == null ? "" : read;
    }

    @Override
    default <T> T laterRecord(String key, T value, Shape<T> shape, T blank) throws MalformedMessageException {
        T read = maybe(key, value, shape, blank);
        return read == null ? blank : read;
    }

    @Override
    default <T> List<T> laterList(String key, List<T> values, Shape<T> shape, T blank)
            throws MalformedMessageException {
        return absentList(key, values, shape, blank);
    }

    @Override
    default @Nullable Double absentReal(String key, @Nullable Double value) throws MalformedMessageException {
        return maybeReal(key, value);
    }

    /** Reads a value of another form, which decides what nil and a missing key mean. */
    <T> @Nullable T read(String key, Form<T> form) throws MalformedMessageException;

    @Override
    default <T> T form(String key, T value, Form<T> form) throws MalformedMessageException {
        T read = read(key, form);
        if (read == null) {
            throw new MalformedMessageException(key + " is missing");
        }
        return read;
    }

    @Override
    default <T> @Nullable T maybeForm(String key, @Nullable T value, Form<T> form) throws MalformedMessageException {
        return group(true, key) ? read(key, form) : null;
    }

    @Override
    default Map<String, @Nullable Object> anything(String key, Map<String, @Nullable Object> tree)
            throws MalformedMessageException {
        return form(key, tree, Forms.ANYTHING);
    }

    @Override
    default <T> @Nullable T absentForm(String key, @Nullable T value, Form<T> form) throws MalformedMessageException {
        return maybeForm(key, value, form);
    }
}
