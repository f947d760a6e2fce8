package io.metricsaggregator.tokens;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.template.Template;
import io.metricsaggregator.template.TemplateException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A model's chat template, as transformers applies it: {@code chat_template.jinja} or the one in {@code tokenizer_config.json},
 * beside {@code tokenizer.json}. May be used by several threads.
 */
public final class ChatFormat {
    private static final String DEFAULT = "default";
    private static final String FOR_TOOLS = "tool_use";
    /** Under these names messages bring what was thought; the first there is counts, as in transformers. */
    private static final List<String> REASONING = List.of("reasoning_content", "thinking", "reasoning");
    /** Parsed templates that are kept, and how long they may be: requests may bring their own. */
    private static final int KEPT_MAX = 16;

    private static final int KEPT_CHARS_MAX = 1 << 16;

    private final Map<String, String> templates;
    private final Map<String, @Nullable Object> specialTokens;
    private final Map<String, Template> parsed = new ConcurrentHashMap<>();

    private ChatFormat(Map<String, String> templates, Map<String, @Nullable Object> specialTokens) {
        this.templates = templates;
        this.specialTokens = specialTokens;
    }

    /**
     * Reads what stands beside a tokenizer. A model without a chat template is none the worse: only what requests bring is rendered.
     *
     * @throws IOException if a file is there and cannot be read
     */
    public static ChatFormat beside(Path tokenizerFile) throws IOException {
        Path folder = tokenizerFile.toAbsolutePath().getParent();
        Map<String, String> templates = new LinkedHashMap<>();
        Map<String, @Nullable Object> special = new LinkedHashMap<>();
        Path config = folder == null ? null : folder.resolve("tokenizer_config.json");
        if (config != null && Files.isRegularFile(config)) {
            readConfig(config, templates, special);
        }
        Path file = folder == null ? null : folder.resolve("chat_template.jinja");
        if (file != null && Files.isRegularFile(file)) {
            templates.put(DEFAULT, Files.readString(file));
        }
        return new ChatFormat(templates, special);
    }

    private static void readConfig(Path config, Map<String, String> templates, Map<String, @Nullable Object> special)
            throws IOException {
        Map<String, @Nullable Object> tree;
        try {
            tree = JsonTree.read(Files.readAllBytes(config));
        } catch (MalformedMessageException e) {
            throw new IOException(config + ": " + e.getMessage(), e);
        }
        tree.forEach((key, value) -> {
            Object token = value instanceof Map<?, ?> map ? map.get("content") : value;
            if (key.endsWith("_token") && token instanceof String) {
                special.put(key, token);
            }
        });
        Object template = tree.get("chat_template");
        if (template instanceof String text) {
            templates.put(DEFAULT, text);
        } else if (template instanceof List<?> several) {
            for (Object each : several) {
                if (each instanceof Map<?, ?> named
                        && named.get("name") instanceof String name
                        && named.get("template") instanceof String text) {
                    templates.put(name, text);
                }
            }
        }
    }

    /** Whether the model brings a template. */
    public boolean isKnown() {
        return templates.containsKey(DEFAULT);
    }

    /**
     * A prompt with the frame of the answer opened.
     *
     * @param own a template that came with the request; null for the model's
     * @param variables more of them; may be null
     * @return null if there is no template
     * @throws TemplateException if the template fails, or there are no messages
     */
    @Nullable
    String prompt(
            List<?> messages,
            @Nullable Object tools,
            @Nullable Object variables,
            @Nullable String own,
            @Nullable Object toolChoice) {
        String source = own != null
                ? own
                : templates.get(tools != null && templates.containsKey(FOR_TOOLS) ? FOR_TOOLS : DEFAULT);
        if (source == null || messages.isEmpty()) {
            return null;
        }
        Map<String, @Nullable Object> all = new LinkedHashMap<>(specialTokens);
        if (toolChoice != null) {
            all.put("tool_choice", toolChoice);
        }
        if (variables instanceof Map<?, ?> more) {
            more.forEach((key, value) -> all.put(String.valueOf(key), value));
        }
        List<@Nullable Object> parsedMessages = new ArrayList<>();
        for (Object message : messages) {
            parsedMessages.add(withReasoning(ToolCalls.withParsedArguments((Map<?, ?>) message)));
        }
        return render(source, parsedMessages, tools, true, all);
    }

    /**
     * An answer within the shortest conversation there is.
     *
     * @return null if there is no template
     */
    @Nullable
    String answer(String text, String thought, List<?> toolCalls) {
        String source = templates.get(DEFAULT);
        if (source == null) {
            return null;
        }
        Map<String, @Nullable Object> message = new LinkedHashMap<>();
        message.put("role", "assistant");
        message.put("content", text);
        if (!thought.isEmpty()) {
            message.put("reasoning_content", thought);
        }
        if (!toolCalls.isEmpty()) {
            message.put("tool_calls", ToolCalls.joined(toolCalls));
        }
        Map<String, @Nullable Object> user = new LinkedHashMap<>();
        user.put("role", "user");
        user.put("content", "");
        List<@Nullable Object> messages = new ArrayList<>();
        messages.add(user);
        messages.add(withReasoning(ToolCalls.withParsedArguments(message)));
        return render(source, messages, null, false, specialTokens);
    }

    private static Map<?, ?> withReasoning(Map<?, ?> message) {
        Object thought = null;
        for (String name : REASONING) {
            thought = thought == null ? message.get(name) : thought;
        }
        if (thought == null) {
            return message;
        }
        Map<Object, @Nullable Object> copy = new LinkedHashMap<>(message);
        copy.putIfAbsent("thinking", thought);
        copy.put("reasoning_content", thought);
        return copy;
    }

    private String render(
            String source,
            List<@Nullable Object> messages,
            @Nullable Object tools,
            boolean open,
            Map<String, @Nullable Object> more) {
        Map<String, @Nullable Object> variables = new LinkedHashMap<>();
        variables.put("messages", messages);
        variables.put("tools", tools);
        variables.put("documents", null);
        variables.put("add_generation_prompt", open);
        variables.putAll(more);
        return template(source).render(variables);
    }

    private Template template(String source) {
        Template known = parsed.get(source);
        if (known != null) {
            return known;
        }
        Template fresh = Template.parse(source);
        if (source.length() > KEPT_CHARS_MAX) {
            return fresh;
        }
        if (parsed.size() >= KEPT_MAX) {
            parsed.clear();
        }
        parsed.put(source, fresh);
        return fresh;
    }
}
