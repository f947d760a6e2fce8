package io.metricsaggregator.conformance;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * JSON in which numbers are objects, since many JSON libraries read every number as float64: {@code {"$int": "123"}} and
 * {@code {"$float": "0.5"}}; byte strings are {@code {"$bin": "hex"}}. Stateless.
 */
final class TaggedJson {
    private TaggedJson() {}

    /**
     * Compares values. Keys of an object that are not expected are ignored. An integral float may be written as an integer: JavaScript
     * cannot distinguish them.
     *
     * @param path the place for the message, such as {@code metrics.ttft_ns.count}
     * @return the first difference as one line; empty if there is none
     */
    static String difference(String path, @Nullable Object expected, @Nullable Object actual) {
        BigDecimal number = number(expected);
        if (number != null) {
            BigDecimal other = number(actual);
            boolean integer = expected instanceof Map<?, ?> map && map.containsKey("$int");
            boolean tagged = !integer || (actual instanceof Map<?, ?> map && map.containsKey("$int"));
            return other != null && tagged && number.compareTo(other) == 0 ? "" : differs(path, expected, actual);
        }
        if (expected instanceof Map<?, ?> want && actual instanceof Map<?, ?> have) {
            for (Map.Entry<?, ?> entry : want.entrySet()) {
                String place = path.isEmpty() ? String.valueOf(entry.getKey()) : path + "." + entry.getKey();
                String found = have.containsKey(entry.getKey()) || entry.getValue() == null
                        ? difference(place, entry.getValue(), have.get(entry.getKey()))
                        : place + " is missing";
                if (!found.isEmpty()) {
                    return found;
                }
            }
            return "";
        }
        if (expected instanceof List<?> want && actual instanceof List<?> have) {
            for (int i = 0; i < want.size() && i < have.size(); i++) {
                String found = difference(path + "[" + i + "]", want.get(i), have.get(i));
                if (!found.isEmpty()) {
                    return found;
                }
            }
            return want.size() == have.size()
                    ? ""
                    : path + " has " + have.size() + " elements instead of " + want.size();
        }
        return Objects.equals(expected, actual) ? "" : differs(path, expected, actual);
    }

    private static String differs(String path, @Nullable Object expected, @Nullable Object actual) {
        return path + " is " + actual + " instead of " + expected;
    }

    private static @Nullable BigDecimal number(@Nullable Object value) {
        if (!(value instanceof Map<?, ?> map) || map.size() != 1) {
            return null;
        }
        try {
            if (map.get("$int") instanceof String text) {
                return new BigDecimal(new BigInteger(text));
            }
            // Through double, so that any decimal form of the same float64 is equal.
            return map.get("$float") instanceof String text ? new BigDecimal(Double.parseDouble(text)) : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
