package io.metricsaggregator.imports.read;

import io.metricsaggregator.event.PromptData;
import io.metricsaggregator.imports.json.InvalidField;
import io.metricsaggregator.imports.json.JsonFields;
import io.metricsaggregator.json.InvalidJson;
import io.metricsaggregator.json.JsonCursor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Requests and responses of the OpenAI API as JSON text, which tools keep in their files. Stateless. */
public final class Payload {
    private Payload() {}

    /** Parses a text as one JSON object; null if it is none, or null itself. */
    public static @Nullable JsonFields parse(@Nullable String text) {
        if (text == null) {
            return null;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        try (JsonCursor cursor = JsonCursor.over(bytes, 0, bytes.length)) {
            return cursor.next() && cursor.enterObject() ? JsonFields.of(cursor.value(), "") : null;
        } catch (InvalidJson | InvalidField e) {
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException("reading from memory", e);
        }
    }

    /**
     * The prompt in the body of a request: {@code messages}, {@code prompt} or {@code input}.
     *
     * @return null if there is none, or in no form that is known
     */
    public static @Nullable PromptData prompt(@Nullable JsonFields body) {
        if (body == null) {
            return null;
        }
        if (body.any("messages") instanceof List<?> messages) {
            return new PromptData(null, null, list(messages), tree(body.any("tools")), null, null, null);
        }
        Object prompt = body.has("prompt") ? body.any("prompt") : body.any("input");
        if (prompt instanceof String text) {
            return PromptData.ofText(text);
        }
        if (prompt instanceof List<?> ids && !ids.isEmpty() && ids.stream().allMatch(Long.class::isInstance)) {
            return PromptData.ofTokenIds(ids.stream().map(Number.class::cast).toList());
        }
        return null;
    }

    /** Converts a list of JSON values to values of records. */
    public static List<@Nullable Object> list(List<?> values) {
        List<@Nullable Object> copy = new ArrayList<>(values.size());
        values.forEach(each -> copy.add(tree(each)));
        return copy;
    }

    private static @Nullable Object tree(@Nullable Object value) {
        if (value instanceof BigDecimal number) {
            return number.doubleValue();
        }
        if (value instanceof Map<?, ?> map) {
            Map<String, @Nullable Object> copy = new LinkedHashMap<>();
            map.forEach((key, each) -> copy.put(String.valueOf(key), tree(each)));
            return copy;
        }
        return value instanceof List<?> list ? list(list) : value;
    }
}
