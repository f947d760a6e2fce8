package io.metricsaggregator.run;

import io.metricsaggregator.config.Recomputation;
import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunConfigCodec;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.fold.row.TimeCut;
import io.metricsaggregator.journal.JournalDirectory;
import io.metricsaggregator.journal.JournalReader;
import io.metricsaggregator.journal.RunFiles;
import io.metricsaggregator.parts.RunPart;
import io.metricsaggregator.publish.SteadyStateFiles;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.TimeSpan;
import io.metricsaggregator.storage.ValueStorage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Recomputes a run from its journal, by the fold that computed it, with its recorded settings or others. Used by one thread. */
public final class JournalReplay {
    private final RunFiles folder;
    private final RunConfig recorded;

    private JournalReplay(RunFiles folder, RunConfig recorded) {
        this.folder = folder;
        this.recorded = recorded;
    }

    /**
     * Opens the journal of a run.
     *
     * @param journal a run's folder, or the directory of journals, whose newest run is taken
     * @throws IOException if there is no run, or none of its segments can be read
     */
    public static JournalReplay open(Path journal) throws IOException {
        return open(RunFiles.local(JournalDirectory.findRun(journal)));
    }

    /**
     * Opens the journal of a run, wherever its files are.
     *
     * @throws IOException if none of its segments can be read
     */
    public static JournalReplay open(RunFiles folder) throws IOException {
        Map<String, String> description = JournalReader.describe(folder);
        if (description.isEmpty()) {
            throw new IOException(folder.name() + " holds no segment that can be read");
        }
        return new JournalReplay(folder, RunConfigCodec.decode(JournalRecovery.settings(description)));
    }

    /** The configuration that the run was recorded with. */
    public RunConfig recorded() {
        return recorded;
    }

    /**
     * Computes the terminal snapshot of the run. Settings in which {@code config} differs from {@link #recorded} are named in the
     * snapshot's {@code recomputed}.
     *
     * @param config decides the numbers
     * @param resources memory, and the tokenizer that {@code config} names
     * @throws IOException if the journal cannot be read
     * @throws IllegalArgumentException if an excluded worker sent no record
     */
    public MetricsSnapshot compute(RunConfig config, RunResources resources) throws IOException {
        return replay(config, resources).snapshot();
    }

    /**
     * A recomputed run.
     *
     * @param snapshot its terminal snapshot
     * @param steadyState the files of its steady state
     * @param part the run as a value that is written and added up; it has all values of the run
     * @param values keeps these values; closing the result frees them, and the part must not be used afterwards
     */
    public record Result(MetricsSnapshot snapshot, SteadyStateFiles steadyState, RunPart part, ValueStorage values)
            implements Closeable {
        @Override
        public void close() throws IOException {
            values.close();
        }
    }

    /**
     * Computes the run as {@link #compute}.
     *
     * @throws IOException if the journal cannot be read
     * @throws IllegalArgumentException if an excluded worker sent no record
     */
    public Result replay(RunConfig config, RunResources resources) throws IOException {
        ReplayedRun run = run(config, resources, Recomputation.words(recorded, config));
        MetricsSnapshot snapshot = run.complete();
        return new Result(snapshot, run.steadyStateFiles(), run.part(snapshot), run.values());
    }

    /**
     * Computes the run twice: finds its steady window, and then reports the samples issued in it. The steady state, and its files, are those of the whole
     * run.
     *
     * @throws IOException if the journal cannot be read
     * @throws IllegalArgumentException if the run has no steady window, or an excluded worker sent no record
     */
    public Result replaySteady(RunConfig config, RunResources resources) throws IOException {
        return replayCut(config, resources, (run, begun) -> SteadyCut.steady(run.steady(), begun));
    }

    /**
     * Computes the run twice as {@link #replaySteady}, for the samples issued in some super-passes.
     *
     * @param from number of the first, from 1
     * @param to number of the last, not below {@code from}
     * @throws IOException if the journal cannot be read
     * @throws IllegalArgumentException if the run does not have these super-passes, or an excluded worker sent no record
     */
    public Result replaySuperPasses(RunConfig config, RunResources resources, int from, int to) throws IOException {
        return replayCut(
                config, resources, (run, begun) -> SteadyCut.superPasses(run.fold.superPasses(), from, to, begun));
    }

    private interface Finder {
        SteadyCut find(ReplayedRun whole, long begunNanos);
    }

    private Result replayCut(RunConfig config, RunResources resources, Finder finder) throws IOException {
        RunConfig uncut = config.toBuilder().cut(TimeCut.NONE).build();
        ReplayedRun whole = run(uncut, resources, List.of());
        try {
            whole.complete();
            TimeSpan span = whole.fold.span();
            SteadyCut found = finder.find(whole, span == null ? 0 : span.fromNanos());
            RunConfig cut = config.toBuilder().cut(found.cut()).build();
            List<String> words = new ArrayList<>(Recomputation.words(recorded, cut));
            words.add(found.words());
            ReplayedRun part = run(cut, resources, words);
            part.presetSteady(whole.steady());
            MetricsSnapshot snapshot = part.complete();
            return new Result(snapshot, whole.steadyStateFiles(), part.part(snapshot), part.values());
        } finally {
            whole.values().close();
        }
    }

    /** The run with all frames of the journal applied; {@code changes} are the words of {@code recomputed}. */
    ReplayedRun run(RunConfig config, RunResources resources, List<String> changes) throws IOException {
        return new RunAssembler(config, resources, System::nanoTime).replayed(folder, changes);
    }
}
