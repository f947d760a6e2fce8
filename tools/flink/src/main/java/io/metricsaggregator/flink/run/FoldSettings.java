package io.metricsaggregator.flink.run;

import io.metricsaggregator.options.WhatIfArguments;
import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What every task of a fold of runs needs; travels to the tasks.
 *
 * @param version version of this program, for the snapshots
 * @param output folder of the results, as a URI
 * @param rows folder of the rows of samples, as a URI; null for no rows
 * @param folders folders of the runs, in the order in which they are merged
 * @param ids id of each run, by the place of its folder in {@code folders}
 * @param whatIf settings in which the runs are recomputed differently from how they were recorded, as arguments of {@link WhatIfArguments}
 * @param valuesMaxBytes memory for the values of a run, outside the heap; values beyond it are spilled to a file
 */
public record FoldSettings(
        String version,
        String output,
        @Nullable String rows,
        List<String> folders,
        List<String> ids,
        List<String> whatIf,
        long valuesMaxBytes)
        implements Serializable {
    private static final long serialVersionUID = 1;

    public FoldSettings {
        ids = List.copyOf(ids);
        folders = List.copyOf(folders);
        whatIf = List.copyOf(whatIf);
    }

    /** The id of the run in a folder. */
    String id(String folder) {
        return ids.get(folders.indexOf(folder));
    }
}
