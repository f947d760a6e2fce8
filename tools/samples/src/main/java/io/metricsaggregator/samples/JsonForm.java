package io.metricsaggregator.samples;

import io.metricsaggregator.codec.MsgpackTree;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts MessagePack values to values that JSON can represent, so that a NaN is not exported as null. */
final class JsonForm {
    private JsonForm() {}

    /**
     * Copies a map. Non-finite numbers become {@code "NaN"}, {@code "Infinity"} and {@code "-Infinity"}; extensions become maps of {@code
     * ext_type} and {@code base64}.
     */
    static Map<String, @Nullable Object> of(Map<?, ?> map) {
        Map<String, @Nullable Object> copy = new LinkedHashMap<>();
        map.forEach((key, value) -> copy.put(String.valueOf(key), value(value)));
        return copy;
    }

    private static @Nullable Object value(@Nullable Object value) {
        if (value instanceof Double number && !Double.isFinite(number)) {
            return number.toString();
        }
        if (value instanceof MsgpackTree.Extension extension) {
            return Map.of(
                    "ext_type",
                    (long) extension.type(),
                    "base64",
                    Base64.getEncoder().encodeToString(extension.content()));
        }
        if (value instanceof Map<?, ?> map) {
            return of(map);
        }
        if (value instanceof List<?> list) {
            List<@Nullable Object> copy = new ArrayList<>(list.size());
            list.forEach(each -> copy.add(value(each)));
            return copy;
        }
        return value;
    }
}
