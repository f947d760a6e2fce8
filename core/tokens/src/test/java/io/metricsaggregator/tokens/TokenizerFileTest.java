package io.metricsaggregator.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenizerFileTest {
    @TempDir
    Path directory;

    private Path file(String path) throws IOException {
        Path file = directory.resolve(path);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, "{}");
    }

    @Test
    void aTokenizerIsFoundByFileByFolderAndByModelNameInTheLocalCache() throws IOException {
        Path plain = file("some/tokenizer.json");
        assertThat(TokenizerFile.find(plain.toString())).isEqualTo(plain);
        assertThat(TokenizerFile.find(plain.getParent().toString())).isEqualTo(plain);
        Path cached = file("hub/models--org--model/snapshots/abc/tokenizer.json");
        assertThat(TokenizerFile.find("org/model", directory.resolve("hub"))).isEqualTo(cached);
    }

    @Test
    void aMissingTokenizerIsNamedAndNotDownloaded() throws IOException {
        Files.createDirectories(directory.resolve("empty"));
        assertThatThrownBy(() -> TokenizerFile.find(directory.resolve("empty").toString()))
                .isInstanceOf(FileNotFoundException.class)
                .hasMessageContaining("has no tokenizer.json in " + directory.resolve("empty"))
                .hasMessageContaining("save_pretrained");
        assertThatThrownBy(() -> TokenizerFile.find("org/absent", directory.resolve("hub")))
                .isInstanceOf(FileNotFoundException.class)
                .hasMessageContaining("org/absent not found")
                .hasMessageContaining("hf download org/absent")
                .hasMessageContaining("hub");
        file("hub/models--org--slow/snapshots/abc/tokenizer.model");
        assertThatThrownBy(() -> TokenizerFile.find("org/slow", directory.resolve("hub")))
                .isInstanceOf(FileNotFoundException.class)
                .hasMessageContaining("org/slow has no tokenizer.json")
                .hasMessageContaining("save_pretrained");
        assertThatThrownBy(() -> TokenizerFile.find("/no/such/file")).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void aMalformedTokenizerFileIsRejected() throws IOException {
        Path wrong = file("wrong/tokenizer.json");
        assertThatThrownBy(() -> HuggingFaceTokenCounter.open(wrong))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(wrong.toString());
    }

    @Test
    void longTextsAreNotTruncatedAndNoSpecialTokensAreAdded() throws IOException {
        TokenCounter counter = HuggingFaceTokenCounter.open(TokenizerFile.find(
                Path.of("../../quality/golden/endpoints/tokenizers/char").toString()));
        assertThat(counter.count("x".repeat(5000))).isEqualTo(5000);
        assertThat(counter.count("")).isZero();
        assertThat(counter.count("naïve 😀 </s>")).isEqualTo(9);
    }
}
