package io.metricsaggregator.snapshot.fields;

import io.metricsaggregator.codec.MalformedMessageException;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Values of decoded trees by their type; an error names the field. */
public final class TreeValues {
    private TreeValues() {}

    /** A map. */
    public static Map<?, ?> map(String field, @Nullable Object value) throws MalformedMessageException {
        if (value instanceof Map<?, ?> map) {
            return map;
        }
        throw wrong(field, "a map", value);
    }

    /** A list. */
    public static List<?> list(String field, @Nullable Object value) throws MalformedMessageException {
        if (value instanceof List<?> list) {
            return list;
        }
        throw wrong(field, "an array", value);
    }

    /** A text. */
    public static String text(String field, @Nullable Object value) throws MalformedMessageException {
        if (value instanceof String text) {
            return text;
        }
        throw wrong(field, "a string", value);
    }

    /** An integer of 64 bits. */
    public static long integer(String field, @Nullable Object value) throws MalformedMessageException {
        if (value instanceof Long number) {
            return number;
        }
        throw wrong(field, "a 64-bit integer", value);
    }

    /** A finite number: {@link Long}, {@link BigInteger} or {@link Double}. */
    public static Number number(String field, @Nullable Object value) throws MalformedMessageException {
        if (value instanceof Long || value instanceof BigInteger || value instanceof Double) {
            if (!Double.isFinite(((Number) value).doubleValue())) {
                throw new MalformedMessageException(field + " is not finite");
            }
            return (Number) value;
        }
        throw wrong(field, "a number", value);
    }

    /** A finite number. */
    public static double real(String field, @Nullable Object value) throws MalformedMessageException {
        return number(field, value).doubleValue();
    }

    /** True or false. */
    public static boolean flag(String field, @Nullable Object value) throws MalformedMessageException {
        if (value instanceof Boolean flag) {
            return flag;
        }
        throw wrong(field, "a boolean", value);
    }

    /** The error for a value of another type. */
    public static MalformedMessageException wrong(String field, String wanted, @Nullable Object value) {
        String seen = value == null ? "nil" : value.getClass().getSimpleName();
        return new MalformedMessageException(field + " should be " + wanted + ", is " + seen);
    }
}
