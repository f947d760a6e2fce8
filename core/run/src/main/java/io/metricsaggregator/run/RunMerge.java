package io.metricsaggregator.run;

import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.fold.series.TokenSource;
import io.metricsaggregator.journal.JournalDirectory;
import io.metricsaggregator.parts.PartMerge;
import io.metricsaggregator.parts.RunPart;
import io.metricsaggregator.publish.PartFile;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.storage.ValueStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Merges runs of several daemons from all their values: from parts of runs, and from journals, which are replayed. Used by one thread. */
public final class RunMerge {
    private final PartMerge parts;

    private RunMerge(PartMerge parts) {
        this.parts = parts;
    }

    /** Whether a directory is the journal of a run or holds journals of runs. */
    public static boolean isJournal(Path directory) throws IOException {
        return JournalDirectory.holdsRun(directory);
    }

    /** Whether a file is a part of a run, of any version. */
    public static boolean isPart(Path file) throws IOException {
        return PartFile.isPart(file);
    }

    /**
     * Reads parts and replays journals. Texts in journals are not counted.
     *
     * @param inputs a part's file, a run's folder, or a directory of journals, whose newest run is taken; at least one
     * @param valuesMaxBytes memory outside the heap for values
     * @param spillDirectory directory of the files for values beyond that
     * @param version version of this program
     * @throws IOException if an input cannot be read
     */
    public static RunMerge of(List<Path> inputs, long valuesMaxBytes, Path spillDirectory, String version)
            throws IOException {
        long share = valuesMaxBytes / (inputs.size() + 1);
        ValueStorage values = ValueStorage.patient(share, spillDirectory);
        List<RunPart> parts = new ArrayList<>();
        for (Path each : inputs) {
            parts.add(
                    Files.isDirectory(each)
                            ? replayed(each, RunResources.ofReplay(null, share).spilling(spillDirectory), version)
                            : PartFile.read(each, values));
        }
        return new RunMerge(new PartMerge(parts, values));
    }

    private static RunPart replayed(Path journal, RunResources resources, String version) throws IOException {
        JournalReplay replay = JournalReplay.open(journal);
        RunConfig config = replay.recorded().toBuilder()
                .version(version)
                .tokenizer(null)
                .tokenSource(
                        replay.recorded().tokenSource() == TokenSource.USAGE
                                ? TokenSource.USAGE
                                : TokenSource.TOKENIZER)
                .build();
        ReplayedRun run = replay.run(config, resources, List.of());
        return run.part(run.complete(() -> true));
    }

    /** The snapshot of each run, to be merged. */
    public List<MetricsSnapshot> snapshots() {
        return parts.snapshots();
    }

    /**
     * Replaces the series of the merged snapshots by those of all values together, with exact percentiles, and adds percentiles by time slice.
     *
     * @param merged the merge of {@link #snapshots}
     */
    public MetricsSnapshot complete(MetricsSnapshot merged) {
        return parts.complete(merged, new ParallelWorkers());
    }
}
