package io.metricsaggregator.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.template.RenderLimits;
import io.metricsaggregator.template.TemplateException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChatFormatTest {
    private static final List<?> HI = List.of(Map.of("role", "user", "content", "hi"));

    @TempDir
    Path directory;

    private ChatFormat format(String config) throws IOException {
        Files.writeString(directory.resolve("tokenizer_config.json"), config);
        return ChatFormat.beside(directory.resolve("tokenizer.json"));
    }

    @Test
    void specialTokensAreReadFromStringsAndObjects() throws IOException {
        ChatFormat chat = format("""
            {"bos_token": "<s>", "eos_token": {"content": "</s>", "lstrip": false}, "pad_token": null,
             "chat_template": "{{ bos_token }}{{ messages[0].content }}{{ eos_token }}{{ pad_token }}"}\
            """);
        assertThat(chat.prompt(HI, null, null, null, null, RenderLimits.DEFAULT))
                .isEqualTo("<s>hi</s>");
    }

    @Test
    void aTemplateFileTakesPrecedenceOverTheConfiguration() throws IOException {
        Files.writeString(directory.resolve("chat_template.jinja"), "file");
        assertThat(format("{\"chat_template\": \"config\"}").prompt(HI, null, null, null, null, RenderLimits.DEFAULT))
                .isEqualTo("file");
    }

    @Test
    void theToolTemplateIsUsedForRequestsWithTools() throws IOException {
        ChatFormat chat = format("""
            {"chat_template": [{"name": "default", "template": "plain"}, {"name": "tool_use", "template": "tools"}]}\
            """);
        assertThat(chat.prompt(HI, null, null, null, null, RenderLimits.DEFAULT))
                .isEqualTo("plain");
        assertThat(chat.prompt(HI, List.of(), null, null, null, RenderLimits.DEFAULT))
                .isEqualTo("tools");
        assertThat(chat.answer("x", "", List.of(), RenderLimits.DEFAULT)).isEqualTo("plain");
    }

    @Test
    void theTemplateAndVariablesOfARequestAreUsed() throws IOException {
        ChatFormat chat = format("{\"chat_template\": \"model\"}");
        assertThat(chat.prompt(
                        HI,
                        null,
                        Map.of("extra", 5L),
                        "{{ extra }}{{ tool_choice }}{{ add_generation_prompt }}",
                        "auto",
                        RenderLimits.DEFAULT))
                .isEqualTo("5autoTrue");
        assertThatThrownBy(() -> chat.prompt(HI, null, null, "{{ raise_exception('no') }}", null, RenderLimits.DEFAULT))
                .isInstanceOf(TemplateException.class)
                .hasMessageContaining("no");
    }

    @Test
    void withoutATemplateNothingIsRendered() throws IOException {
        ChatFormat none = format("{}");
        assertThat(none.prompt(HI, null, null, null, null, RenderLimits.DEFAULT))
                .isNull();
        assertThat(none.answer("x", "y", List.of(), RenderLimits.DEFAULT)).isNull();
    }

    private String reasoningIn(String version, Map<String, ?> message) throws IOException {
        Files.writeString(directory.resolve("tokenizer_config.json"), "{}");
        ChatFormat chat = ChatFormat.beside(directory.resolve("tokenizer.json"), TransformersVersion.parse(version));
        return chat.prompt(
                List.of(message),
                null,
                null,
                "{{ messages[0].reasoning_content }}|{{ messages[0].thinking }}|{{ messages[0].reasoning }}",
                null,
                RenderLimits.DEFAULT);
    }

    @Test
    void reasoning_is_read_from_alternative_keys_since_transformers_5_21() throws IOException {
        Map<String, ?> message = Map.of("role", "assistant", "content", "x", "reasoning", "hm");
        assertThat(reasoningIn("5.5.0", message)).isEqualTo("||hm");
        assertThat(reasoningIn("5.20.2", message)).isEqualTo("||hm");
        assertThat(reasoningIn("5.21.0", message)).isEqualTo("hm|hm|hm");
        assertThat(reasoningIn("6.0", message)).isEqualTo("hm|hm|hm");
        Map<String, ?> both = Map.of("role", "assistant", "reasoning_content", "a", "thinking", "b");
        assertThat(reasoningIn("5.5.0", both)).isEqualTo("a|b|");
        assertThat(reasoningIn("5.21.0", both)).isEqualTo("a|b|");
        assertThatThrownBy(() -> TransformersVersion.parse("new")).hasMessageContaining("such as 5.5.0");
    }

    @Test
    void template_files_replace_those_of_the_configuration_including_the_tool_template() throws IOException {
        Path additional = Files.createDirectories(directory.resolve("additional_chat_templates"));
        Files.writeString(additional.resolve("tool_use.jinja"), "tools of a file");
        Files.writeString(additional.resolve("rag.jinja"), "rag");
        ChatFormat chat = format("{\"chat_template\": \"config\"}");
        assertThat(chat.prompt(HI, List.of(), null, null, null, RenderLimits.DEFAULT))
                .isEqualTo("tools of a file");
        Files.writeString(directory.resolve("chat_template.jinja"), "plain");
        ChatFormat whole = format("{\"chat_template\": \"config\"}");
        assertThat(whole.prompt(HI, null, null, null, null, RenderLimits.DEFAULT))
                .isEqualTo("plain");
        assertThat(whole.prompt(HI, List.of(), null, null, null, RenderLimits.DEFAULT))
                .isEqualTo("tools of a file");
        assertThat(whole.prompt(HI, null, null, "rag", null, RenderLimits.DEFAULT))
                .isEqualTo("rag");
        assertThat(whole.source()).endsWith("chat_template.jinja");
    }

    @Test
    void request_variables_cannot_replace_the_conversation() throws IOException {
        ChatFormat chat =
                format("{\"chat_template\": \"{{ messages|length }}{{ add_generation_prompt }}{{ tools }}\"}");
        Map<String, Object> variables = Map.of("add_generation_prompt", false, "tools", List.of("t"), "tokenize", true);
        assertThat(chat.prompt(HI, null, variables, null, null, RenderLimits.DEFAULT))
                .isEqualTo("1True['t']");
        assertThatThrownBy(() -> chat.prompt(HI, null, Map.of("messages", List.of()), null, null, RenderLimits.DEFAULT))
                .isInstanceOf(TemplateException.class);
    }

    @Test
    void anUnreadableConfigurationIsNamedInTheError() {
        assertThatThrownBy(() -> format("{nonsense"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("tokenizer_config.json");
    }
}
