package io.metricsaggregator.tokens;

import io.metricsaggregator.codec.JsonTree;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Formats chats as text without a chat template, like the fallback of the reference: prompts as compact JSON; outputs as content,
 * reasoning and compact-JSON tool calls on separate lines. The tokens that a template would add are missing.
 */
final class PlainChat {
    private PlainChat() {}

    static String prompt(List<?> messages, @Nullable Object tools) {
        Map<String, @Nullable Object> prompt = new LinkedHashMap<>();
        List<@Nullable Object> parsed = new ArrayList<>();
        for (Object message : messages) {
            parsed.add(ToolCalls.withParsedArguments((Map<?, ?>) message));
        }
        prompt.put("messages", parsed);
        if (tools != null) {
            prompt.put("tools", tools);
        }
        return json(prompt);
    }

    static String output(String text, String thought, List<?> toolCalls) {
        List<String> parts = new ArrayList<>();
        parts.add(text);
        parts.add(thought);
        if (!toolCalls.isEmpty()) {
            parts.add(json(ToolCalls.joined(toolCalls)));
        }
        parts.removeIf(String::isEmpty);
        return String.join("\n", parts);
    }

    private static String json(Object tree) {
        return new String(JsonTree.writeLine(tree), StandardCharsets.UTF_8);
    }
}
