package io.metricsaggregator.tokens;

import io.metricsaggregator.template.RenderLimits;
import io.metricsaggregator.template.Template;
import io.metricsaggregator.template.TemplateException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Applies a model's chat template like transformers. Thread-safe. */
public final class ChatFormat {
    /** Keys of a message's reasoning; the first that is present is used, as in transformers. */
    private static final List<String> REASONING = List.of("reasoning_content", "thinking", "reasoning");
    /** Maximum number and length (characters) of cached templates that requests bring. */
    private static final int KEPT_MAX = 16;

    private static final int KEPT_CHARS_MAX = 1 << 16;

    private final Path folder;
    private final ChatTemplates templates;
    private final TransformersVersion version;
    private final Map<String, Template> parsed = new ConcurrentHashMap<>();

    private ChatFormat(Path folder, ChatTemplates templates, TransformersVersion version) {
        this.folder = folder;
        this.templates = templates;
        this.version = version;
    }

    /**
     * Reads the templates beside a tokenizer, following {@link TransformersVersion#DEFAULT}.
     *
     * @throws IOException if an existing file cannot be read
     */
    public static ChatFormat beside(Path tokenizerFile) throws IOException {
        return beside(tokenizerFile, TransformersVersion.DEFAULT);
    }

    /**
     * Reads the templates beside a tokenizer. They are optional, because requests can bring their own.
     *
     * @throws IOException if an existing file cannot be read
     */
    public static ChatFormat beside(Path tokenizerFile, TransformersVersion version) throws IOException {
        Path folder = tokenizerFile.toAbsolutePath().normalize().getParent();
        Path root = folder == null ? Path.of("/") : folder;
        return new ChatFormat(root, ChatTemplates.in(root), version);
    }

    /** Returns the file of the model's template; {@code none} without one. */
    public String source() {
        return templates.source();
    }

    /** Returns the emulated version of transformers. */
    public TransformersVersion version() {
        return version;
    }

    Path folder() {
        return folder;
    }

    /**
     * Renders a prompt up to the start of the answer.
     *
     * @param variables additional variables from {@code chat_template_kwargs} of the request; may be null
     * @param own a template from the request; null to use the model's
     * @return null if there is no template
     * @throws TemplateException if the template fails, or {@code messages} is empty
     */
    @Nullable
    String prompt(
            List<?> messages,
            @Nullable Object tools,
            @Nullable Object variables,
            @Nullable String own,
            @Nullable Object toolChoice,
            RenderLimits limits) {
        Map<String, @Nullable Object> more = new LinkedHashMap<>(templates.specialTokens());
        if (variables instanceof Map<?, ?> given) {
            given.forEach((key, value) -> more.put(String.valueOf(key), value));
        }
        Object givenTools = more.remove("tools");
        Object allTools = tools == null ? givenTools : tools;
        String named = more.remove("chat_template") instanceof String text ? text : null;
        String source = templates.choose(own == null ? named : own, allTools != null);
        if (source == null || messages.isEmpty()) {
            return null;
        }
        if (more.containsKey("messages") || Boolean.TRUE.equals(more.get("continue_final_message"))) {
            throw new TemplateException("chat_template_kwargs contains a reserved name");
        }
        Object documents = more.remove("documents");
        more.keySet().removeAll(List.of("tokenize", "return_dict", "add_generation_prompt", "continue_final_message"));
        if (toolChoice != null) {
            more.put("tool_choice", toolChoice);
        }
        List<@Nullable Object> parsedMessages = new ArrayList<>();
        for (Object message : messages) {
            parsedMessages.add(withReasoning(ToolCalls.withParsedArguments((Map<?, ?>) message)));
        }
        more.put("messages", parsedMessages);
        more.put("tools", allTools);
        more.put("documents", documents);
        more.put("add_generation_prompt", true);
        return template(source).render(more, limits);
    }

    /**
     * Renders an answer in the shortest possible conversation.
     *
     * @param thought the reasoning; empty if there is none
     * @param toolCalls whole or streamed calls; empty if there are none
     * @return null if there is no template
     * @throws TemplateException if the template fails
     */
    @Nullable
    String answer(String text, String thought, List<?> toolCalls, RenderLimits limits) {
        Map<String, @Nullable Object> message = new LinkedHashMap<>();
        message.put("role", "assistant");
        message.put("content", text);
        if (!thought.isEmpty()) {
            message.put("reasoning_content", thought);
        }
        if (!toolCalls.isEmpty()) {
            message.put("tool_calls", ToolCalls.joined(toolCalls));
        }
        return conversation(withReasoning(ToolCalls.withParsedArguments(message)), limits);
    }

    /**
     * Renders an empty answer, whose tokens are the fixed overhead of the template. As in the reference, the template must also accept a
     * conversation that consists of one empty user message.
     *
     * @return null if there is no template
     * @throws TemplateException if the template fails on either conversation
     */
    @Nullable
    String frame(RenderLimits limits) {
        conversation(null, limits);
        return answer("", "", List.of(), limits);
    }

    private @Nullable String conversation(@Nullable Map<?, ?> answer, RenderLimits limits) {
        String source = templates.choose(null, false);
        if (source == null) {
            return null;
        }
        Map<String, @Nullable Object> user = new LinkedHashMap<>();
        user.put("role", "user");
        user.put("content", "");
        List<@Nullable Object> messages = new ArrayList<>();
        messages.add(user);
        if (answer != null) {
            messages.add(answer);
        }
        Map<String, @Nullable Object> variables = new LinkedHashMap<>(templates.specialTokens());
        variables.put("messages", messages);
        variables.put("tools", null);
        variables.put("documents", null);
        variables.put("add_generation_prompt", false);
        return template(source).render(variables, limits);
    }

    private Map<?, ?> withReasoning(Map<?, ?> message) {
        Object thought = null;
        for (String name : REASONING) {
            thought = thought == null ? message.get(name) : thought;
        }
        if (thought == null || !version.aliasesReasoning()) {
            return message;
        }
        Map<Object, @Nullable Object> copy = new LinkedHashMap<>();
        copy.put("thinking", thought);
        copy.putAll(message);
        copy.put("reasoning_content", thought);
        return copy;
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
