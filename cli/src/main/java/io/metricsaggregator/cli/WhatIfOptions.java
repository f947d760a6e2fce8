package io.metricsaggregator.cli;

import io.metricsaggregator.daemon.AggregatorOptions;
import io.metricsaggregator.daemon.JournalReplay;
import io.metricsaggregator.daemon.WhatIf;
import io.metricsaggregator.fold.Slo;
import io.metricsaggregator.fold.Streaming;
import io.metricsaggregator.fold.TimeCut;
import io.metricsaggregator.tokens.TransformersVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How a journal's run is to be computed otherwise than it was. */
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
    private ObservationFlags telemetry = new ObservationFlags();

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
     * What they say.
     *
     * @param settings of the run
     */
    WhatIf build(Map<String, String> settings) {
        List<String> words = new ArrayList<>();
        if (warmupCut != null) {
            words.add("without samples issued in the first " + text(warmupCut) + " of what was tracked");
        }
        if (window != null) {
            words.add("only samples issued in " + window + " since the start of the session");
        }
        excludedWorkers.forEach(worker -> words.add("without worker " + worker));
        if (objectives != null) {
            words.add("judged by other objectives");
        }
        if (tokenizer != null) {
            words.add(tokenizer.equals("none") ? "tokens not counted" : "tokens counted with " + tokenizer);
        }
        Streaming forced = TrackingOptions.forced(streaming, noStreaming);
        if (forced != null && forced != Streaming.ofSetting(settings.get("streaming"))) {
            words.add((forced == Streaming.ON ? "with" : "without") + " the series of streamed answers");
        }
        Boolean tracksAll = track == null ? null : (Boolean) (track == TrackingOptions.Track.ALL);
        if (tracksAll != null && tracksAll != "all".equals(settings.get("track"))) {
            words.add(tracksAll ? "every sample tracked" : "samples tracked by the session's events");
        }
        words.addAll(telemetry.words());
        return new WhatIf(
                cut(),
                Set.copyOf(excludedWorkers),
                percentiles,
                objectives,
                telemetry.areGiven() ? telemetry.build(JournalReplay.telemetry(settings)) : null,
                forced,
                tracksAll,
                words);
    }

    private static String text(Duration duration) {
        return duration.toNanos() / 1e9 + " s";
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

    private static long time(String text, long otherwise) {
        try {
            return text.isBlank()
                    ? otherwise
                    : new DurationConverter().convert(text).toNanos();
        } catch (CommandLine.TypeConversionException e) {
            throw new IllegalArgumentException("--window: " + e.getMessage(), e);
        }
    }

    /**
     * The tokenizer that was asked for, or else the run's own if it is still there.
     *
     * @param settings of the run
     */
    AggregatorOptions.@Nullable Tokens tokens(Map<String, String> settings) {
        int workers = Runtime.getRuntime().availableProcessors();
        if (tokenizer != null) {
            return tokenizer.equals("none") ? null : TokenizerOption.load(tokenizer, workers, null, version(settings));
        }
        String own = settings.get("tokenizer");
        if (own == null) {
            return null;
        }
        try {
            return TokenizerOption.load(own, workers, null, version(settings));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "the run counted tokens with " + own + ", which cannot be used now: give --tokenizer PATH, or"
                            + " --tokenizer none. " + e.getMessage(),
                    e);
        }
    }

    private static @Nullable TransformersVersion version(Map<String, String> settings) {
        String recorded = settings.get("transformers_version");
        return recorded == null ? null : TransformersVersion.parse(recorded);
    }
}
