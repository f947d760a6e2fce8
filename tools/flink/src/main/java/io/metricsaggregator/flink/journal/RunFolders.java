package io.metricsaggregator.flink.journal;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

/** Finds the folders of runs below some folders. Stateless. */
public final class RunFolders {
    /** Levels of folders below a given one in which runs are looked for. */
    private static final int DEPTH_MAX = 8;

    private RunFolders() {}

    /**
     * Finds every folder that holds segments, below a folder or the folder itself, in the order of their names.
     *
     * @throws IOException if a folder cannot be listed
     */
    public static List<Path> below(Path folder) throws IOException {
        FileSystem files = folder.getFileSystem();
        if (!files.exists(folder)) {
            throw new FileNotFoundException(folder + " does not exist");
        }
        List<Path> found = new ArrayList<>();
        find(files, folder, 0, found);
        return found;
    }

    private static void find(FileSystem files, Path folder, int depth, List<Path> found) throws IOException {
        List<FileStatus> entries = StoredRun.entries(files, folder);
        if (entries.stream().anyMatch(StoredRun::isSegment)) {
            found.add(folder.makeQualified(files));
            return;
        }
        if (depth == DEPTH_MAX) {
            return;
        }
        for (FileStatus each : entries) {
            if (each.isDir() && !each.getPath().getName().startsWith(".")) {
                find(files, each.getPath(), depth + 1, found);
            }
        }
    }
}
