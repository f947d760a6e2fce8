package io.metricsaggregator.cli.files;

import io.metricsaggregator.run.RunMerge;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Checks that the inputs of a merge are all final snapshots, or all journals and parts of runs. */
final class MergeInputs {
    private MergeInputs() {}

    /** The content of an input path. */
    private enum Kind {
        SNAPSHOT("a final snapshot"),
        JOURNAL("a journal"),
        PART("a part of a run"),
        BOTH("a final snapshot and a journal"),
        NOTHING("neither a final snapshot nor a journal nor a part of a run");

        private final String words;

        Kind(String words) {
            this.words = words;
        }
    }

    /**
     * Whether all inputs hold the values of their runs, as journals and parts do; false if all are final snapshots.
     *
     * @throws IllegalArgumentException if they are mixed, or one is neither; the message lists what each path holds
     * @throws NoSuchFileException if one does not exist
     */
    static boolean haveValues(List<Path> paths) throws IOException {
        List<Kind> kinds = new ArrayList<>();
        for (Path each : paths) {
            kinds.add(kind(each));
        }
        Set<Kind> found = kinds.isEmpty() ? EnumSet.noneOf(Kind.class) : EnumSet.copyOf(kinds);
        boolean values = found.contains(Kind.JOURNAL) || found.contains(Kind.PART);
        if (!found.contains(Kind.NOTHING) && !(found.contains(Kind.SNAPSHOT) && values)) {
            return !found.contains(Kind.SNAPSHOT);
        }
        StringBuilder text = new StringBuilder("cannot merge different kinds of input: found ");
        for (int i = 0; i < kinds.size(); i++) {
            text.append(i == 0 ? "" : ", ")
                    .append(kinds.get(i).words)
                    .append(" in ")
                    .append(paths.get(i));
        }
        throw new IllegalArgumentException(text.append(
                        ". To get the final snapshot of a journal, run metrics-aggregator replay JOURNAL --output-dir DIR; of a"
                                + " part, metrics-aggregator merge PART --output-dir DIR")
                .toString());
    }

    private static Kind kind(Path path) throws IOException {
        if (!Files.exists(path)) {
            throw new NoSuchFileException(path.toString());
        }
        if (!Files.isDirectory(path)) {
            return RunMerge.isPart(path) ? Kind.PART : Kind.SNAPSHOT;
        }
        boolean snapshot = Files.exists(FinalSnapshotFile.find(path));
        if (RunMerge.isJournal(path)) {
            return snapshot ? Kind.BOTH : Kind.JOURNAL;
        }
        return snapshot ? Kind.SNAPSHOT : Kind.NOTHING;
    }
}
