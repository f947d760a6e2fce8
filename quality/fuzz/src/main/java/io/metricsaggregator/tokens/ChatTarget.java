package io.metricsaggregator.tokens;

import io.metricsaggregator.template.RenderLimits;
import io.metricsaggregator.template.TemplateException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Reads a tokenizer configuration and renders its chat template: it is rejected, fails or renders, in bounded time. */
public final class ChatTarget {
    private static final Path FOLDER = folder();
    private static final List<?> MESSAGES =
            List.of(Map.of("role", "user", "content", "hello"), Map.of("role", "assistant", "content", "good day"));
    private static final long LONGEST_NANOS = 10_000_000_000L;

    private ChatTarget() {}

    private static Path folder() {
        try {
            Path memory = Path.of("/dev/shm");
            Path folder = Files.isDirectory(memory)
                    ? Files.createTempDirectory(memory, "fuzz-chat")
                    : Files.createTempDirectory("fuzz-chat");
            folder.toFile().deleteOnExit();
            folder.resolve("tokenizer_config.json").toFile().deleteOnExit();
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Entry point of the fuzzer. */
    public static void fuzzerTestOneInput(byte[] input) throws IOException {
        Files.write(FOLDER.resolve("tokenizer_config.json"), input);
        ChatFormat chat;
        try {
            chat = ChatFormat.beside(FOLDER.resolve("tokenizer.json"));
        } catch (IOException e) {
            // The input is not JSON: rejected as it should be.
            return;
        }
        long start = System.nanoTime();
        try {
            chat.prompt(MESSAGES, null, null, null, null, RenderLimits.DEFAULT);
            chat.answer("text", "thought", List.of(), RenderLimits.DEFAULT);
        } catch (TemplateException e) {
            // A failing template is an expected outcome.
        }
        if (System.nanoTime() - start > LONGEST_NANOS) {
            throw new IllegalStateException("a template took " + (System.nanoTime() - start) / 1e9 + " s");
        }
    }
}
