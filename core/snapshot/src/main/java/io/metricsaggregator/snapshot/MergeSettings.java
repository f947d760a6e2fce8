package io.metricsaggregator.snapshot;

/** Names of the settings that describe the parts of a merged run; a run that was not merged has neither. */
public final class MergeSettings {
    /** Ids of the merged runs in alphabetical order, separated by commas. A merged run among them is replaced by its own parts. */
    public static final String RUNS = "merged_runs";

    /** Whether the runs measured at the same time: {@code whole}, {@code partial}, {@code none} or {@code unknown}. */
    public static final String OVERLAP = "merged_overlap";

    private MergeSettings() {}
}
