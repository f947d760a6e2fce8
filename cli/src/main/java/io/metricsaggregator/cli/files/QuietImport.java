package io.metricsaggregator.cli.files;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Imports for another command, without output. */
public final class QuietImport {
    private QuietImport() {}

    /**
     * Imports files of one run as {@code import auto} does: by their requests, else the tool's figures of the run.
     *
     * @param directory gets the final snapshot
     * @return whether there is one
     */
    public static boolean of(List<Path> files, Path directory) {
        return of(files, directory, false) || of(files, directory, true);
    }

    private static boolean of(List<Path> files, Path directory, boolean summary) {
        try {
            return ImportCommand.quiet(files, directory, summary).call() == 0;
        } catch (IOException | IllegalArgumentException e) {
            return false;
        }
    }
}
