package io.metricsaggregator.cli;

import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.fold.Slo;
import io.metricsaggregator.fold.Streaming;
import io.metricsaggregator.fold.TimeCut;
import io.metricsaggregator.tokens.TransformersVersion;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options that recompute a run of a journal with different settings. */
final class WhatIfOptions {
    @Option(
            names = "--warmup-cut",
            paramLabel = "TIME",
            description =
                    "For a journal: leave out samples issued in the first TIME, such as 30s, of what was tracked.")
    private @Nullable Duration warmupCut;

    @Option(
            names = "--window",
            paramLabel = "FROM..TO",
            description = "For a journal: only samples issued in this time since the start of the session, such as"
                    + " 60s..5m; either end may be missing.")
    private @Nullable String window;

    @Option(
            names = "--exclude-worker",
            paramLabel = "WORKER",
            description = "For a journal: leave out a worker, by number or source name, and every sample it had to do"
                    + " with. May be repeated.")
    private List<String> excludedWorkers = List.of();

    @Option(
            names = "--percentiles",
            paramLabel = "P",
            split = ",",
            description = "For a journal: further percentiles, such as 99.5,99.99.")
    private List<Double> percentiles = List.of();

    @Option(
            names = "--slo",
            paramLabel = "LIMITS",
            converter = SloConverter.class,
            description = "For a journal: judge by these objectives rather than the run's own; see run --slo.")
    private @Nullable Slo objectives;

    @Option(
            names = "--tokenizer",
            paramLabel = "PATH",
            description =
                    "For a journal: count tokens with this tokenizer rather than the one the run had; none: do not"
                            + " count them.")
    private @Nullable String tokenizer;

    @Option(
            names = "--streaming",
            description = "For a journal: have time to first token and between chunks, also if the run had not.")
    private boolean streaming;

    @Option(names = "--no-streaming", description = "For a journal: leave these series out, also if the run had them.")
    private boolean noStreaming;

    @Option(
            names = "--track",
            paramLabel = "SAMPLES",
            description =
                    "For a journal: all: track every sample from the first record on, whatever the session's events"
                            + " say; events: what they say. Default: as the run had it.")
    private TrackingOptions.@Nullable Track track;

    @Mixin
    private TelemetryFlags telemetry = new TelemetryFlags();

    /** Whether any is given. */
    boolean areGiven() {
        return warmupCut != null
                || window != null
                || !excludedWorkers.isEmpty()
                || !percentiles.isEmpty()
                || objectives != null
                || tokenizer != null
                || streaming
                || noStreaming
                || track != null
                || telemetry.areGiven();
    }

    /**
     * The configuration of the recomputed run.
     *
     * @param recorded configuration of the recorded run, kept where no option is given
     * @param tokenizer result of {@link #tokenizer(RunConfig)}
     */
    RunConfig config(RunConfig recorded, TokenizerOption.@Nullable Loaded tokenizer) {
        RunConfig.Builder config = recorded.toBuilder()
                .version(Version.text())
                .cut(cut())
                .excludedWorkers(Set.copyOf(excludedWorkers))
                .percentiles(percentiles)
                .tokenizer(tokenizer == null ? null : tokenizer.settings());
        if (objectives != null) {
            config.objectives(objectives);
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
        return config.build();
    }

    private TimeCut cut() {
        long warmup = warmupCut == null ? 0 : warmupCut.toNanos();
        if (window == null) {
            return new TimeCut(warmup, 0, Long.MAX_VALUE);
        }
        int dots = window.indexOf("..");
        if (dots < 0) {
            throw new IllegalArgumentException("--window '" + window + "' does not look like 60s..5m");
        }
        long from = time(window.substring(0, dots), 0);
        long to = time(window.substring(dots + 2), Long.MAX_VALUE);
        if (to <= from) {
            throw new IllegalArgumentException("--window '" + window + "' ends before it begins");
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
    TokenizerOption.@Nullable Loaded tokenizer(RunConfig recorded) {
        RunConfig.Tokenizer own = recorded.tokenizer();
        TransformersVersion version = own == null || own.transformersVersion().isEmpty()
                ? TransformersVersion.DEFAULT
                : TransformersVersion.parse(own.transformersVersion());
        if (tokenizer != null) {
            return tokenizer.equals("none") ? null : TokenizerOption.load(tokenizer, version);
        }
        if (own == null) {
            return null;
        }
        try {
            return TokenizerOption.load(own.source(), version);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "the run counted tokens with " + own.source()
                            + ", which cannot be used now: give --tokenizer PATH, or" + " --tokenizer none. "
                            + e.getMessage(),
                    e);
        }
    }
}
