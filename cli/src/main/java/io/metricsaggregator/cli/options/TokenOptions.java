package io.metricsaggregator.cli.options;

import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.fold.series.TokenSource;
import io.metricsaggregator.options.DurationConverter;
import io.metricsaggregator.options.Needs;
import io.metricsaggregator.options.OptionGroup;
import io.metricsaggregator.options.TokenizerOption;
import io.metricsaggregator.tokens.TransformersVersion;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** The tokenizer of {@code run}, its threads and its memory. */
@OptionGroup.In(OptionGroup.TOKENS)
public final class TokenOptions {
    private static final Duration NO_LIMIT = Duration.ofNanos(Long.MAX_VALUE);

    @Option(
            names = "--tokenizer",
            paramLabel = "PATH",
            description =
                    "Tokenizer to count tokens with: a tokenizer.json, its directory, or the name of a model in the"
                            + " local hub cache. Nothing is downloaded. Default: none; only prompts that arrive with token ids have"
                            + " a length.")
    private @Nullable String tokenizer;

    @Option(
            names = "--token-source",
            paramLabel = "SOURCE",
            defaultValue = "tokenizer",
            description =
                    "Where input and output tokens and the time per token come from. tokenizer: token ids and --tokenizer; usage:"
                            + " what servers report with completions, without --tokenizer; both: --tokenizer, and the run is"
                            + " questionable unless servers report tokens too. What servers report is always shown beside the counts."
                            + " Default: ${DEFAULT-VALUE}.")
    private TokenSource source = TokenSource.TOKENIZER;

    @Option(
            names = "--count-untracked",
            description =
                    "Count the outputs of samples issued outside the tracked windows too, once tracking has begun; series osl_all"
                            + " holds the lengths of all outputs. Needs --tokenizer, or --token-source usage.")
    private boolean countUntracked;

    @Needs({"--tokenizer", "--socket-dir"})
    @Option(
            names = "--tokenizer-workers",
            paramLabel = "N",
            defaultValue = "1",
            description = "Threads that count tokens during the run; 0 defers all counting to the end, which uses every"
                    + " core. Default: ${DEFAULT-VALUE}.")
    private int workers;

    @Needs({"--tokenizer", "--socket-dir"})
    @Option(
            names = "--transformers-version",
            paramLabel = "VERSION",
            converter = TransformersVersionConverter.class,
            defaultValue = "5.5.0",
            description = "Version of transformers whose chat rendering is followed. From 5.21 on, templates see the"
                    + " reasoning of a message as reasoning_content and as thinking. Default: ${DEFAULT-VALUE}, the version"
                    + " that MLCommons endpoints pins.")
    private TransformersVersion transformersVersion = TransformersVersion.DEFAULT;

    @Needs({"--tokenizer", "--socket-dir"})
    @Option(
            names = "--max-text-memory",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description = "Off-heap memory for texts that wait for the tokenizer. Texts beyond it stay uncounted and"
                    + " pending. Default: 15%% of the maximum heap size.")
    private @Nullable Long textMaxBytes;

    @Needs({"--tokenizer", "--socket-dir"})
    @Option(
            names = "--drain-timeout",
            paramLabel = "SECONDS",
            converter = NoneOrSeconds.class,
            defaultValue = "none",
            description =
                    "Time to finish counting tokens after the session has ended, in seconds or with a unit such as"
                            + " 5m; none: no limit. 0 means none, but with --socket-dir, as in MLCommons endpoints, to count"
                            + " nothing more. Default: ${DEFAULT-VALUE}.")
    private Duration drainTimeout = NO_LIMIT;

    /** Loads the tokenizer, which takes seconds; null without {@code --tokenizer}. */
    public TokenizerOption.@Nullable Loaded load() {
        return tokenizer == null ? null : TokenizerOption.load(tokenizer, transformersVersion);
    }

    /** Where the token series come from. */
    public TokenSource source() {
        return source;
    }

    /** Whether the outputs of samples that are not tracked are counted too. */
    public boolean countsUntracked() {
        return countUntracked;
    }

    /** Threads and memory for a tokenizer; null without one. */
    public RunResources.@Nullable Tokens resource(TokenizerOption.@Nullable Loaded loaded) {
        return loaded == null ? null : loaded.resource(workers, textMaxBytes);
    }

    /**
     * Time to count what is left after the session in nanoseconds; {@link Long#MAX_VALUE} for no limit.
     *
     * @param mlcommons whether 0 has the meaning that it has in MLCommons endpoints
     */
    public long drainTimeoutNanos(boolean mlcommons) {
        return drainTimeout.isZero() && !mlcommons ? Long.MAX_VALUE : drainTimeout.toNanos();
    }

    /** Converts {@code none} or a time in seconds. */
    static final class NoneOrSeconds implements ITypeConverter<Duration> {
        private final DurationConverter.Seconds seconds = new DurationConverter.Seconds();

        @Override
        public Duration convert(String text) throws Exception {
            return text.equals("none") ? NO_LIMIT : seconds.convert(text);
        }
    }
}
