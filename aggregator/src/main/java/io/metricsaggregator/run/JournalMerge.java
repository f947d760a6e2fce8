package io.metricsaggregator.run;

import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.fold.TokenSource;
import io.metricsaggregator.journal.JournalDirectory;
import io.metricsaggregator.registry.RawBudget;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.RegistrySum;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Merges runs of several daemons from the values in their journals. Texts are not counted. Used by one thread. */
public final class JournalMerge {
    private JournalMerge() {}

    /**
     * The result of a merge.
     *
     * @param parts the terminal snapshot of each run
     * @param series the series of all runs together, by name, with exact percentiles
     */
    public record Merged(List<MetricsSnapshot> parts, Map<String, SeriesMetric> series) {
        public Merged {
            parts = List.copyOf(parts);
            series = Map.copyOf(series);
        }
    }

    /** Whether a directory is the journal of a run or holds journals of runs. */
    public static boolean isJournal(Path directory) throws IOException {
        return JournalDirectory.holdsRun(directory);
    }

    /**
     * Computes each run, and the series of all of them together.
     *
     * @param journals a run's folder, or a directory of journals, whose newest run is taken; at least one
     * @param valuesMaxBytes memory for the values of each run, outside the heap
     * @param version version of this program
     * @throws IOException if a journal cannot be read
     */
    public static Merged merge(List<Path> journals, long valuesMaxBytes, String version) throws IOException {
        List<MetricsSnapshot> parts = new ArrayList<>();
        List<Registry> registries = new ArrayList<>();
        for (Path journal : journals) {
            JournalReplay replay = JournalReplay.open(journal);
            RunConfig config = replay.recorded().toBuilder()
                    .version(version)
                    .tokenizer(null)
                    .tokenSource(
                            replay.recorded().tokenSource() == TokenSource.USAGE
                                    ? TokenSource.USAGE
                                    : TokenSource.TOKENIZER)
                    .build();
            ReplayedRun run = replay.run(config, RunResources.ofReplay(null, valuesMaxBytes), List.of());
            parts.add(run.complete());
            registries.add(run.registry());
        }
        Map<String, SeriesMetric> series = new HashMap<>();
        if (!registries.isEmpty()) {
            Registry sum = RegistrySum.of(registries, new RawBudget(Long.MAX_VALUE));
            Metric.series(sum.renderExact(sum.newCopy(), false, new ParallelWorkers(), () -> false))
                    .forEach(each -> series.put(each.name(), each));
        }
        return new Merged(parts, series);
    }
}
