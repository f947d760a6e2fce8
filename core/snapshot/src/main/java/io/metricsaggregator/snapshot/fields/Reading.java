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
}
