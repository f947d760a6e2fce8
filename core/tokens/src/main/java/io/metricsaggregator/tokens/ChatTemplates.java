package io.metricsaggregator.tokens;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.codec.MalformedMessageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The chat templates and special tokens of a model's folder, from the same files as in transformers: {@code chat_template.jinja} and
 * {@code additional_chat_templates}, or else {@code chat_template} of {@code tokenizer_config.json}. Immutable.
 *
 * @param byName templates by name; template files replace those of the configuration
 * @param named whether templates are selected by name; false for a single unnamed template
 * @param specialTokens special tokens by their variable names in templates
 * @param source origin of the templates, for log lines and settings
 */
record ChatTemplates(
        Map<String, String> byName, boolean named, Map<String, @Nullable Object> specialTokens, String source) {
    static final String DEFAULT = "default";
    private static final String FOR_TOOLS = "tool_use";
    private static final String SUFFIX = ".jinja";
    private static final List<String> SPECIAL =
            List.of("bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token");

    /**
     * Reads the templates of a folder. They are optional, because requests can bring their own.
     *
     * @throws IOException if an existing file cannot be read
     */
    static ChatTemplates in(Path folder) throws IOException {
        Map<String, @Nullable Object> special = new LinkedHashMap<>();
        Object configured = null;
        Path config = folder.resolve("tokenizer_config.json");
        if (Files.isRegularFile(config)) {
            Map<String, @Nullable Object> tree = read(config);
            for (String name : SPECIAL) {
                Object value = tree.get(name);
                Object token = value instanceof Map<?, ?> map ? map.get("content") : value;
                if (token instanceof String) {
                    special.put(name, token);
                }
            }
            configured = tree.get("chat_template");
        }
        Map<String, String> files = files(folder);
        if (!files.isEmpty()) {
            boolean alone = files.size() == 1 && files.containsKey(DEFAULT);
            return new ChatTemplates(
                    files,
                    !alone,
                    special,
                    folder.resolve("chat_template.jinja").toString());
        }
        Map<String, String> byName = new LinkedHashMap<>();
        if (configured instanceof String text) {
            byName.put(DEFAULT, text);
        } else if (configured instanceof List<?> several) {
            several.forEach(each -> put(byName, each));
        }
        return new ChatTemplates(
                byName, configured instanceof List, special, byName.isEmpty() ? "none" : config.toString());
    }

    private static Map<String, @Nullable Object> read(Path config) throws IOException {
        try {
            return JsonTree.read(Files.readAllBytes(config));
        } catch (MalformedMessageException e) {
            throw new IOException(config + ": " + e.getMessage(), e);
        }
    }

    private static void put(Map<String, String> byName, @Nullable Object template) {
        if (template instanceof Map<?, ?> named
                && named.get("name") instanceof String name
                && named.get("template") instanceof String text) {
            byName.put(name, text);
        }
    }

    private static Map<String, String> files(Path folder) throws IOException {
        Map<String, String> files = new LinkedHashMap<>();
        Path single = folder.resolve("chat_template.jinja");
        if (Files.isRegularFile(single)) {
            files.put(DEFAULT, Files.readString(single));
        }
        Path additional = folder.resolve("additional_chat_templates");
        if (Files.isDirectory(additional)) {
            try (Stream<Path> entries = Files.list(additional)) {
                for (Path file : entries.sorted().toList()) {
                    String name = String.valueOf(file.getFileName());
                    if (name.endsWith(SUFFIX)) {
                        files.put(name.substring(0, name.length() - SUFFIX.length()), Files.readString(file));
                    }
                }
            }
        }
        return files;
    }

    /**
     * Selects the template for a request.
     *
     * @param own a template from the request or the name of one of the model's; null for the default
     * @param withTools whether the request has a list of tools, which may be empty
     * @return null if the model has no such template
     */
    @Nullable
    String choose(@Nullable String own, boolean withTools) {
        if (own != null) {
            return named ? byName.getOrDefault(own, own) : own;
        }
        return byName.get(withTools && named && byName.containsKey(FOR_TOOLS) ? FOR_TOOLS : DEFAULT);
    }
}
