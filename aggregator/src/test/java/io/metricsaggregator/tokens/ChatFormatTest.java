package io.metricsaggregator.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
    void specialTokensAreKnownWhetherPlainOrDescribed() throws IOException {
        ChatFormat chat = format("""
                {"bos_token": "<s>", "eos_token": {"content": "</s>", "lstrip": false}, "pad_token": null,
                 "chat_template": "{{ bos_token }}{{ messages[0].content }}{{ eos_token }}{{ pad_token }}"}""");
        assertThat(chat.prompt(HI, null, null, null, null)).isEqualTo("<s>hi</s>");
    }

    @Test
    void aTemplateInAFileOfItsOwnGoesBeforeThatOfTheConfiguration() throws IOException {
        Files.writeString(directory.resolve("chat_template.jinja"), "file");
        assertThat(format("{\"chat_template\": \"config\"}").prompt(HI, null, null, null, null))
                .isEqualTo("file");
    }

    @Test
    void theTemplateForToolsIsUsedWhenThereAreTools() throws IOException {
        ChatFormat chat = format("""
                {"chat_template": [{"name": "default", "template": "plain"}, {"name": "tool_use", "template": "tools"}]}""");
        assertThat(chat.prompt(HI, null, null, null, null)).isEqualTo("plain");
        assertThat(chat.prompt(HI, List.of(), null, null, null)).isEqualTo("tools");
        assertThat(chat.answer("x", "", List.of())).isEqualTo("plain");
    }

    @Test
    void aRequestsOwnTemplateAndVariablesAreUsed() throws IOException {
        ChatFormat chat = format("{\"chat_template\": \"model\"}");
        assertThat(chat.prompt(
                        HI,
                        null,
                        Map.of("extra", 5L),
                        "{{ extra }}{{ tool_choice }}{{ add_generation_prompt }}",
                        "auto"))
                .isEqualTo("5autoTrue");
        assertThatThrownBy(() -> chat.prompt(HI, null, null, "{{ raise_exception('no') }}", null))
                .isInstanceOf(TemplateException.class)
                .hasMessageContaining("no");
    }

    @Test
    void withoutATemplateThereIsNoText() throws IOException {
        ChatFormat none = format("{}");
        assertThat(none.isKnown()).isFalse();
        assertThat(none.prompt(HI, null, null, null, null)).isNull();
        assertThat(none.answer("x", "y", List.of())).isNull();
    }

    @Test
    void whatWasThoughtIsFoundUnderEachOfItsNames() throws IOException {
        ChatFormat chat = format("{}");
        List<?> messages = List.of(Map.of("role", "assistant", "content", "x", "reasoning", "hm"));
        assertThat(chat.prompt(
                        messages, null, null, "{{ messages[0].reasoning_content ~ messages[0].thinking }}", null))
                .isEqualTo("hmhm");
    }

    @Test
    void aBrokenConfigurationIsNamed() {
        assertThatThrownBy(() -> format("{nonsense"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("tokenizer_config.json");
    }
}
