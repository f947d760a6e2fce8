package io.metricsaggregator.flink.run;

import java.io.Serializable;
import java.util.List;

/**
 * What every task of a fold of runs needs; travels to the tasks.
 *
 * @param version version of this program, for the snapshots
 * @param output folder of the results, as a URI
 * @param ids id of each run by the place of its folder in {@code folders}
 * @param folders folders of the runs, in the order in which they are merged
 * @param valuesMaxBytes memory for the values of a run, outside the heap; values beyond it are spilled to a file
 */
public record FoldSettings(String version, String output, List<String> ids, List<String> folders, long valuesMaxBytes)
        implements Serializable {
    private static final long serialVersionUID = 1;

    public FoldSettings {
        ids = List.copyOf(ids);
        folders = List.copyOf(folders);
    }

    /** The id of the run in a folder. */
    String id(String folder) {
        return ids.get(folders.indexOf(folder));
    }
}
