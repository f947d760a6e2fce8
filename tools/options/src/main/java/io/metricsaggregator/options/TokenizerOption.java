package io.metricsaggregator.options;

import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.tokens.ChatFormat;
import io.metricsaggregator.tokens.HuggingFaceTokenCounter;
import io.metricsaggregator.tokens.TokenCounter;
import io.metricsaggregator.tokens.TokenizerFile;
import io.metricsaggregator.tokens.TransformersVersion;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Loads the tokenizer of a command, and sizes the memory for texts that wait for it. */
public final class TokenizerOption {
    private static final double SHARE_OF_HEAP_FOR_TEXTS = 0.15;

    private TokenizerOption() {}

    /**
     * A loaded tokenizer.
     *
     * @param source absolute path of {@code tokenizer.json}
     * @param counter counts the tokens of a text; thread-safe
     * @param chat the model's chat template
     */
    public record Loaded(String source, TokenCounter counter, ChatFormat chat) {
        /** The tokenizer as recorded in the configuration of a run. */
        public RunConfig.Tokenizer settings() {
            return new RunConfig.Tokenizer(source, chat.source(), chat.version().toString());
        }

        /**
         * The tokenizer as a resource of a run.
         *
         * @param workers threads that count during the run
         * @param textMaxBytes memory for texts that wait, in bytes; null for 15 % of the maximum heap size
         */
        public RunResources.Tokens resource(int workers, @Nullable Long textMaxBytes) {
            long bytes = textMaxBytes == null
                    ? (long) (Runtime.getRuntime().maxMemory() * SHARE_OF_HEAP_FOR_TEXTS)
                    : textMaxBytes;
            return new RunResources.Tokens(counter, chat, workers, bytes);
        }
    }

    /**
     * Loads a tokenizer.
     *
     * @param wanted the value of {@code --tokenizer}: a file, its folder, or a model in the local hub cache
     * @param version version of transformers whose chat rendering is followed
     * @throws IllegalArgumentException if it is missing or not a tokenizer
     */
    public static Loaded load(String wanted, TransformersVersion version) {
        try {
            Path file = TokenizerFile.find(wanted);
            return new Loaded(
                    file.toAbsolutePath().toString(),
                    HuggingFaceTokenCounter.open(file),
                    ChatFormat.beside(file, version));
        } catch (IOException e) {
            throw new IllegalArgumentException("--tokenizer: " + Messages.of(e), e);
        }
    }
}
