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

/** Converts tool calls, whole or streamed, to the form that templates expect. */
final class ToolCalls {
    private ToolCalls() {}

    /**
     * Joins streamed calls by index: the last non-empty name, id and type, and the concatenated arguments, with keys in the order of the
     * reference. Whole calls are returned unchanged.
     */
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
        private @Nullable String id;
        private String type = "function";
        private @Nullable String name;
        private final StringBuilder arguments = new StringBuilder();

        void add(Map<?, ?> piece) {
            id = lastOf(id, piece.get("id"));
            String newType = lastOf(type, piece.get("type"));
            type = newType == null ? type : newType;
            if (piece.get("function") instanceof Map<?, ?> function) {
                name = lastOf(name, function.get("name"));
                if (function.get("arguments") instanceof String more) {
                    arguments.append(more);
                }
            }
        }

        /** Returns the last non-empty value: some servers repeat the name in every piece, or send empty ids after the first. */
        private static @Nullable String lastOf(@Nullable String known, @Nullable Object given) {
            return given instanceof String text && !text.isEmpty() ? text : known;
        }

        Map<String, @Nullable Object> tree() {
            Map<String, @Nullable Object> function = new LinkedHashMap<>();
            function.put("arguments", arguments.toString());
            if (name != null) {
                function.put("name", name);
            }
            Map<String, @Nullable Object> tree = new LinkedHashMap<>();
            tree.put("type", type);
            tree.put("function", function);
            if (id != null) {
                tree.put("id", id);
            }
            return tree;
        }
    }

    /** Parses arguments that are a JSON object in a string. */
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
