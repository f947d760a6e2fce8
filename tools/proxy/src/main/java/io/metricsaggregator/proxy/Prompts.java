package io.metricsaggregator.proxy;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.event.PromptData;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Prompts in the bodies of requests. Stateless. */
final class Prompts {
    private Prompts() {}

    /** The prompt of a request: {@code messages}, {@code prompt}, {@code input} or {@code text}; null if it has none in a known form. */
    static @Nullable PromptData read(byte[] body) {
        Map<String, @Nullable Object> request;
        try {
            request = JsonTree.readLenient(body, 0, body.length, Set.of());
        } catch (MalformedMessageException e) {
            return null;
        }
        if (request.get("messages") instanceof List<?> messages) {
            return new PromptData(
                    null, null, List.copyOf(messages), request.get("tools"), null, null, request.get("tool_choice"));
        }
        for (String name : new String[] {"prompt", "input", "text", "input_ids"}) {
            Object prompt = request.get(name);
            if (prompt instanceof String text) {
                return PromptData.ofText(text);
            }
            if (prompt instanceof List<?> ids && !ids.isEmpty() && ids.stream().allMatch(Long.class::isInstance)) {
                return PromptData.ofTokenIds(
                        ids.stream().map(Number.class::cast).toList());
            }
        }
        return null;
    }
}
