package io.metricsaggregator.flink.joined;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What every task of a joined run needs; travels to the tasks.
 *
 * @param runId id of the joined run, 16 hexadecimal digits
 * @param startedWallNanos start of the earliest journal, in nanoseconds since 1970 UTC
 * @param folders folders of the journals, as URIs; the place of one is the number of its node
 * @param wallOffsetNanos wall clock minus the clock of the joined run, in nanoseconds: the offset of the first journal
 * @param settings configuration of the run by name
 * @param words how the joined run differs from one that a single daemon received
 * @param valuesMaxBytes memory for the values of the run, outside the heap; values beyond it are spilled to a file
 * @param options settings that differ from {@code settings}, as arguments of {@link io.metricsaggregator.options.WhatIfArguments}
 * @param rows folder of the rows of samples, as a URI; null for no rows
 * @param output folder of the run's results, as a URI
 */
public record JoinSettings(
        String runId,
        long startedWallNanos,
        ArrayList<String> folders,
        long wallOffsetNanos,
        TreeMap<String, String> settings,
        ArrayList<String> words,
        long valuesMaxBytes,
        ArrayList<String> options,
        @Nullable String rows,
        String output)
        implements Serializable {
    private static final long serialVersionUID = 1;

    /** Folders of the journals, the first node's first. */
    List<String> journals() {
        return folders;
    }
}
