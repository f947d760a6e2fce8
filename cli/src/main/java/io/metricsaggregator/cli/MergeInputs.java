package io.metricsaggregator.cli;

import io.metricsaggregator.daemon.JournalMerge;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The inputs of a merge: final snapshots or journals, and never both. */
final class MergeInputs {
    private MergeInputs() {}

    /** What a path holds. */
    private enum Kind {
        SNAPSHOT("a final snapshot"),
        JOURNAL("a journal"),
        BOTH("a final snapshot and a journal"),
        NOTHING("neither a final snapshot nor a journal");

        private final String words;

        Kind(String words) {
            this.words = words;
        }
    }

    /**
     * Whether all inputs are journals; false if all are final snapshots.
     *
     * @throws IllegalArgumentException if they are mixed, or one is neither: with what was found in each
     * @throws NoSuchFileException if one does not exist
     */
    static boolean areJournals(List<Path> paths) throws IOException {
        List<Kind> kinds = new ArrayList<>();
        for (Path each : paths) {
            kinds.add(kind(each));
        }
        Set<Kind> found = kinds.isEmpty() ? EnumSet.noneOf(Kind.class) : EnumSet.copyOf(kinds);
        if (!found.contains(Kind.NOTHING) && !(found.contains(Kind.SNAPSHOT) && found.contains(Kind.JOURNAL))) {
            return !found.contains(Kind.SNAPSHOT);
        }
        StringBuilder text = new StringBuilder("merge takes final snapshots or journals, and found ");
        for (int i = 0; i < kinds.size(); i++) {
            text.append(i == 0 ? "" : ", ")
                    .append(kinds.get(i).words)
                    .append(" in ")
                    .append(paths.get(i));
        }
        throw new IllegalArgumentException(
                text.append(". A final snapshot of a journal: metrics-aggregator replay JOURNAL --output-dir DIR")
                        .toString());
    }

    private static Kind kind(Path path) throws IOException {
        if (!Files.exists(path)) {
            throw new NoSuchFileException(path.toString());
        }
        if (!Files.isDirectory(path)) {
            return Kind.SNAPSHOT;
        }
        boolean snapshot = Files.exists(FinalSnapshotFile.find(path));
        if (JournalMerge.isJournal(path)) {
            return snapshot ? Kind.BOTH : Kind.JOURNAL;
        }
        return snapshot ? Kind.SNAPSHOT : Kind.NOTHING;
    }
}
