package io.metricsaggregator.flink.journal;

import io.metricsaggregator.journal.JournalReader;
import io.metricsaggregator.run.JournalReplay;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.flink.core.fs.Path;

/**
 * The runs below some folders, each of them once.
 *
 * @param runs runs that can be read, in the order of the given folders and of names below each
 * @param skipped folders of runs that were found before elsewhere, in words
 * @param refused runs that cannot be read, in words
 */
public record FoundRuns(List<FoundRun> runs, List<String> skipped, List<String> refused) {
    /** Folders of the results beside those of the runs. */
    private static final Set<String> TAKEN = Set.of("merged", "rows");

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

    /**
     * A run.
     *
     * @param folder holds its segments
     * @param id its id; the name of the folder for a run that recorded none
     */
    public record FoundRun(Path folder, String id) {}

    public FoundRuns {
        runs = List.copyOf(runs);
        skipped = List.copyOf(skipped);
        refused = List.copyOf(refused);
    }

    /**
     * Finds the runs.
     *
     * @param inputs folders of runs, or folders that hold some at any depth up to 8
     * @param skipsRepeated whether a run that is found again is skipped, instead of refusing all
     * @throws IOException if a folder cannot be listed, or one of them holds no run
     * @throws IllegalArgumentException if a run is found twice and {@code skipsRepeated} is false; names both folders
     */
    public static FoundRuns find(List<Path> inputs, boolean skipsRepeated) throws IOException {
        Map<String, Path> byId = new HashMap<>();
        List<FoundRun> runs = new ArrayList<>();
        List<String> skipped = new ArrayList<>();
        List<String> refused = new ArrayList<>();
        for (Path input : inputs) {
            List<Path> folders = RunFolders.below(input);
            if (folders.isEmpty()) {
                throw new FileNotFoundException(input + " holds no journal of a run");
            }
            for (Path folder : folders) {
                String id;
                try {
                    id = idOf(folder);
                } catch (IOException | IllegalArgumentException e) {
                    refused.add(folder + ": " + e.getMessage());
                    continue;
                }
                Path first = byId.putIfAbsent(id, folder);
                if (first == null) {
                    runs.add(new FoundRun(folder, id));
                } else if (skipsRepeated) {
                    skipped.add(folder + ": run " + id + " is already read from " + first);
                } else {
                    throw new IllegalArgumentException("run " + id + " is there twice: " + first + " and " + folder
                            + ". Remove one of them, or use --skip-repeated to read the first");
                }
            }
        }
        return new FoundRuns(runs, skipped, refused);
    }

    /** The id of a readable run. */
    private static String idOf(Path folder) throws IOException {
        StoredRun files = StoredRun.list(folder);
        JournalReplay.open(files);
        String id = JournalReader.describe(files).getOrDefault("run_id", folder.getName());
        if (!ID.matcher(id).matches() || TAKEN.contains(id)) {
            throw new IllegalArgumentException("its id '" + id + "' cannot be the name of a folder");
        }
        return id;
    }
}
