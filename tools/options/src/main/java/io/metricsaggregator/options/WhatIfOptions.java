package io.metricsaggregator.options;

import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunLabels;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.fold.row.TimeCut;
import io.metricsaggregator.fold.series.Slo;
import io.metricsaggregator.fold.series.Streaming;
import io.metricsaggregator.fold.series.TokenSource;
import io.metricsaggregator.registry.PercentileGrid;
import io.metricsaggregator.run.JournalReplay;
import io.metricsaggregator.tokens.TransformersVersion;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The settings with which a journal is recomputed, where they differ from those of the run. */
@OptionGroup.In(OptionGroup.RECOMPUTATION)
public final class WhatIfOptions {
    /** Stands for the tokenizer of a run that is not known yet. */
    private static final RunConfig.Tokenizer ANY_TOKENIZER =
            new RunConfig.Tokenizer("tokenizer.json", "", TransformersVersion.DEFAULT.toString());

    @Option(
            names = "--warmup-cut",
            paramLabel = "TIME",
            description = "Exclude samples issued in the first TIME of tracking, such as 30s.")
    private @Nullable Duration warmupCut;

    @Option(
            names = "--window",
            paramLabel = "WINDOW",
            description =
                    "Include only samples issued in a window. FROM..TO: range of time since the session started, such as 60s..5m,"
                            + " TO excluded, either end may be omitted; steady: the steady window that the whole run has; superpass:LO..HI:"
                            + " these super-passes, numbered from 1 (see --superpass-size).")
    private @Nullable String window;

    @Option(
            names = "--exclude-worker",
            paramLabel = "WORKER",
            description =
                    "Exclude a worker, by number or source name, and every sample that it took part in. Repeatable.")
    private List<String> excludedWorkers = List.of();

    @Option(
            names = "--percentiles",
            paramLabel = "P",
            split = ",",
            description = "Additional percentiles, such as 99.5,99.99.")
    private List<Double> percentiles = List.of();

    @Option(
            names = "--slo",
            paramLabel = "LIMITS",
            converter = SloConverter.class,
            description =
                    "Latency objectives to use instead of the run's own, such as ttft=500ms,share=95%%; see run --slo.")
    private @Nullable Slo objectives;

    @Option(
            names = "--slo-key",
            paramLabel = "KEY",
            description =
                    "Label of samples whose values are the classes of --slo, such as priority; see run --slo-key.")
    private @Nullable String classKey;

    @Option(
            names = "--tokenizer",
            paramLabel = "PATH",
            description = "Tokenizer to use instead of the run's own; none: do not count tokens.")
    private @Nullable String tokenizer;

    @Option(
            names = "--token-source",
            paramLabel = "SOURCE",
            description =
                    "Where input and output tokens and the time per token come from instead: tokenizer, usage or both; see run"
                            + " --token-source.")
    private @Nullable TokenSource tokenSource;

    @Option(
            names = "--streaming",
            description = "Report time to first token and time between chunks even if the run did not.")
    private boolean streaming;

    @Option(
            names = "--no-streaming",
            description = "Do not report time to first token and time between chunks even if the run did.")
    private boolean noStreaming;

    @Option(
            names = "--track",
            paramLabel = "SAMPLES",
            description =
                    "Samples to measure. all: every sample from the first record on; events: those that the events of the"
                            + " session select. Default: as in the run.")
    private TrackingOptions.@Nullable Track track;

    @Option(
            names = "--label",
            paramLabel = "NAME=VALUE",
            description =
                    "Label of the recomputed run, beside or instead of those of the run; see run --label. Repeatable.")
    private List<String> labels = List.of();

    @Mixin
    private EnergyOptions energy = new EnergyOptions();

    @Mixin
    private FailureOptions failures = new FailureOptions();

    @Mixin
    private TelemetryFlags telemetry = new TelemetryFlags();

    @Mixin
    private TargetFlags targets = new TargetFlags();

    @Mixin
    private SteadyOptions steady = new SteadyOptions();

    /**
     * Computes the run with these options.
     *
     * @param config result of {@link #config}
     * @throws IOException if the journal cannot be read
     */
    public JournalReplay.Result replay(JournalReplay replay, RunConfig config, RunResources resources)
            throws IOException {
        if (window == null || !ReplayWindow.isFound(window)) {
            return replay.replay(config, resources);
        }
        requireNoWarmupCut();
        return ReplayWindow.replay(window, replay, config, resources);
    }

    private void requireNoWarmupCut() {
        if (warmupCut != null) {
            throw new IllegalArgumentException("--warmup-cut does not go with --window " + window);
        }
    }

    /**
     * Checks everything that does not depend on the run: for programs that open its journal later, and elsewhere.
     *
     * @throws IllegalArgumentException if a value is out of range or contradicts another; the message names it
     */
    public void requireUsable() {
        if (window != null && ReplayWindow.isFound(window)) {
            requireNoWarmupCut();
            ReplayWindow.requireReadable(window);
        }
        PercentileGrid.with(percentiles);
        boolean counts = tokenizer == null ? tokenSource != TokenSource.USAGE : !tokenizer.equals("none");
        config(RunConfig.builder().build(), "", counts ? ANY_TOKENIZER : null);
    }

    /**
     * Refuses the options that read a journal twice, for programs that read their input once.
     *
     * @param input what is read, for the message
     * @throws IllegalArgumentException naming the option
     */
    public void requireOnePass(String input) {
        if (!excludedWorkers.isEmpty()) {
            throw new IllegalArgumentException("--exclude-worker reads a journal twice: it does not go with " + input);
        }
        if (window != null && ReplayWindow.isFound(window)) {
            throw new IllegalArgumentException(
                    "--window " + window + " reads a journal twice: it does not go with " + input);
        }
    }

    /** Whether any of these options is given. */
    public boolean areGiven() {
        return warmupCut != null
                || window != null
                || !excludedWorkers.isEmpty()
                || !percentiles.isEmpty()
                || objectives != null
                || classKey != null
                || tokenizer != null
                || tokenSource != null
                || streaming
                || noStreaming
                || track != null
                || !labels.isEmpty()
                || energy.areGiven()
                || failures.isGiven()
                || telemetry.areGiven()
                || targets.areGiven()
                || steady.areGiven();
    }

    /**
     * The configuration of the recomputed run.
     *
     * @param recorded configuration of the recorded run, kept where no option is given
     * @param version version of the program that recomputes, for the snapshot
     * @param tokenizer result of {@link #tokenizer(RunConfig)}
     * @throws IllegalArgumentException if a value is out of range or contradicts another, or a setting of the run
     */
    public RunConfig config(RunConfig recorded, String version, TokenizerOption.@Nullable Loaded tokenizer) {
        return config(recorded, version, tokenizer == null ? null : tokenizer.settings());
    }

    private RunConfig config(RunConfig recorded, String version, RunConfig.@Nullable Tokenizer tokenizer) {
        RunConfig.Builder config = recorded.toBuilder()
                .version(version)
                .cut(cut())
                .excludedWorkers(Set.copyOf(excludedWorkers))
                .percentiles(percentiles)
                .energy(recorded.energy().with(energy.build()))
                .maxFailed(failures.isGiven() ? failures.build() : recorded.maxFailed())
                .labels(RunLabels.parse(labels))
                .tokenizer(tokenizer)
                .tokenSource(tokenSource(recorded, tokenizer != null));
        Slo judged = SloConverter.keyed(objectives, classKey);
        if (judged != null) {
            config.objectives(judged);
        }
        Streaming forced = TrackingOptions.forced(streaming, noStreaming);
        if (forced != null) {
            config.streaming(forced);
        }
        if (track != null) {
            config.trackAll(track == TrackingOptions.Track.ALL);
        }
        if (telemetry.areGiven()) {
            config.telemetry(telemetry.build(recorded.telemetry()));
        }
        config.targets(targets.build(recorded.targets()));
        return config.steady(steady.build(recorded.steady())).build();
    }

    /** The source given, or that of the run as far as it fits the tokenizer. */
    private TokenSource tokenSource(RunConfig recorded, boolean counts) {
        if (tokenSource != null) {
            return tokenSource;
        }
        return switch (recorded.tokenSource()) {
            case TOKENIZER -> TokenSource.TOKENIZER;
            case USAGE -> counts ? TokenSource.TOKENIZER : TokenSource.USAGE;
            case BOTH -> counts ? TokenSource.BOTH : TokenSource.TOKENIZER;
        };
    }

    private TimeCut cut() {
        long warmup = warmupCut == null ? 0 : warmupCut.toNanos();
        if (window == null || ReplayWindow.isFound(window)) {
            return new TimeCut(warmup, 0, Long.MAX_VALUE);
        }
        int dots = window.indexOf("..");
        if (dots < 0) {
            throw new IllegalArgumentException("--window '" + window + "' is not a range such as 60s..5m");
        }
        long from = time(window.substring(0, dots), 0);
        long to = time(window.substring(dots + 2), Long.MAX_VALUE);
        if (to <= from) {
            throw new IllegalArgumentException("--window '" + window + "' ends before it starts");
        }
        return new TimeCut(warmup, from, to);
    }

    private static long time(String text, long missing) {
        try {
            return text.isBlank()
                    ? missing
                    : new DurationConverter().convert(text).toNanos();
        } catch (CommandLine.TypeConversionException e) {
            throw new IllegalArgumentException("--window: " + e.getMessage(), e);
        }
    }

    /**
     * Loads the tokenizer given, or the run's own without the option.
     *
     * @return null if texts are not counted
     * @throws IllegalArgumentException if the tokenizer is missing or cannot be used
     */
    public TokenizerOption.@Nullable Loaded tokenizer(RunConfig recorded) {
        RunConfig.Tokenizer own = recorded.tokenizer();
        TransformersVersion version = own == null || own.transformersVersion().isEmpty()
                ? TransformersVersion.DEFAULT
                : TransformersVersion.parse(own.transformersVersion());
        if (tokenizer != null) {
            return tokenizer.equals("none") ? null : TokenizerOption.load(tokenizer, version);
        }
        if (own == null || tokenSource == TokenSource.USAGE) {
            return null;
        }
        try {
            return TokenizerOption.load(own.source(), version);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "cannot load the tokenizer of the run, " + own.source() + ": " + e.getMessage()
                            + ". Give --tokenizer PATH, or --tokenizer none",
                    e);
        }
    }
}
