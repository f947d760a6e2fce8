package io.metricsaggregator.cli.view;

import io.metricsaggregator.cli.console.Version;
import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.fold.series.Slo;
import io.metricsaggregator.options.TokenizerOption;
import io.metricsaggregator.options.WhatIfOptions;
import io.metricsaggregator.run.JournalReplay;
import io.metricsaggregator.run.RunMerge;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import io.metricsaggregator.sweep.RunReader;
import io.metricsaggregator.sweep.SingleObjective;
import io.metricsaggregator.sweep.SweepRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the runs of a sweep from files and directories. One thread. */
final class SweepInputs {
    private static final int RUNS_MAX = 1024;

    private final RunReader reader;
    private final @Nullable Slo objectives;
    private final UnaryOperator<MetricsSnapshot> stated;
    private final List<Path> sources = new ArrayList<>();

    /**
     * Creates a reader of inputs.
     *
     * @param objectives limits by which samples are judged; null for those of each run
     * @param stated adds what the user states to a snapshot
     */
    SweepInputs(RunReader reader, @Nullable Slo objectives, UnaryOperator<MetricsSnapshot> stated) {
        this.reader = reader;
        this.objectives = objectives;
        this.stated = stated;
    }

    /** The files that were read, for the permissions of the output. */
    List<Path> sources() {
        return sources;
    }

    /**
     * Reads the runs of paths: a final snapshot, its directory, a journal, or a directory whose sub-directories hold them.
     *
     * @throws IllegalArgumentException if a directory holds no run, or there are more than {@value #RUNS_MAX}
     */
    List<SweepRun> read(List<Path> paths) throws IOException {
        List<SweepRun> runs = new ArrayList<>();
        for (Path path : paths) {
            for (Path each : expand(path)) {
                runs.add(run(each, null));
            }
        }
        if (runs.size() > RUNS_MAX) {
            throw new IllegalArgumentException("a sweep has at most " + RUNS_MAX + " runs, not " + runs.size());
        }
        return runs;
    }

    /**
     * Reads the runs of {@code --point CONCURRENCY=PATH}.
     *
     * @throws IllegalArgumentException if a text is not of that form
     */
    List<SweepRun> points(List<String> texts) throws IOException {
        List<SweepRun> runs = new ArrayList<>();
        for (String text : texts) {
            int equals = text.indexOf('=');
            if (equals < 1 || equals + 1 == text.length()) {
                throw new IllegalArgumentException(
                        "--point '" + text + "' is not CONCURRENCY=PATH, such as 64=results/c64");
            }
            runs.add(run(Path.of(text.substring(equals + 1)), text.substring(0, equals)));
        }
        return runs;
    }

    private static boolean isRun(Path path) {
        return !Files.isDirectory(path) || Files.exists(FinalSnapshotFile.find(path));
    }

    /** The runs of a path: itself, or those of its sub-directories. */
    static List<Path> expand(Path path) throws IOException {
        if (!Files.exists(path)) {
            throw new NoSuchFileException(path.toString());
        }
        if (isRun(path) || RunMerge.isJournal(path)) {
            return List.of(path);
        }
        List<Path> inside;
        try (Stream<Path> children = Files.list(path)) {
            inside = children.filter(Files::isDirectory).sorted().toList();
        }
        List<Path> runs = inside.stream().filter(SweepInputs::isRun).toList();
        if (runs.isEmpty()) {
            throw new IllegalArgumentException(path + " holds no " + FinalSnapshotFile.NAME
                    + ", no journal, and no directory with a " + FinalSnapshotFile.NAME);
        }
        return runs;
    }

    private SweepRun run(Path path, @Nullable String concurrency) throws IOException {
        boolean journal = Files.isDirectory(path) && RunMerge.isJournal(path);
        if (journal && (objectives != null || !isRun(path))) {
            sources.add(path);
            return reader.read(path.toString(), stated.apply(recomputed(path)), concurrency);
        }
        sources.add(FinalSnapshotFile.find(path));
        MetricsSnapshot snapshot = stated.apply(FinalSnapshotFile.read(path));
        if (objectives == null) {
            return reader.read(path.toString(), snapshot, concurrency);
        }
        SingleObjective single = single(objectives);
        if (single == null) {
            throw new IllegalArgumentException("--slo with several limits needs journals, but " + path
                    + " is a final snapshot: it does not say which samples meet all limits together");
        }
        return new RunReader(reader.by(), reader.gpus(), reader.wholeRuns(), single)
                .read(path.toString(), snapshot, concurrency);
    }

    /** The only limit of objectives; null if there are several, or classes. */
    private static @Nullable SingleObjective single(Slo slo) {
        if (!slo.classes().isEmpty()) {
            return null;
        }
        int limits = (slo.limitsTtft() ? 1 : 0) + (slo.limitsTpot() ? 1 : 0) + (slo.limitsLatency() ? 1 : 0);
        if (limits != 1) {
            return null;
        }
        SingleObjective.Duration which = slo.limitsTtft()
                ? SingleObjective.Duration.TTFT
                : slo.limitsTpot() ? SingleObjective.Duration.TPOT : SingleObjective.Duration.LATENCY;
        return new SingleObjective(
                which, Math.min(slo.ttftNanos(), Math.min(slo.tpotNanos(), slo.latencyNanos())), slo.targetShare());
    }

    private MetricsSnapshot recomputed(Path journal) throws IOException {
        JournalReplay replay = JournalReplay.open(journal);
        WhatIfOptions same = new WhatIfOptions();
        TokenizerOption.Loaded tokenizer = same.tokenizer(replay.recorded());
        RunConfig config = same.config(replay.recorded(), Version.text(), tokenizer);
        return replay.compute(
                objectives == null
                        ? config
                        : config.toBuilder().objectives(objectives).build(),
                RunResources.ofReplay(
                        tokenizer == null
                                ? null
                                : tokenizer.resource(Runtime.getRuntime().availableProcessors(), null),
                        Runtime.getRuntime().maxMemory()));
    }
}
