package io.metricsaggregator.flink.journal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.enumerate.FileEnumerator;
import org.apache.flink.core.fs.Path;

/** Makes a split of each run: the folder of its segments. Used by the thread of the source's coordinator. */
public final class RunEnumerator implements FileEnumerator {
    @Override
    public Collection<FileSourceSplit> enumerateSplits(Path[] paths, int minDesiredSplits) throws IOException {
        List<FileSourceSplit> splits = new ArrayList<>();
        for (Path path : paths) {
            for (Path folder : RunFolders.below(path)) {
                long bytes = StoredRun.list(folder).bytes();
                splits.add(new FileSourceSplit(folder.toString(), folder, 0, bytes, 0, bytes));
            }
        }
        return splits;
    }
}
