package io.metricsaggregator.run;

import io.metricsaggregator.config.Recomputation;
import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunConfigCodec;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.journal.JournalDirectory;
import io.metricsaggregator.journal.JournalReader;
import io.metricsaggregator.publish.SteadyStateFiles;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Recomputes a run from its journal, by the fold that computed it, with its recorded settings or others. Used by one thread. */
public final class JournalReplay {
    private final Path folder;
    private final RunConfig recorded;

    private JournalReplay(Path folder, RunConfig recorded) {
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
        Path folder = JournalDirectory.findRun(journal);
        Map<String, String> description = JournalReader.describe(folder);
        if (description.isEmpty()) {
            throw new IOException(folder + " holds no segment that can be read");
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

    /** A recomputed run: its terminal snapshot, and the files of its steady state. */
    public record Result(MetricsSnapshot snapshot, SteadyStateFiles steadyState) {}

    /**
     * Computes the run as {@link #compute}.
     *
     * @throws IOException if the journal cannot be read
     * @throws IllegalArgumentException if an excluded worker sent no record
     */
    public Result replay(RunConfig config, RunResources resources) throws IOException {
        ReplayedRun run = run(config, resources, Recomputation.words(recorded, config));
        MetricsSnapshot snapshot = run.complete();
        return new Result(snapshot, run.steadyStateFiles());
    }

    /** The run with all frames of the journal applied; {@code changes} are the words of {@code recomputed}. */
    ReplayedRun run(RunConfig config, RunResources resources, List<String> changes) throws IOException {
        return new RunAssembler(config, resources, System::nanoTime).replayed(folder, changes);
    }
}
