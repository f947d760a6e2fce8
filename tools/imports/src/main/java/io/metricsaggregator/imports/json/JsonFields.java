package io.metricsaggregator.imports.json;

import io.metricsaggregator.json.JsonCursor;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Typed access to the fields of one JSON object. A method without {@code required} in its name returns null for a field that is absent,
 * null or not a number (NaN); every method throws {@link InvalidField} if the field has another type. Unknown fields are ignored.
 * Immutable.
 *
 * @param values fields by name, with values as {@link JsonCursor#value} returns them
 */
public record JsonFields(Map<String, @Nullable Object> values) {
    /** An object without fields. */
    public static final JsonFields EMPTY = new JsonFields(Map.of());

    /** The fields of {@code value}, a JSON object. */
    public static JsonFields of(@Nullable Object value, String name) throws InvalidField {
        if (value instanceof Map<?, ?> map) {
            @SuppressWarnings("unchecked") // JsonCursor reads names as strings
            Map<String, @Nullable Object> fields = (Map<String, @Nullable Object>) map;
            return new JsonFields(fields);
        }
        throw new InvalidField(name, value == null ? "missing" : "invalid");
    }

    /** Whether the field is there, even if it is null. */
    public boolean has(String name) {
        return values.containsKey(name);
    }

    /** The names of all fields, in the order of the document. */
    public Set<String> names() {
        return values.keySet();
    }

    /** The value as {@link JsonCursor#value} returns it, of any type. */
    public @Nullable Object any(String name) {
        return values.get(name);
    }

    /** A string. */
    public @Nullable String text(String name) throws InvalidField {
        Object value = values.get(name);
        if (value == null || value instanceof String) {
            return (String) value;
        }
        throw new InvalidField(name, "invalid");
    }

    /** A string; a number is returned as its digits. */
    public @Nullable String textOfAny(String name) {
        Object value = values.get(name);
        return value == null || value instanceof Map || value instanceof List ? null : value.toString();
    }

    /** The fields that are there, each with its name, such as {@code backend vllm, request rate 5}; {@code run} without any. */
    public String label(String... names) {
        String label = Stream.of(names)
                .filter(name -> textOfAny(name) != null)
                .map(name -> name.replace('_', ' ') + ' ' + textOfAny(name))
                .collect(Collectors.joining(", "));
        return label.isEmpty() ? "run" : label;
    }

    /** A boolean. */
    public @Nullable Boolean flag(String name) throws InvalidField {
        Object value = values.get(name);
        if (value == null || value instanceof Boolean) {
            return (Boolean) value;
        }
        throw new InvalidField(name, "invalid");
    }

    /** An integer of 64 bits; a number with a fraction of zero counts as one. */
    public @Nullable Long integer(String name) throws InvalidField {
        Object value = values.get(name);
        if (value == null || value instanceof Long) {
            return (Long) value;
        }
        if (value instanceof BigDecimal number) {
            Long whole = Decimals.nanos(number, 0);
            if (whole != null && number.compareTo(BigDecimal.valueOf(whole)) == 0) {
                return whole;
            }
        }
        throw new InvalidField(name, "invalid");
    }

    /** An integer of at least 0, such as a number of tokens. */
    public @Nullable Long count(String name) throws InvalidField {
        Long value = integer(name);
        if (value != null && value < 0) {
            throw new InvalidField(name, "invalid");
        }
        return value;
    }

    /** An exact number between −10^30 and 10^30. */
    public @Nullable BigDecimal number(String name) throws InvalidField {
        Object value = values.get(name);
        return value == null ? null : number(value, name);
    }

    /**
     * A time or duration in nanoseconds.
     *
     * @param exponent the field's unit as in {@link Decimals#nanos}
     */
    public @Nullable Long nanos(String name, int exponent) throws InvalidField {
        BigDecimal number = number(name);
        if (number == null) {
            return null;
        }
        Long nanos = Decimals.nanos(number, exponent);
        if (nanos == null) {
            throw new InvalidField(name, "invalid");
        }
        return nanos;
    }

    /** A time or duration in nanoseconds that the record cannot do without. */
    public long requiredNanos(String name, int exponent) throws InvalidField {
        Long nanos = nanos(name, exponent);
        if (nanos == null) {
            throw new InvalidField(name, "missing");
        }
        return nanos;
    }

    /** An object. */
    public @Nullable JsonFields object(String name) throws InvalidField {
        return values.get(name) == null ? null : of(values.get(name), name);
    }

    /** An object; without fields if absent or null. */
    public JsonFields objectOrEmpty(String name) throws InvalidField {
        JsonFields object = object(name);
        return object == null ? EMPTY : object;
    }

    /** An object that the record cannot do without. */
    public JsonFields requiredObject(String name) throws InvalidField {
        return of(values.get(name), name);
    }

    /** An array. */
    public @Nullable List<@Nullable Object> array(String name) throws InvalidField {
        Object value = values.get(name);
        if (value == null) {
            return null;
        }
        if (value instanceof List<?> list) {
            @SuppressWarnings("unchecked") // the elements may be anything
            List<@Nullable Object> elements = (List<@Nullable Object>) list;
            return elements;
        }
        throw new InvalidField(name, "invalid");
    }

    /** Checks that {@code value} is a number; {@code name} is the field for the error. */
    public static BigDecimal number(@Nullable Object value, String name) throws InvalidField {
        if (value instanceof Long number) {
            return BigDecimal.valueOf(number);
        }
        if (value instanceof BigInteger number && number.bitLength() < 100) {
            return new BigDecimal(number);
        }
        if (value instanceof BigDecimal number && (long) number.precision() - number.scale() <= 30) {
            return Decimals.plain(number);
        }
        throw new InvalidField(name, value == null ? "missing" : "invalid");
    }
}
