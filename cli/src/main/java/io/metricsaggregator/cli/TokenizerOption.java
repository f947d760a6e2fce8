package io.metricsaggregator.cli;

import io.metricsaggregator.daemon.AggregatorOptions;
import io.metricsaggregator.tokens.ChatFormat;
import io.metricsaggregator.tokens.HuggingFaceTokenCounter;
import io.metricsaggregator.tokens.TokenizerFile;
import io.metricsaggregator.tokens.TransformersVersion;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Loads the tokenizer that a command was given. */
final class TokenizerOption {
    private static final double SHARE_OF_HEAP_FOR_TEXTS = 0.15;

    private TokenizerOption() {}

    /**
     * Loads it.
     *
     * @param wanted as {@code --tokenizer} has it
     * @param workers threads that count while the run goes on
     * @param textMaxBytes memory for texts that wait; null for the default
     * @param version of transformers whose handling of chats is followed; null for the default
     * @throws IllegalArgumentException if it is not there or cannot be used
     */
    static AggregatorOptions.Tokens load(
            String wanted, int workers, @Nullable Long textMaxBytes, @Nullable TransformersVersion version) {
        try {
            Path file = TokenizerFile.find(wanted);
            return new AggregatorOptions.Tokens(
                    HuggingFaceTokenCounter.open(file),
                    ChatFormat.beside(file, version == null ? TransformersVersion.DEFAULT : version),
                    workers,
                    textMaxBytes == null
                            ? (long) (Runtime.getRuntime().maxMemory() * SHARE_OF_HEAP_FOR_TEXTS)
                            : textMaxBytes,
                    file.toAbsolutePath().toString());
        } catch (IOException e) {
            throw new IllegalArgumentException("--tokenizer: " + Messages.of(e), e);
        }
    }
}
