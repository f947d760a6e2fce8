package io.metricsaggregator.flink.stream;

import io.metricsaggregator.codec.RunIds;
import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunConfigCodec;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.journal.RunOrigin;
import io.metricsaggregator.options.TokenizerOption;
import io.metricsaggregator.options.WhatIfArguments;
import io.metricsaggregator.run.StreamedRun;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How the runs of a stream are folded, and when a run ends without saying so. Immutable; part of the job's graph.
 *
 * @param settings the configuration of every run as {@link RunConfigCodec} encodes it, before {@code options}
 * @param options settings that differ from {@code settings}, as arguments of {@link WhatIfArguments}; they name the tokenizer, which tasks load
 * @param valuesMaxBytes memory for the values of a run, from which its last percentiles are computed; beyond it they are those of the histograms
 * @param intervalMillis time between snapshots of a run
 * @param idleMillis a run without a frame for this long is interrupted; 0 for never
 * @param rows folder of the rows of samples, as a URI; null for no rows
 */
public record RunSettings(
        TreeMap<String, String> settings,
        ArrayList<String> options,
        long valuesMaxBytes,
        long intervalMillis,
        long idleMillis,
        @Nullable String rows)
        implements Serializable {
    private static final long serialVersionUID = 1;
    private static final Pattern ID = Pattern.compile("[0-9a-f]{16}");

    /** A task has one core of its task manager, for all its runs. */
    private static final int TOKENIZER_THREADS = 1;

    private static final long TEXT_MAX_BYTES = 16 << 20;

    /** Settings of runs with a configuration. */
    public static RunSettings of(RunConfig config, long valuesMaxBytes, long intervalMillis, long idleMillis) {
        Map<String, String> encoded = RunConfigCodec.encode(config);
        return new RunSettings(
                new TreeMap<>(encoded), new ArrayList<>(), valuesMaxBytes, intervalMillis, idleMillis, null);
    }

    /** The same settings with options, as {@link #options}. */
    public RunSettings withOptions(List<String> arguments) {
        return new RunSettings(settings, new ArrayList<>(arguments), valuesMaxBytes, intervalMillis, idleMillis, rows);
    }

    /** The same settings with another folder of rows, as {@link #rows}. */
    public RunSettings withRows(@Nullable String folder) {
        return new RunSettings(settings, options, valuesMaxBytes, intervalMillis, idleMillis, folder);
    }

    /** The id of a run: its name if that is an id, or one that follows from its name, the same in every task and attempt. */
    private static String id(String run) {
        return ID.matcher(run).matches() ? run : RunIds.of(run);
    }

    /** The description of a run, as a journal of it would have it. */
    Map<String, String> description(String run, long startedWallNanos, TokenizerOption.@Nullable Loaded tokenizer) {
        Map<String, String> description = new TreeMap<>(RunConfigCodec.encode(configured(tokenizer)));
        description.put(RunOrigin.RUN_ID, id(run));
        description.put(RunOrigin.STARTED_WALL_NANOS, Long.toString(startedWallNanos));
        return description;
    }

    /** Loads the tokenizer that the options name; null if texts are not counted. */
    TokenizerOption.@Nullable Loaded tokenizer() {
        return WhatIfArguments.parse(options).tokenizer(RunConfigCodec.decode(settings));
    }

    /** The configuration of the runs. */
    private RunConfig configured(TokenizerOption.@Nullable Loaded tokenizer) {
        RunConfig config = RunConfigCodec.decode(settings);
        return options.isEmpty() ? config : WhatIfArguments.parse(options).config(config, config.version(), tokenizer);
    }

    /**
     * Starts a run.
     *
     * @param tokenizer result of {@link #tokenizer()}
     */
    StreamedRun start(String run, long startedWallNanos, TokenizerOption.@Nullable Loaded tokenizer) {
        RunConfig config = configured(tokenizer);
        RunResources resources = RunResources.ofReplay(
                tokenizer == null ? null : tokenizer.resource(TOKENIZER_THREADS, TEXT_MAX_BYTES), valuesMaxBytes);
        return StreamedRun.start(id(run), startedWallNanos, config, resources);
    }
}
