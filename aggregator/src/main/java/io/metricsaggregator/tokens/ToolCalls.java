package io.metricsaggregator.tokens;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.codec.MalformedMessageException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Tool calls as they are sent, in one piece or streamed, and as templates want them. */
final class ToolCalls {
    private ToolCalls() {}

    /** Calls that came in pieces, by their index: names and arguments joined; others as they are. */
    static List<?> joined(List<?> toolCalls) {
        if (!(toolCalls.get(0) instanceof List<?>)) {
            return toolCalls;
        }
        Map<Long, Call> calls = new TreeMap<>();
        for (Object chunk : toolCalls) {
            for (Object piece : (List<?>) chunk) {
                Map<?, ?> map = (Map<?, ?>) piece;
                long index = map.get("index") instanceof Long number ? number : 0L;
                calls.computeIfAbsent(index, i -> new Call()).add(map);
            }
        }
        return calls.values().stream().map(Call::tree).toList();
    }

    private static final class Call {
        private @Nullable Object id;
        private Object type = "function";
        private final StringBuilder name = new StringBuilder();
        private final StringBuilder arguments = new StringBuilder();

        void add(Map<?, ?> piece) {
            id = piece.get("id") instanceof String given ? given : id;
            type = piece.get("type") instanceof String given ? given : type;
            if (piece.get("function") instanceof Map<?, ?> function) {
                if (function.get("name") instanceof String more) {
                    name.append(more);
                }
                if (function.get("arguments") instanceof String more) {
                    arguments.append(more);
                }
            }
        }

        Map<String, @Nullable Object> tree() {
            Map<String, @Nullable Object> tree = new LinkedHashMap<>();
            if (id != null) {
                tree.put("id", id);
            }
            tree.put("type", type);
            Map<String, @Nullable Object> function = new LinkedHashMap<>();
            if (name.length() > 0) {
                function.put("name", name.toString());
            }
            function.put("arguments", arguments.toString());
            tree.put("function", function);
            return tree;
        }
    }

    /** Arguments that are a JSON object in a string become that object. */
    static Map<?, ?> withParsedArguments(Map<?, ?> message) {
        if (!(message.get("tool_calls") instanceof List<?> calls)) {
            return message;
        }
        Map<Object, @Nullable Object> copy = new LinkedHashMap<>(message);
        List<@Nullable Object> parsed = new ArrayList<>();
        for (Object call : calls) {
            parsed.add(call instanceof Map<?, ?> map ? withParsedFunction(map) : call);
        }
        copy.put("tool_calls", parsed);
        return copy;
    }

    private static Map<?, ?> withParsedFunction(Map<?, ?> call) {
        if (!(call.get("function") instanceof Map<?, ?> function)
                || !(function.get("arguments") instanceof String text)) {
            return call;
        }
        Map<String, @Nullable Object> object;
        try {
            object = JsonTree.read(text.getBytes(StandardCharsets.UTF_8));
        } catch (MalformedMessageException notAnObject) {
            return call;
        }
        Map<Object, @Nullable Object> newFunction = new LinkedHashMap<>(function);
        newFunction.put("arguments", object);
        Map<Object, @Nullable Object> newCall = new LinkedHashMap<>(call);
        newCall.put("function", newFunction);
        return newCall;
    }
}
