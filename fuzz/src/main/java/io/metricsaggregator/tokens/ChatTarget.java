package io.metricsaggregator.tokens;

import io.metricsaggregator.template.RenderLimits;
import io.metricsaggregator.template.TemplateException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A tokenizer's configuration, and with it the chat template that it brings: it is refused, or fails, or renders, in bounded time. */
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

    /** Called by the fuzzer. */
    public static void fuzzerTestOneInput(byte[] input) throws IOException {
        Files.write(FOLDER.resolve("tokenizer_config.json"), input);
        ChatFormat chat;
        try {
            chat = ChatFormat.beside(FOLDER.resolve("tokenizer.json"));
        } catch (IOException e) {
            // It is not JSON, and says so.
            return;
        }
        long start = System.nanoTime();
        try {
            chat.prompt(MESSAGES, null, null, null, null, RenderLimits.DEFAULT);
            chat.answer("text", "thought", List.of(), RenderLimits.DEFAULT);
        } catch (TemplateException e) {
            // It fails alone.
        }
        if (System.nanoTime() - start > LONGEST_NANOS) {
            throw new IllegalStateException("a template took " + (System.nanoTime() - start) / 1e9 + " s");
        }
    }
}
